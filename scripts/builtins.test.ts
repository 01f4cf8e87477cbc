// Each built-in that the oldest runtime lacks must be refused where it would be missing, and nothing else.
import { describe, expect, it } from 'vitest';
import { findMissingBuiltins, findMissingCss } from './checks/builtins.mjs';
import * as missing from './checks/missingBuiltins.mjs';

const inMain = (text: string) => findMissingBuiltins({ path: 'main/lib/a.ts', text });
const inRenderer = (text: string) => findMissingBuiltins({ path: 'renderer/a.tsx', text });
const inCss = (text: string) => findMissingCss({ path: 'renderer/a.css', text });

describe('missing built-ins', () => {
  it.each([...missing.MISSING_STATICS])('%s is refused everywhere', (name) => {
    expect(inMain(`export const x = ${name}(y);`)).toHaveLength(1);
    expect(inRenderer(`export const x = ${name}(y);`)).toHaveLength(1);
  });

  it.each([...missing.MISSING_METHODS, ...missing.MISSING_SET_METHODS])('the method %s is refused', (name) => {
    expect(inMain(`export const x = a.${name}(b);`)).toHaveLength(1);
  });

  it.each([...missing.ITERATOR_HELPERS])('the iterator helper %s is refused', (name) => {
    expect(inMain(`export const x = map.values().${name}(f);`)).toHaveLength(1);
    expect(inMain(`export const x = Object.values(map).${name}(f); export const y = [...map.values()].${name}(f);`)).toEqual([]);
  });

  it.each([...missing.MISSING_GLOBALS])('the global %s is refused everywhere', (name) => {
    expect(inMain(`export const x = new ${name}();`)).toHaveLength(1);
    expect(inRenderer(`export const x = new globalThis.${name}();`)).toHaveLength(1);
  });

  it.each([...missing.MISSING_IN_NODE])('the global %s is refused in main, where Node 18 lacks it, and allowed in the window', (name) => {
    expect(inMain(`export const x = ${name}.y;`)).toHaveLength(1);
    expect(inMain(`export const x = globalThis.${name};`)).toHaveLength(1);
    expect(inRenderer(`export const x = ${name}.y;`)).toEqual([]);
  });

  it.each([...missing.MISSING_IN_CHROMIUM, ...missing.MISSING_DOM_METHODS])('%s is refused in the window', (name) => {
    expect(inRenderer(`export const x = ${missing.MISSING_IN_CHROMIUM.has(name) ? name : `document.${name}(a)`};`)).toHaveLength(1);
  });

  it.each(Object.entries(missing.MISSING_IN_NODE_MODULES).flatMap(([module, names]) => names.map((name) => [module, name] as const)))(
    'node:%s without %s is known',
    (module, name) => {
      expect(inMain(`import { ${name} } from 'node:${module}';`)).toHaveLength(1);
      expect(inMain(`import * as m from 'node:${module}'; export const x = m.${name}(y);`)).toHaveLength(1);
    },
  );

  it.each([...missing.MISSING_NODE_MODULES])('the module %s is refused', (name) => {
    expect(inMain(`import x from '${name}';`)).toHaveLength(1);
  });

  it.each([...missing.NOT_RECURSIVE])('the option recursive of %s is refused, which Node 18.15 ignores', (name) => {
    expect(inMain(`export const x = fs.${name}(path, { recursive: true });`)).toHaveLength(1);
    expect(inMain(`export const x = ${name}(path, { withFileTypes: true }); mkdirSync(path, { recursive: true });`)).toEqual([]);
  });

  it('regular expression modifiers and Dirent.parentPath are refused', () => {
    expect(inRenderer('export const x = /(?i:a)b/;')).toHaveLength(1);
    expect(inRenderer('export const x = /(?-i:a)(?ms-i:b)/;')).toHaveLength(1);
    expect(inRenderer('export const x = /(?:a)(?=b)(?<!c)(?<i>d)/v;')).toEqual([]);
    expect(inMain('export const x = entry.parentPath;')).toHaveLength(1);
  });

  it('asking first is allowed', () => {
    expect(inMain("export const x = typeof URL.canParse === 'function' ? 1 : 2;")).toEqual([]);
    expect(inMain('export const x = Promise.withResolvers?.();')).toEqual([]);
    expect(inMain("export const x = typeof WebSocket === 'undefined';")).toEqual([]);
  });

  it('names of our own, of types and of zod are not built-ins', () => {
    expect(inMain("import crypto, { randomUUID } from 'node:crypto'; export const x = crypto.randomBytes(randomUUID().length);")).toEqual(
      [],
    );
    expect(inMain('export function f(navigator: { crypto: number }) { return navigator.crypto; }')).toEqual([]);
    expect(inMain('export type Upload = { file: File; crypto: string }; export const o = { crypto: 1, File: 2 };')).toEqual([]);
    expect(inMain("import * as z from 'zod/mini'; export const s = z.union([z.intersection(a, b)]);")).toEqual([]);
  });

  it('names the file and the line', () => {
    expect(inMain('const a = 1;\nexport const x = Object.groupBy(a, b);')).toEqual([
      'main/lib/a.ts:2: Object.groupBy is missing in Electron 25',
    ]);
  });
});

