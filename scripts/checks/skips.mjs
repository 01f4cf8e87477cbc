// A skipped, focused or planned test proves nothing, and nobody sees that it does not run.
import { isTest, lineAt, parse, readSources, walk } from './sources.mjs';

const ROOTS = new Set(['it', 'test', 'describe', 'suite', 'bench']);
const FORBIDDEN = new Set(['skip', 'only', 'todo', 'fixme', 'fail', 'fails', 'skipIf', 'runIf']);
const PREFIXED = new Set(['xit', 'xtest', 'xdescribe', 'fit', 'fdescribe']);

/** @param {import('./sources.mjs').Source} source @returns {string[]} */
export function findSkips(source) {
  /** @type {string[]} */
  const found = [];
  walk(parse(source), (node) => {
    const name = forbiddenName(node);
    if (name) found.push(`${source.path}:${lineAt(source.text, node.start)}: ${name} is not allowed`);
  });
  return found;
}

/** @param {import('./sources.mjs').Node} node @returns {string | undefined} */
function forbiddenName(node) {
  if (node.type === 'CallExpression' && node.callee.type === 'Identifier' && PREFIXED.has(node.callee.name)) return node.callee.name;
  if (node.type !== 'MemberExpression' || !FORBIDDEN.has(node.property.name)) return undefined;
  const root = rootName(node.object);
  return root && ROOTS.has(root) ? `${root}.${node.property.name}` : undefined;
}

/** `test` in `test.describe.parallel`. @param {import('./sources.mjs').Node} node @returns {string | undefined} */
function rootName(node) {
  if (node.type === 'Identifier') return node.name;
  if (node.type === 'MemberExpression') return rootName(node.object);
  return node.type === 'CallExpression' ? rootName(node.callee) : undefined;
}

/** @param {string} root */
export function skipsIn(root) {
  return readSources(root, /\.tsx?$/)
    .filter((source) => isTest(source.path))
    .flatMap(findSkips);
}
