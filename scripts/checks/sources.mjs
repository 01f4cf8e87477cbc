// The project's own source files and their syntax trees, for the checks that are ours.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'vite';

/** A node of the syntax tree (ESTree with TypeScript), read by its fields. @typedef {{ type: string, start: number, end: number, [field: string]: any }} Node */

/** @typedef {{ path: string, text: string }} Source `path` is relative to the root, with forward slashes */

const OWN = ['shared', 'preload', 'main', 'renderer', 'e2e', 'scripts'];
const SKIPPED = /^(node_modules|out|dist|test-results|coverage)$/;

/**
 * Files below the given folders whose names match.
 * @param {string} root
 * @param {RegExp} name
 * @param {readonly string[]} [folders]
 * @returns {Source[]}
 */
export function readSources(root, name, folders = OWN) {
  return folders
    .flatMap((folder) => listFiles(root, folder))
    .filter((path) => name.test(path))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
}

/** @param {string} root @param {string} folder @returns {string[]} */
function listFiles(root, folder) {
  let entries;
  try {
    entries = readdirSync(join(root, folder), { withFileTypes: true });
  } catch {
    return [];
  }
  return entries.flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return SKIPPED.test(entry.name) ? [] : listFiles(root, path);
    return [path];
  });
}

/** Tests and what only tests use. @param {string} path */
export function isTest(path) {
  return /\.(test|spec)\.tsx?$|(Fixture|Arbitrary|childProgram)\.tsx?$|^e2e\/|^renderer\/testing\//.test(path);
}

/** Throws when the file is not valid TypeScript: a check that skipped it would pass for the wrong reason. @param {Source} source @returns {Node} */
export function parse({ path, text }) {
  const { program, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`);
  return program;
}

/**
 * Calls `visit` for each node, parents first.
 * @param {Node} node
 * @param {(node: Node, parents: readonly Node[]) => void} visit
 * @param {Node[]} [parents]
 */
export function walk(node, visit, parents = []) {
  visit(node, parents);
  parents.push(node);
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (child && typeof child === 'object' && typeof child.type === 'string') walk(child, visit, parents);
    }
  }
  parents.pop();
}

/** The line of an offset, counted from 1. @param {string} text @param {number} offset */
export function lineAt(text, offset) {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line++;
  return line;
}