const CSS_CASES: [string, string][] = [
  ['subgrid', 'a { grid-template-rows: subgrid; }'],
  ['anchor positioning', 'a { anchor-name: --b; }'],
  ['anchor positioning', 'a { top: anchor(bottom); }'],
  ['field-sizing', 'a { field-sizing: content; }'],
  ['scrollbar-color', 'a { scrollbar-color: red blue; }'],
  ['scrollbar-width', 'a { scrollbar-width: thin; }'],
  ['text-wrap: pretty', 'a { text-wrap: pretty; }'],
  ['interpolate-size', 'a { interpolate-size: allow-keywords; }'],
  ['relative colour of a variable', 'a { color: oklch(from var(--b) l c h / 50%); }'],
  ['@starting-style', '@starting-style { a { opacity: 0; } }'],
  ['transition-behavior', 'a { transition: display 1s allow-discrete; }'],
  ['@scope', '@scope (a) { b { color: red; } }'],
  ['scroll-driven animation', 'a { animation-timeline: scroll(); }'],
  [':user-valid', 'a:user-invalid { color: red; }'],
  ['::details-content', 'a::details-content { color: red; }'],
  ['text-box-trim', 'a { text-box: trim-both cap alphabetic; }'],
  ['if()', 'a { color: if(style(--b: 1): red; else: blue); }'],
  ['sibling-index()', 'a { order: sibling-index(); }'],
  ['corner-shape', 'a { corner-shape: squircle; }'],
];

describe('missing CSS', () => {
  it.each(CSS_CASES)('%s is refused in "%s"', (name, text) => {
    expect(inCss(text)).toEqual([`renderer/a.css:1: ${name} is missing in Electron 25`]);
  });

  it('every feature of the list has a case above', () => {
    expect(new Set(CSS_CASES.map(([name]) => name))).toEqual(new Set(missing.MISSING_CSS.map(({ name }) => name)));
  });

  it('what works, what the build lowers, and what is asked for first is allowed', () => {
    expect(
      inCss(
        'a { color: light-dark(red, blue); text-wrap: balance; background: color-mix(in oklch, red, blue); &:has(b) { d: oklch(from red l c h); } }',
      ),
    ).toEqual([]);
    expect(inCss('/* subgrid */ @supports (scrollbar-color: red blue) { a { scrollbar-color: red blue; } }')).toEqual([]);
    expect(inCss('@supports (a: b) { c { d: e; } }\na { field-sizing: content; }')).toEqual([
      'renderer/a.css:2: field-sizing is missing in Electron 25',
    ]);
  });
});
