// Where things lie in a checkout, seen from the scripts.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const projectRoot = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

/** The folder of an installed package, or undefined when it is not installed (`npm ci --omit=dev`). @param {string} name */
export function packageFolder(name) {
  const folder = join(projectRoot, 'node_modules', name);
  return existsSync(join(folder, 'package.json')) ? folder : undefined;
}

/** @param {string} name @returns {string} */
export function packageVersion(name) {
  return JSON.parse(readFileSync(join(projectRoot, 'node_modules', name, 'package.json'), 'utf8')).version;
}

/** The version of Bough. @returns {string} */
export function appVersion() {
  return JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')).version;
}
