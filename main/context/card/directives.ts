// The user's directives in a card: quoted verbatim, and kept over passes whatever a model makes of them (M1). Pure.
import { type Message, textOf } from '../../../shared/model/message';
import { estimateTokens } from '../../../shared/text/estimateTokens';
import { quoted } from '../digest/frame';
import { itemsOf, joinItems } from './items';
import type { Card } from './sections';
import { type CardRoom, fits, shrinkCard } from './shrinkCard';

/** How much of a card a text takes, in tokens or bytes, whichever is more. */
export function shareOf(text: string, { tokens, bytes }: CardRoom): number {
  return Math.max(estimateTokens(text) / Math.max(1, tokens), Buffer.byteLength(text) / bytes);
}

/** A text as a quote that takes at most `share` of a card: head and tail of a long one; empty where not even that has room. */
export function quoteWithin(text: string, share: number, room: CardRoom): string {
  // Longer texts have more than one token for five characters.
  const start = Math.min(text.length, room.bytes, Math.max(20, Math.ceil(share * room.tokens * 5)));
  for (let most = start; most >= 20 || most === text.length; most = Math.floor(most * 0.8)) {
    const quote = quoted(text, most)
      .map((line) => (line.startsWith('|') ? `>${line.slice(1)}` : `> ${line}`))
      .join('\n');
    if (quote === '' || shareOf(quote, room) <= share) return quote;
  }
  return '';
}

/** The words of an item, without the marks of list and quote. */
function wordsOf(item: string): string {
  return item
    .split('\n')
    .map((line) => line.replace(/^\s*(?:>\s?|[-*+]\s|\d{1,3}[.)]\s)/, ''))
    .join('\n');
}

/** To be compared: marks around words and breaks of lines do not count. */
function coreOf(item: string): string {
  return wordsOf(item)
    .replaceAll(/[\s>]+/g, ' ')
    .replaceAll(/^[\s"“”„«»*_`.]+|[\s"“”„«»*_`.]+$/g, '');
}

const notQuoted = /^- \((\d+) requests? (?:is|are) not quoted here\.\)$/;
function unquoted(count: number): string {
  return count === 1 ? '- (1 request is not quoted here.)' : `- (${count} requests are not quoted here.)`;
}

/** What users wrote, oldest first. */
export function requestsOf(messages: readonly Message[]): string[] {
  return messages.filter(({ role }) => role === 'user').flatMap((message) => (/\S/.test(textOf(message)) ? [textOf(message)] : []));
}

/** Of one directive, at most, as a share of those chosen. */
const most = { first: 0.5, newest: 0.4, other: 0.25 };

/**
 * The directives of an earlier card and new requests, as many as fit `share` of a card: the first and the newest before all, then earlier ones
 * from the oldest and new ones from the newest in turn. How many have no room is said.
 */
export function chooseDirectives(previous: string, requests: readonly string[], share: number, room: CardRoom): string {
  const earlier = itemsOf(previous);
  const old = earlier.filter((item) => !notQuoted.test(item));
  let missing = earlier.reduce((sum, item) => sum + Number(notQuoted.exec(item)?.[1] ?? 0), 0);
  const told = [...old.map((item) => ({ item, words: wordsOf(item) })), ...requests.map((words) => ({ item: '', words }))];
  const chosen = new Map<number, string>();
  const cores = new Set<string>();
  let left = share - shareOf(unquoted(999), room);
  for (const at of inTurn(old.length, told.length)) {
    const { item = '', words = '' } = told[at] ?? {};
    const core = coreOf(words.slice(0, room.bytes * 2));
    if (cores.has(core)) continue;
    cores.add(core);
    const part = at === 0 ? most.first : at === told.length - 1 ? most.newest : most.other;
    const limit = Math.min(left, part * share);
    const text = limit < 0.005 ? '' : item !== '' && shareOf(item, room) <= limit ? item : quoteWithin(words, limit, room);
    if (text === '') missing++;
    else {
      chosen.set(at, text);
      left -= shareOf(`${text}\n\n`, room);
    }
  }
  const lines = [...chosen].sort(([a], [b]) => a - b).map(([, text]) => text);
  return joinItems(missing === 0 ? lines : [...lines.slice(0, 1), unquoted(missing), ...lines.slice(1)]);
}

/** 0, the last, then from both ends of what lies between. */
function inTurn(old: number, all: number): number[] {
  const order = new Set<number>();
  if (all > 0) order.add(0).add(all - 1);
  for (let step = 0; step < all; step++) {
    if (step < old) order.add(step);
    if (all - 1 - step >= old) order.add(all - 1 - step);
  }
  return [...order];
}

/** Share of a card that requests which a model did not quote may fill. */
const mostPutBack = 0.4;

/**
 * Puts back what a model's card lost: directives of the previous card, and `requests` of which it quoted nothing; the first one before all. They
 * stand in the order they were said in, so that a later word is seen to be the later one. Other sections give way for them by rule; what has no room even then stays out.
 */
export function keepDirectives(previous: Card | null, card: Card, room: CardRoom, requests: readonly string[] = []): Card {
  const items = previous === null ? [] : itemsOf(previous.directives);
  const has = coreOf(card.directives);
  const quotes = itemsOf(card.directives).map(coreOf);
  const lost = items.filter((item) => !notQuoted.test(item) && !has.includes(coreOf(item)));
  let kept = card;
  const put = (item: string, before: readonly string[]) => {
    if (item === '') return;
    const next = shrinkCard({ ...kept, directives: withItem(itemsOf(kept.directives), item, before) }, room);
    if (fits(next, room)) kept = next;
  };
  const [first, ...rest] = lost;
  for (const item of [...(first === undefined ? [] : [first]), ...rest.reverse()]) put(item, items.slice(0, items.indexOf(item)));
  const earlier = [...items];
  let unheard = 0;
  for (const text of requests) {
    const words = coreOf(text);
    const heard = has.includes(words) ? [text] : quotes.filter((quote) => quote.length >= 6 && words.includes(quote));
    earlier.push(...heard);
    if (heard.length > 0) continue;
    // The one that begins it all has its room; the others share what a card has for them.
    if (unheard > 0 && shareOf(kept.directives, room) > mostPutBack) break;
    const quote = quoteWithin(text, unheard === 0 ? 0.25 : 0.1, room);
    put(quote, earlier);
    earlier.push(quote);
    unheard++;
  }
  return kept;
}

/** In its old place: after the nearest of those that stood before it. */
function withItem(items: readonly string[], item: string, before: readonly string[]): string {
  const cores = before.map(coreOf).filter((core) => core !== '');
  const at = items.map(coreOf).findLastIndex((one) => cores.some((core) => one.includes(core)));
  return joinItems([...items.slice(0, at + 1), item, ...items.slice(at + 1)]);
}
