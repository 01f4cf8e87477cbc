// The Electron that releases use, from its own download. Tried first; where it cannot be reached the answer comes within three seconds.
import { existsSync, lstatSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { cacheRoot } from './cache.mjs';
import { say } from './console.mjs';
import { read } from './process.mjs';
import { packageVersion } from './project.mjs';

const PROBE_MS = 3000;

/**
 * Downloads the official binary into node_modules/electron/dist. False when its server cannot be reached.
 * @param {string} electronFolder
 * @param {{ force?: boolean }} [options] `force`: try without probing, because nothing else would do
 */
export async function installOfficialElectron(electronFolder, options = {}) {
  const version = packageVersion('electron');
  if (!(options.force || isDownloaded(version) || (await isReachable(version)))) return false;
  const dist = join(electronFolder, 'dist');
  // Never unpack through a link: that would overwrite the cached runtime it points to.
  if (lstatSync(dist, { throwIfNoEntry: false })?.isSymbolicLink()) rmSync(dist);
  say(`Getting Electron ${version} from its own download …`);
  const result = read(process.execPath, [join(electronFolder, 'install.js')]);
  if (!result.ok) say(`Electron's own download did not work: ${result.errors.trim().split('\n')[0]}`);
  return result.ok;
}

/** @param {string} version */
async function isReachable(version) {
  if (process.env.ELECTRON_GET_USE_PROXY) return true;
  const mirror =
    process.env.ELECTRON_MIRROR || process.env.npm_config_electron_mirror || 'https://github.com/electron/electron/releases/download/';
  try {
    const answer = await fetch(`${mirror}v${version}/SHASUMS256.txt`, {
      method: 'HEAD',
      redirect: 'manual',
      signal: AbortSignal.timeout(PROBE_MS),
    });
    return answer.status < 400;
  } catch {
    return false;
  }
}

/** Electron's downloader keeps its archives; one that is there needs no network. @param {string} version */
function isDownloaded(version) {
  const folder = process.env.electron_config_cache || join(cacheRoot(), 'electron');
  const archive = `electron-v${version}-${process.platform}-${process.arch}.zip`;
  return existsSync(folder) && readdirSync(folder).some((name) => existsSync(join(folder, name, archive)));
}
