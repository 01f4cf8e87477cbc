// Every word the window shows is in the English files, and nothing in them is left over.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { failureCodes } from '../shared/model/failure';
import { words } from './i18n';

const root = join(import.meta.dirname, '..');
const locales = join(root, 'assets/locales');
const folder = join(locales, 'en');

/** Files of main: it names its words itself, checked by the compiler. */
const ofMain = new Set(['menu', 'contextMenu']);

function filesUnder(path: string, pattern: RegExp): string[] {
  return readdirSync(join(root, path), { recursive: true, encoding: 'utf8' })
    .filter((name) => pattern.test(name) && !/\.test\.tsx?$/.test(name))
    .map((name) => join(root, path, name));
}

function flat(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return [path];
  return Object.entries(value).flatMap(([key, inner]) => flat(inner, path ? `${path}.${key}` : key));
}

const plural = /_(zero|one|two|few|many|other)$/;
const areas = new Map(
  readdirSync(folder)
    .map((name) => name.replace('.json', ''))
    .filter((area) => !ofMain.has(area))
    .map((area): [string, string[]] => [area, flat(JSON.parse(readFileSync(join(folder, `${area}.json`), 'utf8')))]),
);

type Use = { file: string; area: string; key: string; pattern: RegExp };

/** The first argument of a call, from the bracket on. */
function firstArgument(text: string, from: number): string {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const character = text[at]!;
    if ('([{'.includes(character)) depth++;
    if (')]}'.includes(character)) depth--;
    if (depth === 0 || (depth === 1 && character === ',')) return text.slice(from + 1, at);
  }
  return '';
}

