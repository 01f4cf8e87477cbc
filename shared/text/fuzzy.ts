// How well typed letters fit a title: its words begun, run on or skipped over, as in "newco" or "nc" for "New conversation".
import { foldForSearch, foldWithPlaces } from './foldForSearch';

/** The higher the better; `places` are the characters of the title that fit. */
export type Fit = { score: number; places: number[] };
/** A title made ready: its folded letters, where each comes from, and which begin a word. */
export type Title = { text: string; places: ArrayLike<number> | null; starts: Uint8Array };

const points = { letter: 1, start: 3, runsOn: 4, skipped: -1 };
/** Points a letter must bring on average: letters scattered over a long title fit nothing. */
const least = 3.3;
const longest = 200;
const never = Number.NEGATIVE_INFINITY;

const inWord = /[\p{L}\p{N}]/u;
/** Scripts without spaces begin a word anywhere. */
const unspaced = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}]/u;

export function readyTitle(title: string): Title {
  const { folded, places } = foldWithPlaces(title.slice(0, longest));
  const starts = Uint8Array.from(folded, (letter, at) =>
    at === 0 || !inWord.test(folded.charAt(at - 1)) || unspaced.test(letter) ? 1 : 0,
  );
  return { text: folded, places, starts };
}

export const wordsTyped = (typed: string): string[] => foldForSearch(typed).split(/\s+/).filter(Boolean);

/** Null when the words, in any order, do not all fit. */
export function fitOf(words: readonly string[], title: Title): Fit | null {
  let score = -title.text.length / 100;
  const places: number[] = [];
  for (const word of words) {
    const fit = fitWord(word, title);
    if (fit === null) return null;
    score += fit.score;
    places.push(...fit.places.map((at) => title.places?.[at] ?? at));
  }
  return { score, places: [...new Set(places)].sort((a, b) => a - b) };
}

function fitWord(word: string, title: Title): Fit | null {
  const whole = begun(word, title);
  if (whole >= 0) {
    const score = points.letter * word.length + points.start + points.runsOn * (word.length - 1);
    return { score, places: Array.from(word, (_, at) => whole + at) };
  }
  return isIn(word, title.text) ? bestWay(word, title) : null;
}

/** Where a word of the title begins with it: nothing fits better. */
function begun(word: string, { text, starts }: Title): number {
  let at = text.indexOf(word);
  while (at >= 0 && starts[at] !== 1) at = text.indexOf(word, at + 1);
  return at;
}

/** Whether the letters are there in order at all. */
function isIn(word: string, text: string): boolean {
  let at = -1;
  for (let letter = 0; letter < word.length; letter++) {
    at = text.indexOf(word.charAt(letter), at + 1);
    if (at < 0) return false;
  }
  return true;
}

/** A way to find the letters so far, which ends at `at`. */
type Way = { at: number; score: number; before: Way | null };

function bestWay(word: string, title: Title): Fit | null {
  let ways = firstWays(word.charAt(0), title);
  for (let letter = 1; letter < word.length; letter++) ways = waysOn(ways, word.charAt(letter), title);
  const best = ways.reduce<Way | null>((found, way) => (found === null || way.score > found.score ? way : found), null);
  if (best === null || best.score < least * word.length) return null;
  const places: number[] = [];
  for (let way: Way | null = best; way !== null; way = way.before) places.unshift(way.at);
  return { score: best.score, places };
}

/** What a letter brings that is run on to, and one that is not. */
const pointsOn = (at: number, { starts }: Title) => points.letter + points.runsOn + (starts[at] === 1 ? points.start : 0);
const pointsOver = (at: number, { starts }: Title) => points.letter + (starts[at] === 1 ? points.start : points.skipped);

function firstWays(letter: string, title: Title): Way[] {
  const ways: Way[] = [];
  for (let at = title.text.indexOf(letter); at >= 0; at = title.text.indexOf(letter, at + 1)) {
    ways.push({ at, score: pointsOver(at, title), before: null });
  }
  return ways;
}

/** Each place of the letter, by the best way to it: from the place before it, or over a gap. Places rise. */
function waysOn(ways: readonly Way[], letter: string, title: Title): Way[] {
  const next: Way[] = [];
  let gapped: Way | null = null;
  let from = 0;
  for (let at = title.text.indexOf(letter); at >= 0; at = title.text.indexOf(letter, at + 1)) {
    for (let way = ways[from]; way && way.at < at - 1; way = ways[++from]) if (gapped === null || way.score > gapped.score) gapped = way;
    const way = wayTo(at, title, ways[from], gapped);
    if (way) next.push(way);
  }
  return next;
}

function wayTo(at: number, title: Title, beside: Way | undefined, gapped: Way | null): Way | null {
  const on = beside?.at === at - 1 ? { at, score: beside.score + pointsOn(at, title), before: beside } : null;
  const over = gapped ? { at, score: gapped.score + pointsOver(at, title), before: gapped } : null;
  return (on?.score ?? never) >= (over?.score ?? never) ? on : over;
}
