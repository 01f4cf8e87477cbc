// Makes node_modules/electron runnable, so that `electron .`, Playwright and electron-vite all find it with no variable set.
import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SetupProblem } from './console.mjs';
import { installOfficialElectron } from './officialElectron.mjs';
import { packageFolder } from './project.mjs';
import { hasRegistryElectron, registryElectron } from './registryElectron.mjs';

/** @typedef {{ binary: string, folder: string, version: string, official: boolean }} Runtime */

/** The runtime that node_modules/electron points to, if it is there. @returns {Runtime | undefined} */
export function currentElectron() {
  const electron = packageFolder('electron');
  if (!electron) return undefined;
  const folder = join(electron, 'dist');
  try {
    const binary = join(folder, readFileSync(join(electron, 'path.txt'), 'utf8'));
    const version = readFileSync(join(folder, 'version'), 'utf8').trim().replace(/^v/, '');
    return existsSync(binary) ? { binary, folder, version, official: version === manifestVersion(electron) } : undefined;
  } catch {
    return undefined;
  }
}

/** @param {string} electron @returns {string} */
function manifestVersion(electron) {
  return JSON.parse(readFileSync(join(electron, 'package.json'), 'utf8')).version;
}

/** @returns {Promise<Runtime>} */
export async function ensureElectron() {
  const ready = currentElectron();
  if (ready) return ready;
  const electron = packageFolder('electron');
  if (!electron) throw new SetupProblem('Electron is not installed. Run `npm ci` first.');
  if (!(await installOfficialElectron(electron, { force: !hasRegistryElectron }))) {
    if (!hasRegistryElectron) throw new SetupProblem(noRuntime());
    linkRuntime(electron, await registryElectron());
  }
  const runtime = currentElectron();
  if (!runtime)
    throw new SetupProblem(
      'Electron was downloaded but does not run from node_modules/electron. Delete node_modules and run `npm ci` again.',
    );
  return runtime;
}

/** @param {string} electron @param {string} runtime */
function linkRuntime(electron, runtime) {
  const dist = join(electron, 'dist');
  rmSync(dist, { recursive: true, force: true });
  symlinkSync(runtime, dist, 'dir');
  writeFileSync(join(electron, 'path.txt'), 'electron');
}

function noRuntime() {
  return [
    `Electron for ${process.platform}-${process.arch} could not be downloaded from github.com, and the npm registry has a substitute for linux-x64 only.`,
    'Connect to the internet, or set ELECTRON_MIRROR to a server that has the Electron releases, then run the command again.',
  ].join('\n');
}
