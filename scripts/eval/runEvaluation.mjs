// Runs an evaluation: TypeScript like the program, bundled and called with the arguments of the command line.
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build as bundle } from 'vite';
import { explain, SetupProblem, say } from '../setup/console.mjs';
import { projectRoot } from '../setup/project.mjs';

/**
 * @param {string} entry From the root; it exports a function of its own name, and `EvaluationProblem`.
 * @param {{ external?: readonly string[], prepare?: () => Promise<unknown> }} [options] `external`: modules that cannot be bundled
 */
export async function runEvaluation(entry, { external = [], prepare } = {}) {
  const name = basename(entry, '.ts');
  try {
    await prepare?.();
    const module = await bundled(name, entry, external);
    await module[name](process.argv.slice(2), say, projectRoot).catch((/** @type {unknown} */ error) => {
      throw error instanceof module.EvaluationProblem ? new SetupProblem(/** @type {Error} */ (error).message) : error;
    });
  } catch (error) {
    explain(error);
    process.exitCode = 1;
  }
}

/** @param {string} name @param {string} entry @param {readonly string[]} external */
async function bundled(name, entry, external) {
  const outDir = join(projectRoot, 'node_modules/.cache/bough', name);
  await bundle({
    configFile: false,
    root: projectRoot,
    logLevel: 'error',
    ssr: { noExternal: true },
    build: {
      ssr: true,
      target: 'node20',
      outDir,
      emptyOutDir: true,
      rollupOptions: {
        input: { [name]: join(projectRoot, entry) },
        external: [...external, /^node:/],
        output: { format: 'es', entryFileNames: '[name].mjs', chunkFileNames: 'chunks/[name].mjs' },
      },
    },
  });
  return import(pathToFileURL(join(outDir, `${name}.mjs`)).href);
}
