// How well typed letters fit a title: its words begun, run on or skipped over, as in "newco" or "nc" for "New conversation".
import { foldForSearch, foldWithPlaces } from './foldForSearch';

/** The higher the better; `places` are the characters of the title that fit. */
export type Fit = { score: number; places: number[] };

const points = { letter: 1, start: 3, runsOn: 4, skipped: -1 };
/** Points a letter must bring on average: letters scattered over a long title fit nothing. */
const least = 3.3;
const longest = 200;
const never = Number.NEGATIVE_INFINITY;

/** Null when the words typed, in any order, do not all fit. */
export function fitOf(typed: string, title: string): Fit | null {
  const { folded, places } = foldWithPlaces(title.slice(0, longest));
  const words = foldForSearch(typed).split(/\s+/).filter(Boolean);
  const found = words.map((word) => fitWord(word, folded));
  if (found.some((fit) => fit === null)) return null;
  const all = found.flatMap((fit) => fit?.places ?? []).map((at) => places?.[at] ?? at);
  const score = found.reduce((sum, fit) => sum + (fit?.score ?? 0), 0);
  return { score: score - folded.length / 100, places: [...new Set(all)].sort((a, b) => a - b) };
}

/** Scripts without spaces begin a word anywhere. */
const unspaced = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}]/u;
function startsWord(text: string, at: number): boolean {
  return at === 0 || !/[\p{L}\p{N}]/u.test(text.charAt(at - 1)) || unspaced.test(text.charAt(at));
}

/** The best way to find the letters in order. `scores[at]`: the best with the letters so far that ends at `at`. */
function fitWord(word: string, text: string): Fit | null {
  const ways: Int16Array[] = [];
  let scores: number[] = [];
  for (let letter = 0; letter < word.length; letter++) {
    const next: number[] = new Array(text.length).fill(never);
    const from = new Int16Array(text.length).fill(-1);
    let best = -1;
    const before = scores;
    const scoreAt = (at: number) => before[at] ?? never;
    for (let at = 0; at < text.length; at++) {
      // The best place before the one just before this.
      if (letter > 0 && at >= 2 && (best < 0 || scoreAt(at - 2) > scoreAt(best))) best = at - 2;
      if (text[at] !== word[letter]) continue;
      const starts = startsWord(text, at);
      const own = points.letter + (starts ? points.start : 0);
      if (letter === 0) next[at] = own + (starts ? 0 : points.skipped);
      else {
        const on = scoreAt(at - 1) + points.runsOn;
        const over = scoreAt(best) + (starts ? 0 : points.skipped);
        next[at] = own + Math.max(on, over);
        from[at] = on >= over ? at - 1 : best;
      }
    }
    ways.push(from);
    scores = next;
  }
  const score = Math.max(...scores, never);
  if (score < least * word.length) return null;
  const places: number[] = [];
  for (let at = scores.indexOf(score), letter = word.length - 1; letter >= 0; letter--) {
    places.unshift(at);
    at = ways[letter]?.[at] ?? 0;
  }
  return { score, places };
}
