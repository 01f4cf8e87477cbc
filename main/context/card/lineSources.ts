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

/** What a text shares with a line. */
export type Trace<Id extends string> = { id: Id; ids: ReadonlySet<string>; words: ReadonlySet<string>; isQuoted: boolean };

/** The look at one text; texts may be looked at over several turns of the event loop. */
export function tracer<Id extends string>(line: string): (one: SourceText<Id>) => Trace<Id> {
  const identifiers = identifiersIn(line);
  const words = wordsIn(line);
  const quote = spacesAsOne(line.replace(/^\s*(?:[-*+>]|\d+[.)])\s+/, '').replace(/^[“"„«]|[”"»]$/g, ''));
  return ({ id, text }) => ({
    id,
    ids: presentIn(identifiers, [text]),
    words: shared(words, text),
    isQuoted: quote.length >= leastQuote && spacesAsOne(text).includes(quote),
  });
}

/** Ids in the order of the traces, which is that of the path; empty where nothing speaks for any. */
export function strongest<Id extends string>(traces: readonly Trace<Id>[]): Id[] {
  const idsIn = countIn(traces.map(({ ids }) => ids));
  const wordsOf = countIn(traces.map(({ words }) => words));
  const quoted = traces.filter(({ isQuoted }) => isQuoted).length;
  // What nearly every message has tells nothing apart.
  const rarity = (count: number) => Math.log((traces.length + 1) / count);
  const scored = traces.map(({ id, ids, words, isQuoted }, at) => ({
    id,
    at,
    score:
      (isQuoted ? quoteWeight * rarity(quoted) : 0) +
      sum(ids, (each) => identifierWeight * rarity(idsIn.get(each) ?? 1)) +
      sum(words, (each) => rarity(wordsOf.get(each) ?? 1)),
  }));
  const best = scored.reduce((most, { score }) => Math.max(most, score), 0);
  // A word that only half of the messages lack is no trace.
  if (best < (traces.length === 1 ? Number.MIN_VALUE : Math.log(2))) return [];
  return scored
    .filter(({ score }) => score >= best * leastShare)
    .sort((a, b) => b.score - a.score)
    .slice(0, mostFound)
    .sort((a, b) => a.at - b.at)
    .map(({ id }) => id);
}

function spacesAsOne(text: string): string {
  return text.trim().replace(/\s+/g, ' ').toLowerCase();
}

/** Those that are looked at, in their order, long ones cut to head and tail. */
export function boundedTexts<Id extends string>(texts: readonly SourceText<Id>[]): SourceText<Id>[] {
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
