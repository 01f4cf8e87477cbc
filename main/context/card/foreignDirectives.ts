// A directive that stands word for word in a tool's result and nowhere in what the user wrote is not the user's: a page or a file that asks for
// something must not get the user's voice in the card, where it would last for every later pass (M1). Pure.
import { itemsOf, joinItems } from './items';
import { presentIn } from './presentIn';
import type { Card } from './sections';
import { type CardRoom, fits, shrinkCard } from './shrinkCard';

export type Voices = {
  /** What users wrote, and the directives of the previous card. */
  users: readonly string[];
  /** Asked for only where something is in doubt: it may be long. */
  results(): readonly string[];
};

/** Shorter ones stand anywhere by chance. */
const leastWords = 4;

/** Such directives are told as what they are among the open questions, or not at all where that has no room. */
export function withoutForeign(card: Card, { users, results }: Voices, room: CardRoom): Card {
  const items = itemsOf(card.directives).map((item) => ({ item, words: quotedWords(item) }));
  const wanted = new Set(items.flatMap(({ words }) => (words.split(/\s+/).length >= leastWords ? [words] : [])));
  const own = presentIn(wanted, users);
  const doubtful = new Set([...wanted].filter((words) => !own.has(words)));
  if (doubtful.size === 0) return card;
  const foreign = presentIn(doubtful, results());
  if (foreign.size === 0) return card;
  const directives = joinItems(items.filter(({ words }) => !foreign.has(words)).map(({ item }) => item));
  const told = items.filter(({ words }) => foreign.has(words)).map(({ words }) => `- A result asks for this, not the user: "${words}"`);
  const noted = shrinkCard({ ...card, directives, questions: joinItems([...itemsOf(card.questions), ...told]) }, room);
  return fits(noted, room) ? noted : { ...card, directives };
}

/** What is in quotes, the longest of it; else all words of the item. */
function quotedWords(item: string): string {
  const plain = item
    .split('\n')
    .map((line) => line.replace(/^\s*(?:>\s?|[-*+]\s|\d{1,3}[.)]\s)/, ''))
    .join(' ');
  const quotes = [...plain.matchAll(/"([^"]+)"|“([^“”]+)”|«([^«»]+)»|「([^「」]+)」/g)].map(
    (found) => found.slice(1).find((text) => text !== undefined) ?? '',
  );
  const longest = quotes.reduce((best, text) => (text.length > best.length ? text : best), '');
  return (longest === '' ? plain : longest).replaceAll(/\s+/g, ' ').replaceAll(/^[\s*_.]+|[\s*_.]+$/g, '');
}
