// One better-sqlite3 binary for Node (unit tests) and Electron (the app): the prebuilt one if it loads in both, else our own
// Node-API 8 build, compiled once and kept in the user's cache.
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { cacheRoot, fillFolder } from './cache.mjs';
import { SetupProblem, say } from './console.mjs';
import { debianCanInstall, ensureDebianPackages, installCommand } from './debian.mjs';
import { read } from './process.mjs';
import { packageFolder, packageVersion, projectRoot } from './project.mjs';

const HEADER = join(projectRoot, 'scripts/napi8.h');
const TRY_IT =
  "const D = require('better-sqlite3'); const d = new D(':memory:'); if (d.prepare('select 1 as n').get().n !== 1) process.exit(1);";

/**
 * @param {{ electron: string, node: boolean }} where `electron`: its binary; `node`: whether this Node must load it too (unit tests)
 */
export async function ensureSqlite(where) {
  const folder = packageFolder('better-sqlite3');
  if (!folder) throw new SetupProblem('better-sqlite3 is not installed. Run `npm ci` first.');
  if (loads(where)) return;
  const target = join(folder, 'build/Release/better_sqlite3.node');
  rmSync(join(folder, 'build'), { recursive: true, force: true });
  if (loads(where)) return;
  const built = builtBinding();
  if (existsSync(built)) {
    place(built, target);
    if (loads(where)) return;
    rmSync(dirname(built), { recursive: true, force: true });
  }
  await fillFolder(dirname(built), (partial) => build(folder, join(partial, 'better_sqlite3.node')));
  place(built, target);
  if (!loads(where)) throw new SetupProblem('better-sqlite3 was built but does not load. Please report this with the output of `node -v`.');
}

/** @param {{ electron: string, node: boolean }} where */
function loads(where) {
  const options = { cwd: projectRoot, timeout: 30_000 };
  const inElectron = () => read(where.electron, ['-e', TRY_IT], { ...options, env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' } }).ok;
  return (!where.node || read(process.execPath, ['-e', TRY_IT], options).ok) && inElectron();
}

function builtBinding() {
  const header = createHash('sha256').update(readFileSync(HEADER)).digest('hex').slice(0, 12);
  const key = [packageVersion('better-sqlite3'), header, process.platform, process.arch].join('-');
  return join(cacheRoot(), 'bough-native', key, 'better_sqlite3.node');
}

/** A copy that appears whole: a running app may have the old file mapped. @param {string} from @param {string} to */
function place(from, to) {
  mkdirSync(dirname(to), { recursive: true });
  copyFileSync(from, `${to}.new`);
  renameSync(`${to}.new`, to);
}

/** @param {string} folder @param {string} result */
function build(folder, result) {
  ensureCompiler();
  say('Building better-sqlite3 for this runtime: one to two minutes, once …');
  const gyp = packageFolder('node-gyp');
  if (!gyp) throw new SetupProblem('node-gyp is not installed. Run `npm ci` first.');
  const args = [join(gyp, 'bin/node-gyp.js'), 'rebuild', '--release', '--force_build=1', '-j', '2', ...localHeaders()];
  const env = { ...process.env, CXXFLAGS: `${process.env.CXXFLAGS ?? ''} -include "${HEADER}"`.trim() };
  const outcome = read(process.execPath, args, { cwd: folder, env });
  const made = join(folder, 'build/Release/better_sqlite3.node');
  if (!outcome.ok || !existsSync(made)) {
    const tail = `${outcome.output}\n${outcome.errors}`.trim().split('\n').slice(-25).join('\n');
    throw new SetupProblem(`better-sqlite3 could not be built:\n${tail}`);
  }
  copyFileSync(made, result);
  rmSync(join(folder, 'build'), { recursive: true, force: true });
}

/** Node's own headers, where they were installed with it: node-gyp would otherwise fetch them from the network. */
function localHeaders() {
  const prefix = dirname(dirname(process.execPath));
  return existsSync(join(prefix, 'include/node/node_api.h')) ? [`--nodedir=${prefix}`] : [];
}

function ensureCompiler() {
  if (process.platform === 'win32') return;
  const missing = ['python3', 'make', 'c++'].filter((tool) => !read(tool, ['--version']).ok);
  if (missing.length === 0) return;
  const packages = ['python3', 'make', 'g++'];
  if (debianCanInstall()) ensureDebianPackages(packages);
  else
    throw new SetupProblem(
      `better-sqlite3 must be built, but ${missing.join(', ')} is missing. Install a C++ compiler, make and Python 3:\n  ${installCommand(packages)}`,
    );
}
