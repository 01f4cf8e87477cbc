// Where two texts differ, word by word (T13). Pure and bounded: texts that differ in too much are compared by lines, giants not at all.
import { diffArrays } from 'diff';

/** Text that both have, or what stands in its place on either side. */
export type Piece = string | { left: string; right: string };
export type Difference = { unit: 'words' | 'lines'; pieces: readonly Piece[] } | 'tooLong';

/** Characters of both texts up to which words, and lines, are compared. */
const wordsUpTo = 400_000;
const linesUpTo = 4_000_000;
/** Words or lines in which they may differ: the time grows with the square of it. */
const mostEdits = 3_000;

export function differenceOf(left: string, right: string): Difference {
  if (left === right) return { unit: 'words', pieces: left === '' ? [] : [left] };
  const length = left.length + right.length;
  if (length > linesUpTo) return 'tooLong';
  const words = length > wordsUpTo ? null : compare(wordsOf(left), wordsOf(right));
  if (words) return { unit: 'words', pieces: calm(words) };
  const lines = compare(linesOf(left), linesOf(right));
  return lines ? { unit: 'lines', pieces: lines } : 'tooLong';
}

export const countChanges = (difference: Difference): number =>
  difference === 'tooLong' ? 1 : difference.pieces.filter((piece) => typeof piece !== 'string').length;

/** Letters, spaces and signs whose words spaces part: Latin and general punctuation. All else asks the segmenter, which is slower. */
const plain = /^[\0-\u02ff\u2010-\u2027\u2030-\u205e\u20ac]*$/;
const plainToken = /[\p{L}\p{N}_]+|[^\S\n]+|[\s\S]/gu;
let segmenter: Intl.Segmenter | undefined;

/** Every character of the text is in one of them. */
export function wordsOf(text: string): string[] {
  if (plain.test(text)) return text.match(plainToken) ?? [];
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'word' });
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

const linesOf = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

/** Null when they differ in more than is looked at. */
function compare(left: string[], right: string[]): Piece[] | null {
  const [from, to] = [equalAtStart(left, right), equalAtEnd(left, right)];
  const end = Math.min(to, left.length - from, right.length - from);
  const inner = diffArrays(left.slice(from, left.length - end), right.slice(from, right.length - end), { maxEditLength: mostEdits });
  if (!inner) return null;
  const pieces: Piece[] = [];
  addSame(pieces, left.slice(0, from).join(''));
  for (const { value, added, removed } of inner) {
    const text = value.join('');
    if (added) addChange(pieces, '', text);
    else if (removed) addChange(pieces, text, '');
    else addSame(pieces, text);
  }
  addSame(pieces, left.slice(left.length - end).join(''));
  return pieces;
}

function equalAtStart(left: readonly string[], right: readonly string[]): number {
  let at = 0;
  while (at < left.length && at < right.length && left[at] === right[at]) at++;
  return at;
}
function equalAtEnd(left: readonly string[], right: readonly string[]): number {
  let back = 0;
  while (back < left.length && back < right.length && left[left.length - 1 - back] === right[right.length - 1 - back]) back++;
  return back;
}

function addSame(pieces: Piece[], text: string): void {
  const last = pieces.at(-1);
  if (text === '') return;
  if (typeof last === 'string') pieces[pieces.length - 1] = last + text;
  else pieces.push(text);
}
function addChange(pieces: Piece[], left: string, right: string): void {
  const last = pieces.at(-1);
  if (last === undefined || typeof last === 'string') pieces.push({ left, right });
  else pieces[pieces.length - 1] = { left: last.left + left, right: last.right + right };
}

/** A few equal words between longer changes are chance: they make the marks harder to read, so they count as changed. */
function calm(pieces: readonly Piece[]): Piece[] {
  const calmed: Piece[] = [];
  for (const piece of pieces) {
    calmed.push(piece);
    while (absorbLast(calmed));
  }
  return trimmed(calmed);
}

function absorbLast(pieces: Piece[]): boolean {
  const [before, between, after] = pieces.slice(-3);
  if (typeof between !== 'string' || typeof before !== 'object' || typeof after !== 'object') return false;
  if (!isChance(between, sizeOf(before), sizeOf(after))) return false;
  const merged = { left: before.left + between + after.left, right: before.right + between + after.right };
  pieces.splice(-3, 3, merged);
  return true;
}

/** Space that ends what changed on both sides is no part of the change. */
function trimmed(pieces: readonly Piece[]): Piece[] {
  const all: Piece[] = [];
  for (const piece of pieces) {
    if (typeof piece === 'string') {
      addSame(all, piece);
      continue;
    }
    const space = sameSpaceAtEnd(piece);
    addChange(all, piece.left.slice(0, piece.left.length - space), piece.right.slice(0, piece.right.length - space));
    addSame(all, piece.left.slice(piece.left.length - space));
  }
  return all;
}
function sameSpaceAtEnd({ left, right }: { left: string; right: string }): number {
  let count = 0;
  const at = (text: string) => text[text.length - 1 - count];
  while (at(left) === at(right) && /\s/.test(at(left) ?? '')) count++;
  return count;
}

const sizeOf = ({ left, right }: { left: string; right: string }): number => Math.max(left.length, right.length);
const hasWord = /[\p{L}\p{N}]/u;
function isChance(text: string, before: number, after: number): boolean {
  // A line break is where the eye rests.
  if (text.includes('\n')) return false;
  const weight = hasWord.test(text) ? text.length * 2 : text.length;
  return weight <= before && weight <= after;
}
