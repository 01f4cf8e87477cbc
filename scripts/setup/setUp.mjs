// Everything a fresh checkout lacks, in order. Each step looks first and is silent when nothing is missing.
// Run by `npm start`, `npm run dev`, `npm run build` and the tests, not by `npm ci`: an installation without network to GitHub must not fail.
import { mkdirSync, readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { debianCanInstall, ensureDebianPackages, ensureElectronLibraries, ensureTestPackages, ensureUnitTestPackages } from './debian.mjs';
import { hasDisplay } from './display.mjs';
import { currentElectron, ensureElectron } from './electron.mjs';
import { packageFolder, projectRoot } from './project.mjs';
import { ensureSqlite } from './sqlite.mjs';

const STAMP = join(projectRoot, 'node_modules/.cache/bough/ready.json');

/**
 * @param {'start' | 'unit' | 'test'} purpose `unit`: this Node must load SQLite too, and a page be read; `test`: and the window's tests need a screen, fonts, a keyring
 * @returns {Promise<import('./electron.mjs').Runtime>}
 */
export async function setUp(purpose) {
  const needsNode = purpose !== 'start';
  if (purpose === 'test') ensureTestPackages();
  if (purpose === 'unit') ensureUnitTestPackages();
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
