// Builds the app: `npm run build`, and before `npm start` and `npm test` when a source is newer than what was built.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';
import { explain, SetupProblem, say } from './setup/console.mjs';
import { run } from './setup/process.mjs';
import { packageFolder, projectRoot } from './setup/project.mjs';
import { setUp } from './setup/setUp.mjs';

const SOURCES = [
  'main',
  'preload',
  'shared',
  'renderer',
  'assets',
  'electron.vite.config.ts',
  'scripts/eagerWrappers.mjs',
  'vite.workers.config.ts',
  'package.json',
  'package-lock.json',
];
export const OUTPUTS = ['out/main/index.cjs', 'out/preload/index.cjs', 'out/workers/reader.cjs', 'out/renderer/index.html'];
const TEST = /\.test\.tsx?$/;

/** Builds into out/; what went wrong is on the console already when this throws. */
export async function build() {
  const vite = packageFolder('electron-vite');
  if (!vite) throw new SetupProblem('electron-vite is not installed. Run `npm ci` first.');
  const code = await run(process.execPath, [join(vite, 'bin/electron-vite.js'), 'build', '--logLevel', 'warn'], { cwd: projectRoot });
  if (code !== 0) throw new SetupProblem('The build failed; the reason is above.');
  await buildWorkers();
}

/** The worker threads are a build of their own, which electron-vite knows nothing of. */
export async function buildWorkers() {
  const vite = join(packageFolder('vite') ?? '', 'bin/vite.js');
  const args = [vite, 'build', '--config', 'vite.workers.config.ts', '--logLevel', 'error'];
  if ((await run(process.execPath, args, { cwd: projectRoot })) !== 0)
    throw new SetupProblem('The build of the worker threads failed; the reason is above.');
}

export async function buildIfStale() {
  if (!isStale(projectRoot)) return;
  say('Building …');
  await build();
}

/** True when a part is missing or older than a source; an interrupted build leaves one of its parts old. @param {string} root */
export function isStale(root) {
  const built = OUTPUTS.map((path) => statSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs ?? 0);
  const oldest = Math.min(...built);
  return SOURCES.some((path) => newest(join(root, path)) > oldest);
}

/** The newest change below a path, in milliseconds; tests are not built. @param {string} path @returns {number} */
function newest(path) {
  const status = statSync(path, { throwIfNoEntry: false });
  if (!status || TEST.test(path)) return 0;
  if (!status.isDirectory()) return status.mtimeMs;
  return Math.max(0, ...readdirSync(path).map((name) => newest(join(path, name))));
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  try {
    // So that `electron .` and Playwright work after a build with nothing set. A build alone does not need the runtime.
    await setUp('unit').catch(explain);
    await build();
  } catch (error) {
    explain(error);
    process.exitCode = 1;
  }
}
