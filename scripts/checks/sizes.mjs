// Files and functions stay small enough to be read at once. Warnings are shown; only errors fail.
import { isTest, lineAt, parse, readSources, walk } from './sources.mjs';

export const LIMITS = { warnFile: 250, file: 400, testFile: 600, function: 80 };

const CODE = /\.(ts|tsx|mjs|cjs|css)$/;
const FUNCTION = /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/;

/**
 * @param {readonly import('./sources.mjs').Source[]} sources
 * @returns {{ errors: string[], warnings: string[] }}
 */
export function checkSizes(sources) {
  const errors = [];
  const warnings = [];
  for (const source of sources) {
    const lines = source.text.trimEnd().split('\n').length;
    const limit = isTest(source.path) ? LIMITS.testFile : LIMITS.file;
    if (lines > limit) errors.push(`${source.path}: ${lines} lines, at most ${limit}`);
    else if (lines > LIMITS.warnFile && !isTest(source.path))
      warnings.push(`${source.path}: ${lines} lines, better below ${LIMITS.warnFile}`);
    if (!(isTest(source.path) || source.path.endsWith('.css'))) errors.push(...longFunctions(source));
  }
  return { errors, warnings };
}

/** @param {import('./sources.mjs').Source} source */
function longFunctions(source) {
  /** @type {string[]} */
  const found = [];
  walk(parse(source), (node, parents) => {
    if (!FUNCTION.test(node.type)) return;
    const first = lineAt(source.text, node.start);
    const lines = lineAt(source.text, node.end) - first + 1;
    if (lines > LIMITS.function)
      found.push(`${source.path}:${first}: ${nameOf(node, parents.at(-1))} has ${lines} lines, at most ${LIMITS.function}`);
  });
  return found;
}

/** @param {import('./sources.mjs').Node} node @param {import('./sources.mjs').Node | undefined} parent @returns {string} */
function nameOf(node, parent) {
  return node.id?.name ?? parent?.id?.name ?? parent?.key?.name ?? 'a function';
}

/** @param {string} root */
export function sizesOf(root) {
  return checkSizes(readSources(root, CODE));
}
