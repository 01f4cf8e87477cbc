// What is expensive to get (the registry runtime, the compiled SQLite binding) lives outside node_modules, which `npm ci` wipes.
import { accessSync, chmodSync, constants, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { projectRoot } from './project.mjs';

const STALE_AFTER_MS = 60 * 60 * 1000;

/**
 * The user's cache folder, or one inside node_modules when there is no writable home.
 * @param {NodeJS.ProcessEnv} [env]
 */
export function cacheRoot(env = process.env) {
  const wanted = userCache(env);
  return isWritable(wanted) ? wanted : join(projectRoot, 'node_modules', '.cache');
}

/** @param {NodeJS.ProcessEnv} env */
function userCache(env) {
  if (env.XDG_CACHE_HOME && isAbsolute(env.XDG_CACHE_HOME)) return env.XDG_CACHE_HOME;
  if (process.platform === 'win32' && env.LOCALAPPDATA) return env.LOCALAPPDATA;
  const home = env === process.env ? homedir() : env.HOME;
  return join(home || userInfo().homedir, '.cache');
}

/** @param {string} folder */
function isWritable(folder) {
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Makes `target` appear whole or not at all: `fill` works in a folder beside it that is renamed at the end.
 * Two processes may do this at once; the first to finish wins and the other's copy is dropped.
 * @param {string} target
 * @param {(folder: string) => Promise<void> | void} fill
 */
export async function fillFolder(target, fill) {
  mkdirSync(dirname(target), { recursive: true });
  removeStalePartials(target);
  const partial = mkdtempSync(`${target}.partial-`);
  try {
    await fill(partial);
    chmodSync(partial, 0o755);
    if (!existsSync(target)) renameSync(partial, target);
  } catch (error) {
    if (!isLostRace(error)) throw error;
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
}

/** @param {unknown} error */
function isLostRace(error) {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'ENOTEMPTY' || code === 'EEXIST';
}

/** What an interrupted run left behind; younger folders may belong to a run that is still going. @param {string} target */
function removeStalePartials(target) {
  const prefix = `${basename(target)}.partial-`;
  for (const name of readdirSync(dirname(target))) {
    const path = join(dirname(target), name);
    if (name.startsWith(prefix) && Date.now() - statSync(path).mtimeMs > STALE_AFTER_MS) rmSync(path, { recursive: true, force: true });
  }
}
