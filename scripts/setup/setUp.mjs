// Everything a fresh checkout lacks, in order. Each step looks first and is silent when nothing is missing.
// As a program (after `npm ci`) it never fails the installation: what is missing is tried again by `npm start` and `npm test`.
import { mkdirSync, readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';
import { explain, say } from './console.mjs';
import { debianCanInstall, ensureDebianPackages, ensureElectronLibraries, ensureTestPackages } from './debian.mjs';
import { hasDisplay } from './display.mjs';
import { currentElectron, ensureElectron } from './electron.mjs';
import { packageFolder, projectRoot } from './project.mjs';
import { ensureSqlite } from './sqlite.mjs';

const STAMP = join(projectRoot, 'node_modules/.cache/bough/ready.json');

/**
 * @param {'install' | 'start' | 'test'} purpose `test` also needs the unit tests' Node to load SQLite, fonts and a keyring
 * @returns {Promise<import('./electron.mjs').Runtime>}
 */
export async function setUp(purpose) {
  const needsNode = purpose !== 'start';
  if (purpose === 'test') ensureTestPackages();
  const known = currentElectron();
  if (known && isStamped(known, needsNode)) return known;
  const runtime = await ensureElectron();
  ensureElectronLibraries(runtime.binary);
  if (!hasDisplay() && debianCanInstall()) ensureDebianPackages(['xvfb']);
  await ensureSqlite({ electron: runtime.binary, node: needsNode });
  writeStamp(runtime, needsNode);
  return runtime;
}

/** What was verified: the same files need no second look. @param {import('./electron.mjs').Runtime} runtime */
function fingerprint(runtime) {
  const sqlite = join(packageFolder('better-sqlite3') ?? '', 'build/Release/better_sqlite3.node');
  const binding = statSync(sqlite, { throwIfNoEntry: false });
  return [realpathSync(runtime.binary), runtime.version, process.version, binding?.size, binding?.mtimeMs].join(' ');
}

/** @param {import('./electron.mjs').Runtime} runtime @param {boolean} needsNode */
function isStamped(runtime, needsNode) {
  try {
    const stamp = JSON.parse(readFileSync(STAMP, 'utf8'));
    return stamp.fingerprint === fingerprint(runtime) && (stamp.node || !needsNode);
  } catch {
    return false;
  }
}

/** @param {import('./electron.mjs').Runtime} runtime @param {boolean} node */
function writeStamp(runtime, node) {
  mkdirSync(dirname(STAMP), { recursive: true });
  writeFileSync(STAMP, JSON.stringify({ fingerprint: fingerprint(runtime), node }));
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  try {
    await setUp('install');
  } catch (error) {
    explain(error);
    say('Installed, but not ready to run yet: `npm start` and `npm test` try the missing step again.');
  }
}
