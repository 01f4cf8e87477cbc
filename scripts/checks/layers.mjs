// Who may import whom, by dependency-cruiser on @swc/core: the rules are in .dependency-cruiser.cjs.
// swc is the only parser it has that sees type-only imports under TypeScript 7; it is told about JSX here, which dependency-cruiser cannot do.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { projectRoot } from '../setup/project.mjs';

/** Untyped on purpose: both are changed or taken apart here. @type {(id: string) => any} */
const load = createRequire(import.meta.url);

/** What the app is made of; a cruise that saw none of one of these has not looked. */
export const LAYERS = ['main', 'preload', 'renderer', 'shared'];

/** @typedef {{ problems: string[], modules: string[] }} Cruise `modules`: every file looked at, from the root */

/**
 * @param {string} [root] the folder that holds main, shared …
 * @returns {Promise<Cruise>}
 */
export async function cruiseLayers(root = projectRoot) {
  teachJsx();
  const { cruise } = await import('dependency-cruiser');
  const { options, ...ruleSet } = load('../../.dependency-cruiser.cjs');
  const folders = [...LAYERS, 'e2e'].filter((name) => existsSync(join(root, name)));
  const { output } = await cruise(folders, { ...options, ruleSet, validate: true, baseDir: root });
  if (typeof output === 'string') throw new Error('dependency-cruiser answered with a text instead of data');
  const modules = output.modules.map((module) => module.source).filter((source) => /^(main|preload|renderer|shared|e2e)\//.test(source));
  const unseen = LAYERS.filter((layer) => !modules.some((source) => source.startsWith(`${layer}/`)));
  return {
    modules,
    problems: [
      ...output.summary.violations.map(describe),
      ...unknownFolders(modules, ruleSet.forbidden),
      ...(root === projectRoot ? unseen.map((layer) => `dependency-cruiser saw no module in ${layer}/`) : []),
    ],
  };
}

/**
 * A folder of main/ without a row in the table could import anything.
 * @param {readonly string[]} modules
 * @param {readonly { name: string }[]} rules
 */
function unknownFolders(modules, rules) {
  const folders = new Set(modules.flatMap((path) => /^main\/[^/]+(?=\/)/.exec(path) ?? []));
  const known = new Set(rules.map((rule) => rule.name));
  return [...folders]
    .filter((folder) => !known.has(`layer-${folder}`))
    .map((folder) => `${folder} has no row in the import table (no-row)`);
}

/** @param {import('dependency-cruiser').IViolation} violation */
function describe(violation) {
  const way = violation.cycle ? violation.cycle.map((step) => step.name).join(' → ') : violation.to;
  return `${violation.from} → ${way} (${violation.rule.name})`;
}

/** dependency-cruiser reads each file by this function of swc's module, looked up at each call. */
function teachJsx() {
  const swc = load('@swc/core');
  if (swc.parseFileSync.readsJsx) return;
  const parse = swc.parseFileSync;
  /** @type {(file: string, options: object) => unknown} */
  const parseWithJsx = (file, options) => parse(file, { ...options, tsx: file.endsWith('x') });
  swc.parseFileSync = Object.assign(parseWithJsx, { readsJsx: true });
}