const any = '*';
function usesIn(file: string): Use[] {
  const text = readFileSync(file, 'utf8');
  const declared = [...text.matchAll(/useTranslation\('(\w+)'\)/g)].map((match) => ({ at: match.index, area: match[1]! }));
  const uses: Use[] = [];
  for (const call of text.matchAll(/(?<![\w.])t\(/g)) {
    // Where `t` is handed in, any area may be meant.
    const area = declared.findLast((known) => known.at < call.index)?.area ?? declared[0]?.area ?? any;
    // A literal that is compared with is a condition, not a key.
    const argument = firstArgument(text, call.index + 1).replace(/[!=]== '[^']*'/g, '');
    for (const literal of argument.matchAll(/'([\w.:]+)'|`([^`]+)`/g)) {
      const written = literal[1] ?? literal[2]!;
      const [key, named] = written.split(':').reverse() as [string, string | undefined];
      const source = key.split(/\$\{[^}]*\}/).map((part) => part.replace(/\./g, '\\.'));
      uses.push({
        file: file.slice(root.length + 1),
        area: named ?? area,
        key: written,
        pattern: new RegExp(`^${source.join('[\\w-]+')}$`),
      });
    }
  }
  return uses;
}

const uses = filesUnder('renderer', /\.tsx?$/).flatMap(usesIn);
const bare = (key: string) => key.replace(plural, '');
const means = (use: Use, area: string, key: string) =>
  (use.area === area || use.area === any) && (use.pattern.test(bare(key)) || use.pattern.test(key));
const exists = (use: Use) => [...areas].some(([area, keys]) => keys.some((key) => means(use, area, key)));

/** Codes of notices that main sends, or the window itself; they are shown by these keys. */
function noticeCodes(): string[] {
  const written = /code: '(\w+)',[^;]{0,120}?tone:|\bnotice(?::| =) '(\w+)'/g;
  return [...filesUnder('main', /\.ts$/), ...filesUnder('renderer/state', /\.ts$/)].flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(written)].map((match) => (match[1] ?? match[2])!),
  );
}

describe('words', () => {
  it('U1: the scan sees the views', () => {
    expect(uses.length).toBeGreaterThan(100);
    expect(areas.size).toBeGreaterThan(8);
  });

  it('U1: every key that a view uses exists in English', () => {
    const missing = uses.filter((use) => !exists(use));
    expect(missing.map((use) => `${use.area}:${use.key} (${use.file})`)).toEqual([]);
  });

  it('U1: every key in English is used', () => {
    const codes = new Set(noticeCodes());
    const left = [...areas].flatMap(([area, keys]) =>
      keys
        .filter((key) => !uses.some((use) => means(use, area, key)))
        .filter((key) => !(area === 'notice' && codes.has(bare(key))))
        .map((key) => `${area}:${key}`),
    );
    expect(left).toEqual([]);
  });

  it('U6: every failure code and every notice of main has its words', () => {
    const failures = areas.get('failure') ?? [];
    expect(failureCodes.flatMap((code) => [`${code}.title`, `${code}.next`]).filter((key) => !failures.includes(key))).toEqual([]);
    const notices = (areas.get('notice') ?? []).map(bare);
    expect([...new Set(noticeCodes())].filter((code) => !notices.includes(code))).toEqual([]);
  });

  it('U1: English uses sentence case, no exclamation marks and no apologies', () => {
    const texts = [...areas.keys()].flatMap((area) =>
      Object.values(flatTexts(JSON.parse(readFileSync(join(folder, `${area}.json`), 'utf8')))),
    );
    expect(texts.filter((text) => /!|\bsorry\b|\bplease\b|\boops\b/i.test(text))).toEqual([]);
  });
});

function flatTexts(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(flatTexts) : [];
}

type Texts = Map<string, string>;

function textsOf(language: string, area: string): Texts {
  const add = (value: unknown, path: string): [string, string][] =>
    typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([key, inner]) => add(inner, path ? `${path}.${key}` : key))
      : [[path, String(value)]];
  return new Map(add(JSON.parse(readFileSync(join(locales, language, `${area}.json`), 'utf8')), ''));
}

/** Every form that the language has, and those that stand for one number alone: these may do without the number. */
function pluralFormsOf(language: string): { forms: string[]; ofOneNumber: Set<string> } {
  const rules = new Intl.PluralRules(language);
  const numbers = Array.from({ length: 200 }, (_, number) => rules.select(number));
  const forms = rules.resolvedOptions().pluralCategories;
  return { forms, ofOneNumber: new Set(forms.filter((form) => numbers.filter((each) => each === form).length === 1)) };
}

/** Placeholders, nested texts and tags. */
const slotsOf = (text: string) => [...new Set(text.match(/\{\{[^}]*\}\}|\$t\([^)]*\)|<\/?\w+\s*\/?>/g) ?? [])].sort();

function faultsOf(language: string, area: string): string[] {
  const english = textsOf('en', area);
  const texts = textsOf(language, area);
  const { forms, ofOneNumber } = pluralFormsOf(language);
  const counted = new Set([...english.keys()].filter((key) => plural.test(key)).map(bare));
  const wanted = [...new Set([...english.keys()].map(bare))].flatMap((base): { key: string; form: string | null; base: string }[] =>
    counted.has(base) ? forms.map((form) => ({ key: `${base}_${form}`, form, base })) : [{ key: base, form: null, base }],
  );
  const known = new Set(wanted.map(({ key }) => key));
  const wrong = wanted.flatMap(({ key, form, base }) => {
    const text = texts.get(key);
    if (text === undefined) return [`${key} is missing`];
    if (text.trim() === '') return [`${key} is empty`];
    const slots = slotsOf(text);
    const full = slotsOf(english.get(form === null ? key : `${base}_other`) ?? '');
    const single = slotsOf(english.get(`${base}_one`) ?? '');
    const isMeant = slots.join() === full.join();
    const mayDiffer = form !== null && ofOneNumber.has(form) && slots.every((slot) => full.includes(slot) || single.includes(slot));
    return isMeant || mayDiffer ? [] : [`${key} has ${slots.join(' ')} for ${full.join(' ')}`];
  });
  const left = [...texts.keys()].filter((key) => !known.has(key)).map((key) => `${key} is not in English`);
  return [...wrong, ...left].map((fault) => `${language}/${area}: ${fault}`);
}

describe('numbers', () => {
  it('U1: a count is written as its language writes numbers', () => {
    const bare = readdirSync(locales).flatMap((language) =>
      readdirSync(join(locales, language)).filter((name) => readFileSync(join(locales, language, name), 'utf8').includes('{{count}}')),
    );
    expect(bare).toEqual([]);
    expect(words.t('fork:messages', { count: 12_345 })).toBe('12,345 messages');
  });
});

describe('other languages', () => {
  const areasOf = (language: string) => readdirSync(join(locales, language)).map((name) => name.replace('.json', ''));
  const others = readdirSync(locales).filter((language) => language !== 'en');

  it.each(others)('U1: %s names areas that English has, in files of its own', (language) => {
    const known = areasOf('en');
    expect(areasOf(language).filter((area) => !known.includes(area))).toEqual([]);
    expect(Intl.PluralRules.supportedLocalesOf(language)).toEqual([language]);
  });

  it.each(others)('U1: %s has the keys of English with its own plural forms, the same placeholders and no empty text', (language) => {
    const known = areasOf('en');
    expect(
      areasOf(language)
        .filter((area) => known.includes(area))
        .flatMap((area) => faultsOf(language, area)),
    ).toEqual([]);
  });

  // The demo reads its orders in English.
  it.each(others)('U8: %s leaves the orders for the demo as they are', (language) => {
    const orders = (from: Texts) => [...from].filter(([key]) => /^starters\.(everything|think|stop|fail)\.prompt$/.test(key));
    if (areasOf(language).includes('talk')) expect(orders(textsOf(language, 'talk'))).toEqual(orders(textsOf('en', 'talk')));
  });
});
