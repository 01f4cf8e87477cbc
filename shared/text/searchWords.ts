// What counts as a word, for the index, for the query and for marks in a text, so that the three never disagree.
// Writing without spaces between words (Chinese, Japanese, Korean, Thai …) is taken in pairs of characters: any two or more of them are found
// wherever they stand, and one by the pairs that begin with it.

/** 0: between words. 1: part of a word. 2: of a script without spaces. 3: a picture, a word of its own. */
export type CharKind = 0 | 1 | 2 | 3;

export const unspacedScripts = [
  'Han',
  'Hira',
  'Kana',
  'Hang',
  'Bopo',
  'Thai',
  'Lao',
  'Khmr',
  'Mymr',
  'Tibt',
  'Yiii',
  'Java',
  'Bali',
  'Lana',
  'Talu',
  'Tale',
];
const wordChar = /[\p{L}\p{N}\p{M}]/u;
const unspaced = new RegExp(`[${unspacedScripts.map((name) => `\\p{scx=${name}}`).join('')}]`, 'u');
const picture = /\p{Extended_Pictographic}/u;
const pages: (Uint8Array | undefined)[] = [];

function classify(code: number): CharKind {
  // Halves of a pair that have lost their other half.
  if (code >= 0xd800 && code <= 0xdfff) return 0;
  const char = String.fromCodePoint(code);
  if (wordChar.test(char)) return unspaced.test(char) ? 2 : 1;
  return code > 0x7f && picture.test(char) ? 3 : 0;
}

/** The kind of a code point of a folded text. */
export function kindOf(code: number): CharKind {
  let page = pages[code >> 8];
  if (page === undefined) {
    page = Uint8Array.from({ length: 256 }, (_, at) => classify((code & ~0xff) | at));
    pages[code >> 8] = page;
  }
  return page[code & 0xff] as CharKind;
}

/** A stretch of a folded text: a word, a run of a script without spaces, or one picture. */
export type Run = { kind: 1 | 2 | 3; start: number; end: number };

/** The stretches that count, in order. */
export function eachRun(folded: string, found: (kind: 1 | 2 | 3, start: number, end: number) => void): void {
  const length = folded.length;
  let at = 0;
  while (at < length) {
    const code = folded.codePointAt(at) as number;
    const kind = kindOf(code);
    const start = at;
    at += code > 0xffff ? 2 : 1;
    if (kind === 0) continue;
    while (kind !== 3 && at < length) {
      const next = folded.codePointAt(at) as number;
      if (kindOf(next) !== kind) break;
      at += next > 0xffff ? 2 : 1;
    }
    found(kind, start, at);
  }
}

/** Words are indexed up to this length: longer ones are keys, hashes and data, and what is found is compared with the whole text anyway. */
export const longestWord = 48;

/** A word as the index has it. */
export function cutWord(word: string): string {
  if (word.length <= longestWord) return word;
  const cut = word.slice(0, longestWord);
  return /[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut;
}

/** The characters of a run as pairs, and the last one alone: `日本語` gives `日本`, `本語` and `語`. */
export function pairsOf(run: string): string[] {
  const chars = [...run];
  return chars.map((char, at) => char + (chars[at + 1] ?? ''));
}

/** Letters of the beginnings that have an index of their own: of any shorter or longer beginning the index holds few enough words. */
export const startLength = 2;

/** The beginnings of the words of a folded text, each once, with spaces between. */
export function indexStarts(folded: string): string {
  const starts = new Set<string>();
  eachRun(folded, (kind, start, end) => {
    if (kind === 1 && end - start >= startLength) starts.add(folded.slice(start, start + startLength));
  });
  return [...starts].join(' ');
}

/** The tokenizer of the index parts plain text as is done here; only words that are too long must be cut. */
const plain = /^[\0-\x7f]*$/;
const tooLong = new RegExp(`[a-z0-9]{${longestWord + 1}}`);

/** What the index is given for a folded text: its words, with spaces between (the tokenizer `ascii` of FTS5 parts it there and at signs). */
export function indexWords(folded: string): string {
  if (plain.test(folded) && !tooLong.test(folded)) return folded;
  const words: string[] = [];
  eachRun(folded, (kind, start, end) => {
    const run = folded.slice(start, end);
    if (kind === 2) words.push(...pairsOf(run));
    else words.push(cutWord(run));
  });
  return words.join(' ');
}
