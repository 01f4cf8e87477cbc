// Which of the folded messages a line of a card speaks of (M7): by the identifiers they share, and by words that few of the messages have. Pure.
import { identifiersIn } from './identifiers';
import { presentIn } from './presentIn';

export type SourceText<Id extends string> = { id: Id; text: string };

/** Characters looked at: of one message head and tail, and of all of them, the newest first. */
const mostOfOne = 40_000;
const mostOfAll = 4_000_000;
const mostFound = 5;
/** An identifier says more than a word. */
const identifierWeight = 3;
/** And words that stand there as in the line say more than all of them apart. */
const quoteWeight = 4;
const leastQuote = 6;
/** A source has at least this share of what the best one has. */
const leastShare = 0.5;

const word = /[\p{L}\p{N}]{4,}/gu;
const wordsIn = (text: string) => new Set((text.toLowerCase().match(word) ?? []).slice(0, 200_000));

/** Ids in the order of `texts`, which is that of the path; empty where nothing speaks for any. */
export function lineSources<Id extends string>(line: string, texts: readonly SourceText<Id>[]): Id[] {
  const looked = bounded(texts);
  const identifiers = identifiersIn(line);
  const words = wordsIn(line);
  const quote = spacesAsOne(line.replace(/^\s*(?:[-*+>]|\d+[.)])\s+/, '').replace(/^[“"„«]|[”"»]$/g, ''));
  const found = looked.map(({ text }) => ({
    ids: presentIn(identifiers, [text]),
    words: shared(words, text),
    isQuoted: quote.length >= leastQuote && spacesAsOne(text).includes(quote),
  }));
  const idsIn = countIn(found.map(({ ids }) => ids));
  const wordsOf = countIn(found.map((one) => one.words));
  // What nearly every message has tells nothing apart.
  const rarity = (count: number) => Math.log((looked.length + 1) / count);
  const quoted = found.filter(({ isQuoted }) => isQuoted).length;
  const scores = found.map(
    (one) =>
      (one.isQuoted ? quoteWeight * rarity(quoted) : 0) +
      sum(one.ids, (id) => identifierWeight * rarity(idsIn.get(id) ?? 1)) +
      sum(one.words, (each) => rarity(wordsOf.get(each) ?? 1)),
  );
  const best = Math.max(0, ...scores);
  // A word that only half of the messages lack is no trace.
  if (best < Math.log(2)) return looked.length === 1 && best > 0 ? looked.map(({ id }) => id) : [];
  return looked
    .map(({ id }, at) => ({ id, at, score: scores[at] ?? 0 }))
    .filter(({ score }) => score >= best * leastShare)
    .sort((a, b) => b.score - a.score)
    .slice(0, mostFound)
    .sort((a, b) => a.at - b.at)
    .map(({ id }) => id);
}

function spacesAsOne(text: string): string {
  return text.trim().replace(/\s+/g, ' ').toLowerCase();
}

function bounded<Id extends string>(texts: readonly SourceText<Id>[]): SourceText<Id>[] {
  const looked: SourceText<Id>[] = [];
  let left = mostOfAll;
  for (let at = texts.length - 1; at >= 0 && left > 0; at--) {
    const one = texts[at];
    if (!one) continue;
    const text = one.text.length > mostOfOne ? `${one.text.slice(0, mostOfOne / 2)}\n${one.text.slice(-mostOfOne / 2)}` : one.text;
    left -= text.length;
    looked.unshift({ id: one.id, text });
  }
  return looked;
}

function shared(words: ReadonlySet<string>, text: string): Set<string> {
  const there = wordsIn(text);
  return new Set([...words].filter((each) => there.has(each)));
}

function countIn(sets: readonly ReadonlySet<string>[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const set of sets) for (const each of set) counts.set(each, (counts.get(each) ?? 0) + 1);
  return counts;
}

function sum(set: ReadonlySet<string>, weight: (each: string) => number): number {
  let total = 0;
  for (const each of set) total += weight(each);
  return total;
}
