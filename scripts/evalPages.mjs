// `npm run eval:pages -- [--bytes] [--scales 1,2,3]`: what snapshot pages weigh, and what tesseract reads of them (docs/snapshot.md).
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build as bundle } from 'vite';
import { explain, SetupProblem, say } from './setup/console.mjs';
import { projectRoot } from './setup/project.mjs';

const OUT = join(projectRoot, 'node_modules/.cache/bough/eval-pages');

try {
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
        input: { evalPages: join(projectRoot, 'scripts/eval/pages/evalPages.ts') },
        external: [/^node:/],
        output: { format: 'es', entryFileNames: '[name].mjs' },
      },
    },
  });
  const { evalPages, PagesProblem } = await import(pathToFileURL(join(OUT, 'evalPages.mjs')).href);
  await evalPages(process.argv.slice(2), say, projectRoot).catch((/** @type {unknown} */ error) => {
    throw error instanceof Error && error instanceof PagesProblem ? new SetupProblem(error.message) : error;
  });
} catch (error) {
  explain(error);
  process.exitCode = 1;
}
