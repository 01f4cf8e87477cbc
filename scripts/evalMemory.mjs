// `npm run eval:memory -- --model provider/model`: what an agent's memory keeps of planted facts, rung by rung (docs/benchmarks.md).
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build as bundle } from 'vite';
import { explain, SetupProblem, say } from './setup/console.mjs';
import { projectRoot } from './setup/project.mjs';
import { setUp } from './setup/setUp.mjs';

const OUT = join(projectRoot, 'node_modules/.cache/bough/eval');

try {
  await setUp('unit');
  await bundle({
    configFile: false,
    root: projectRoot,
    logLevel: 'error',
    ssr: { noExternal: true },
    build: {
      ssr: true,
      target: 'node20',
      outDir: OUT,
      emptyOutDir: true,
      rollupOptions: {
        input: { evalMemory: join(projectRoot, 'scripts/eval/evalMemory.ts') },
        external: ['better-sqlite3', '@napi-rs/canvas', /^node:/],
        output: { format: 'es', entryFileNames: '[name].mjs', chunkFileNames: 'chunks/[name].mjs' },
      },
    },
  });
  const { evalMemory, EvaluationProblem } = await import(pathToFileURL(join(OUT, 'evalMemory.mjs')).href);
  await evalMemory(process.argv.slice(2), say).catch((/** @type {unknown} */ error) => {
    throw error instanceof Error && error instanceof EvaluationProblem ? new SetupProblem(error.message) : error;
  });
} catch (error) {
  explain(error);
  process.exitCode = 1;
}
