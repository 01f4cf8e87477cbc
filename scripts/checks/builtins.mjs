// Refuses what Electron 25 lacks (see missingBuiltins.mjs) in the code that ships. Allowed: asking first, by `typeof X.y` or `X.y?.()`.
import {
  ITERATOR_HELPERS,
  ITERATOR_SOURCES,
  MISSING_CSS,
  MISSING_DOM_METHODS,
  MISSING_GLOBALS,
  MISSING_IN_CHROMIUM,
  MISSING_IN_NODE,
  MISSING_IN_NODE_MODULES,
  MISSING_METHODS,
  MISSING_NODE_MODULES,
  MISSING_SET_METHODS,
  MISSING_STATICS,
  NOT_RECURSIVE,
} from './missingBuiltins.mjs';
import { isTest, lineAt, parse, readSources, walk } from './sources.mjs';

/** @typedef {import('./sources.mjs').Node} Node */
/** @typedef {import('./sources.mjs').Source} Source */
/** What a file knows by name. @typedef {{ node: boolean, browser: boolean, declared: Set<string>, nodeModules: Map<string, string> }} File */

const REGEX_MODIFIER = /\(\?(?:[ims]+(?:-[ims]*)?|-[ims]+):/;

/** @param {Source} source @returns {string[]} */
export function findMissingBuiltins(source) {
  const program = parse(source);
  const file = describeFile(source.path, program);
  /** @type {string[]} */
  const found = [];
  walk(program, (node, parents) => {
    const name = missingName(node, parents, file);
    if (name) found.push(`${source.path}:${lineAt(source.text, node.start)}: ${name} is missing in Electron 25`);
  });
  return found;
}

/** @param {string} path @param {Node} program @returns {File} */
function describeFile(path, program) {
  /** @type {File} */
  const file = {
    node: /^(main|shared)\//.test(path),
    browser: /^(renderer|preload|shared)\//.test(path),
    declared: new Set(),
    nodeModules: new Map(),
  };
  walk(program, (node, parents) => {
    if (node.type === 'ImportDeclaration') rememberNamespace(node, file);
    if (node.type === 'Identifier' && isDeclaration(node, parents.at(-1))) file.declared.add(node.name);
  });
  return file;
}

/** `fs` in `import fs from 'node:fs'`, so that `fs.glob` is found. @param {Node} node @param {File} file */
function rememberNamespace(node, file) {
  for (const specifier of node.specifiers) {
    if (specifier.type !== 'ImportSpecifier') file.nodeModules.set(specifier.local.name, String(node.source.value).replace(/^node:/, ''));
  }
}

/** Any name the file brings itself is not the global one. @param {Node} node @param {Node | undefined} parent */
function isDeclaration(node, parent) {
  if (!parent) return false;
  if (/^Import\w*Specifier$/.test(parent.type)) return parent.local === node;
  if (/Function/.test(parent.type)) return parent.id === node || parent.params?.includes(node);
  if (parent.type === 'Property') return parent.value === node && parent.shorthand;
  return (
    ['VariableDeclarator', 'ClassDeclaration', 'ArrayPattern', 'AssignmentPattern', 'CatchClause', 'TSParameterProperty'].includes(
      parent.type,
    ) &&
    parent.init !== node &&
    parent.right !== node
  );
}

/** @param {Node} node @param {readonly Node[]} parents @param {File} file @returns {string | undefined} */
function missingName(node, parents, file) {
  switch (node.type) {
    case 'MemberExpression':
      return isAsked(node, parents) ? undefined : missingMember(node, parents, file);
    case 'Identifier':
      return missingGlobal(node, parents, file);
    case 'ImportDeclaration':
      return missingImport(node);
    case 'CallExpression':
      return ignoredOption(node, file);
    case 'Literal':
      return node.regex && REGEX_MODIFIER.test(node.regex.pattern) ? `the modifier in ${node.raw}` : undefined;
    default:
      return undefined;
  }
}

/** `typeof X.y` and `X.y?.()` ask before they use. @param {Node} node @param {readonly Node[]} parents */
function isAsked(node, parents) {
  const parent = parents.at(-1);
  if (parent?.type === 'UnaryExpression') return parent.operator === 'typeof';
  return parent?.type === 'CallExpression' && parent.callee === node && parent.optional === true;
}

/** @param {Node} node @param {readonly Node[]} parents @param {File} file @returns {string | undefined} */
function missingMember(node, parents, file) {
  const name = node.computed ? undefined : node.property.name;
  if (!name) return undefined;
  const object = node.object.type === 'Identifier' ? node.object.name : undefined;
  if (object === 'globalThis' || object === 'window') return globalName(name, file);
  if (object && MISSING_STATICS.has(`${object}.${name}`) && !file.declared.has(object)) return `${object}.${name}`;
  if (object && missingIn(object === 'process' ? 'process' : file.nodeModules.get(object)).includes(name)) return `${object}.${name}`;
  if (file.node && name === 'parentPath') return 'Dirent.parentPath';
  const parent = parents.at(-1);
  const called = parent?.type === 'CallExpression' && parent.callee === node;
  return called ? missingMethod(name, node.object, object, file) : undefined;
}

/** @param {string} name @param {Node} target @param {string | undefined} object @param {File} file @returns {string | undefined} */
function missingMethod(name, target, object, file) {
  if (MISSING_METHODS.has(name)) return `${name}()`;
  if (MISSING_SET_METHODS.has(name) && object !== 'z') return `Set.${name}()`;
  if (file.browser && MISSING_DOM_METHODS.has(name)) return `${name}()`;
  if (ITERATOR_HELPERS.has(name) && isIterator(target)) return `the iterator helper ${name}()`;
  return undefined;
}

/** What `map.values()` returns; `Object.values(x)` is an array. @param {Node} node */
function isIterator(node) {
  if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return false;
  return ITERATOR_SOURCES.has(node.callee.property.name) && node.callee.object.name !== 'Object';
}

/** @param {Node} node @param {readonly Node[]} parents @param {File} file @returns {string | undefined} */
function missingGlobal(node, parents, file) {
  const parent = parents.at(-1);
  if (!parent || file.declared.has(node.name)) return undefined;
  if (parent.type === 'MemberExpression' && parent.property === node && !parent.computed) return undefined;
  if (/^(Property|MethodDefinition|PropertyDefinition)$/.test(parent.type) && parent.key === node && !parent.shorthand) return undefined;
  if (/^(TS|Import|Export|JSX)/.test(parent.type) || /^(LabeledStatement|BreakStatement|ContinueStatement)$/.test(parent.type))
    return undefined;
  if (parent.type === 'UnaryExpression' && parent.operator === 'typeof') return undefined;
  return globalName(node.name, file);
}

/** @param {string} name @param {File} file @returns {string | undefined} */
function globalName(name, file) {
  const missing = MISSING_GLOBALS.has(name) || (file.node && MISSING_IN_NODE.has(name)) || (file.browser && MISSING_IN_CHROMIUM.has(name));
  return missing ? `the global ${name}` : undefined;
}

/** @param {Node} node @returns {string | undefined} */
function missingImport(node) {
  const from = String(node.source.value);
  if (MISSING_NODE_MODULES.has(from)) return from;
  const missing = missingIn(from.replace(/^node:/, ''));
  const specifier = node.specifiers.find(
    (/** @type {Node} */ one) => one.type === 'ImportSpecifier' && missing.includes(one.imported.name),
  );
  return specifier ? `${specifier.imported.name} of ${from}` : undefined;
}

/** @param {string | undefined} module @returns {readonly string[]} */
function missingIn(module) {
  const entry = Object.entries(MISSING_IN_NODE_MODULES).find(([name]) => name === module);
  return entry?.[1] ?? [];
}

/** @param {Node} node @param {File} file @returns {string | undefined} */
function ignoredOption(node, file) {
  const name = node.callee.type === 'MemberExpression' ? node.callee.property.name : node.callee.name;
  if (!(file.node && NOT_RECURSIVE.has(name))) return undefined;
  const isRecursive = (/** @type {Node} */ property) => property.key?.name === 'recursive' && property.value?.value !== false;
  const recursive = node.arguments.some((/** @type {Node} */ argument) => argument.properties?.some(isRecursive));
  return recursive ? `the option recursive of ${name}()` : undefined;
}

/** @param {Source} source @returns {string[]} */
export function findMissingCss(source) {
  const text = withoutSupports(source.text.replace(/\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, ' ')));
  return MISSING_CSS.flatMap(({ name, pattern }) => {
    const at = text.search(pattern);
    return at === -1 ? [] : [`${source.path}:${lineAt(text, at)}: ${name} is missing in Electron 25`];
  });
}

/** Blanks what stands inside `@supports (…) { … }`: it asks before it uses. @param {string} text */
function withoutSupports(text) {
  const start = text.search(/@supports\b[^{]*\{/);
  if (start === -1) return text;
  let depth = 0;
  let end = text.indexOf('{', start);
  do {
    if (text[end] === '{') depth++;
    if (text[end] === '}') depth--;
    end++;
  } while (depth > 0 && end < text.length);
  const block = text.slice(start, end).replace(/[^\n]/g, ' ');
  return withoutSupports(text.slice(0, start) + block + text.slice(end));
}

/** @param {string} root */
export function missingBuiltinsIn(root) {
  const folders = ['shared', 'preload', 'main', 'renderer'];
  const code = readSources(root, /\.tsx?$/, folders).filter((source) => !isTest(source.path));
  return [...code.flatMap(findMissingBuiltins), ...readSources(root, /\.css$/, folders).flatMap(findMissingCss)];
}
