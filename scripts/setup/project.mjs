// Where things lie in a checkout, seen from the scripts.
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const projectRoot = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

const require = createRequire(join(projectRoot, 'package.json'));

/** The folder of an installed package, or undefined when it is not installed (`npm ci --omit=dev`). @param {string} name */
export function packageFolder(name) {
  try {
    return dirname(require.resolve(`${name}/package.json`));
  } catch {
    return undefined;
  }
}

/** @param {string} name @returns {string} */
export function packageVersion(name) {
  return require(`${name}/package.json`).version;
}
