// What a person types into the search box: words that must all be found, the last of each begun, and phrases in quotes. A term is both a phrase
// for the index, which finds all that may hold it, and a pattern for the text, which tells those that do.
import { foldForSearch } from './foldForSearch';
import { cutWord, eachRun, pairsOf, type Run, startLength, unspacedScripts } from './searchWords';

export type Term = {
  /** A phrase of the index in FTS5's words; null when nothing of the term is indexed (it is all signs). */
  phrase: string | null;
  /** Two letters that begin many words: a phrase of the index of beginnings, which finds what the large one would be slow to find. */
  start?: string | undefined;
  /** Finds the term in a folded text; flags `gu`. */
  pattern: RegExp;
};

const letter = '[\\p{L}\\p{N}\\p{M}]';
const unspaced = `[${unspacedScripts.map((name) => `\\p{scx=${name}}`).join('')}]`;
const inWord = `(?!${unspaced})${letter}`;
const inUnspaced = `(?=${unspaced})${letter}`;
/** Bounded, so that no text can make a pattern slow. */
const between = '[^\\p{L}\\p{N}\\p{M}\\p{Extended_Pictographic}]{0,64}';
const mostTerms = 16;

const literally = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/-]/gu, (sign) => `\\${sign === '-' ? 'x2d' : sign}`);
/** Signs in order, whatever spaces lie between them. */
const signs = (text: string) => [...text.replace(/\s+/gu, '')].map(literally).join('\\s*');

/** Between two words: any signs, but those that were typed must be among them. */
function gap(text: string): string {
  const typed = signs(text);
  return typed === '' ? between : `${between}?${typed}${between}?`;
}

function runsOf(folded: string): Run[] {
  const runs: Run[] = [];
  eachRun(folded, (kind, start, end) => runs.push({ kind, start, end }));
  return runs;
}

/** A word of one letter is meant as it stands; from two letters on it may go on. */
const isBegun = (word: string) => [...word].length > 1;

/** A word of a term: what finds it in a text, and what in the index. `star`: the last of `tokens` may go on. */
type Piece = { source: string; tokens: string[]; star: boolean };

/** `ends`: nothing follows in the term. `open`: the term's last word may go on. */
function makePiece(kind: Run['kind'], word: string, at: { first: boolean; ends: boolean; open: boolean }): Piece {
  if (kind === 3) return { source: literally(word), tokens: [word], star: false };
  if (kind === 1) {
    const star = at.ends && at.open && isBegun(word);
    return { source: `(?<!${inWord})${word}${star ? '' : `(?!${inWord})`}`, tokens: [cutWord(word)], star };
  }
  const pairs = pairsOf(word);
  // A run begins where the text before it ends; the first of a term may stand anywhere, and the last may go on.
  const source = `${at.first ? '' : `(?<!${inUnspaced})`}${word}${at.ends ? '' : `(?!${inUnspaced})`}`;
  return { source, tokens: at.ends && pairs.length > 1 ? pairs.slice(0, -1) : pairs, star: at.ends && pairs.length === 1 };
}

function makeTerm(folded: string, open: boolean): Term {
  const runs = runsOf(folded);
  const last = runs.at(-1);
  if (last === undefined) return { phrase: null, pattern: new RegExp(signs(folded), 'gu') };
  const after = signs(folded.slice(last.end));
  const tokens: string[] = [];
  let source = '';
  let star = false;
  let from = 0;
  for (const run of runs) {
    const before = folded.slice(from, run.start);
    const first = from === 0;
    const piece = makePiece(run.kind, folded.slice(run.start, run.end), { first, ends: run === last && after === '', open });
    source += (first ? leading(before) : gap(before)) + piece.source;
    tokens.push(...piece.tokens);
    star = piece.star;
    from = run.end;
  }
  if (after !== '') source += `${between}?${after}`;
  const [only = ''] = tokens;
  const start = star && tokens.length === 1 && last.kind === 1 && only.length === startLength ? { start: `"${only}"` } : {};
  return { phrase: `"${tokens.join(' ')}"${star ? ' *' : ''}`, ...start, pattern: new RegExp(source, 'gu') };
}

function leading(text: string): string {
  const typed = signs(text);
  return typed === '' ? '' : `${typed}${between}?`;
}

/** The terms of a query, each of which must be found; none when nothing was typed. */
export function parseQuery(query: string): Term[] {
  const folded = foldForSearch(query);
  const terms: Term[] = [];
  // Odd parts lie between quotes; the last one may not be closed yet.
  const parts = folded.split('"');
  parts.forEach((part, at) => {
    const quoted = at % 2 === 1;
    const closed = at < parts.length - 1;
    if (quoted) {
      if (part.trim() !== '') terms.push(makeTerm(part.trim(), !closed));
      return;
    }
    for (const word of part.split(/\s+/u)) if (word !== '') terms.push(makeTerm(word, true));
  });
  return terms.slice(0, mostTerms);
}

/** Whether every term is found in one of the folded texts. */
export function holdsAll(terms: readonly Term[], texts: readonly string[]): boolean {
  return terms.every(({ pattern }) =>
    texts.some((text) => {
      pattern.lastIndex = 0;
      return pattern.test(text);
    }),
  );
}

/** Where the terms stand in a folded text: [start, end), in order, none over another; at most `most`. */
export function placesOf(terms: readonly Term[], folded: string, most = 1000): [number, number][] {
  const found: [number, number][] = [];
  for (const { pattern } of terms) {
    pattern.lastIndex = 0;
    for (let count = 0; count < most; count++) {
      const match = pattern.exec(folded);
      if (match === null) break;
      if (match[0] === '') pattern.lastIndex++;
      else found.push([match.index, match.index + match[0].length]);
    }
  }
  found.sort((a, b) => a[0] - b[0] || b[1] - a[1]);
  const places: [number, number][] = [];
  for (const place of found) if (place[0] >= (places.at(-1)?.[1] ?? 0)) places.push(place);
  return places.slice(0, most);
}

/** The text as it was typed, anywhere, also inside a word: what is looked for in one conversation. Null when nothing was typed. */
export function literalTerm(query: string): Term | null {
  const folded = foldForSearch(query).trim();
  if (folded === '') return null;
  // Between two words there may be marks of Markdown, which nobody sees.
  const source = folded.split(/\s+/u).map(literally).join('[\\s*_~`]+');
  return { phrase: null, pattern: new RegExp(source, 'gu') };
}
