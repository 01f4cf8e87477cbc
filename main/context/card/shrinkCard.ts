// A card that is somewhat too large is made smaller by rule (M1): Completed first, then Decisions; never Task, directives or Next step. Pure.
import { cardLimits } from '../../../shared/model/compaction';
import { estimateTokens } from '../../../shared/text/estimateTokens';
import { itemsOf, joinItems } from './items';
import { type Card, type NamedPart, renderCard } from './sections';

export type CardRoom = { tokens: number; bytes: number };
type Shrinking = Exclude<keyof Card, 'task' | 'directives' | 'next'>;

/** `cardTokens` as it is in force for the window (L21). */
export function cardRoom(cardTokens: number): CardRoom {
  return { tokens: Math.min(cardTokens, cardLimits.most), bytes: cardLimits.mostBytes };
}

export function fits(card: Card, { tokens, bytes }: CardRoom): boolean {
  const text = renderCard(card);
  return Buffer.byteLength(text) <= bytes && estimateTokens(text) <= tokens;
}

/** In the order in which they give way. */
export const byRule: readonly Shrinking[] = ['completed', 'decisions'];
/** Where no model can be asked to choose. */
export const byNeed: readonly Shrinking[] = [...byRule, 'questions', 'files', 'verified', 'current'];

/** As small as it takes and no smaller, or as small as these sections can be: whether that fits is to be looked at. */
export function shrinkCard(card: Card, room: CardRoom, sections: readonly Shrinking[] = byRule): Card {
  let shrunk = card;
  for (const key of sections) {
    if (fits(shrunk, room)) return shrunk;
    const content = shrunk[key];
    const { steps, at } = typeof content === 'string' ? textSteps(content, key === 'files') : partSteps(content);
    const before = shrunk;
    const after = (step: number): Card => ({ ...before, [key]: at(step) });
    shrunk = after(firstThat(steps, (step) => fits(after(step), room)));
  }
  return shrunk;
}

/** How a section gets smaller, step by step; at the last nothing is left of it. */
type Steps<T> = { steps: number; at(step: number): T };

/** The first step from 1 to `steps` that will do, else the last. */
function firstThat(steps: number, willDo: (step: number) => boolean): number {
  let [low, high] = [Math.min(1, steps), steps];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (willDo(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

const olderItems = '- (Older ones are left out.)';
const olderParts: NamedPart = { name: 'Older tasks', text: 'Left out for room.' };

/** One item less at each step. Files have the last touched first. */
function textSteps(text: string, fromEnd: boolean): Steps<string> {
  const items = itemsOf(text).filter((item) => item !== olderItems);
  const at = (step: number) => {
    if (step >= items.length) return '';
    return joinItems(fromEnd ? [...items.slice(0, items.length - step), olderItems] : [olderItems, ...items.slice(step)]);
  };
  return { steps: Math.max(items.length, text === '' ? 0 : 1), at };
}

/** The oldest is told in its first line, until all are; then the oldest is left out. */
function partSteps(parts: readonly NamedPart[]): Steps<NamedPart[]> {
  const named = parts.filter(({ name, text }) => name !== olderParts.name || text !== olderParts.text);
  const hadOlder = named.length < parts.length;
  const told = named.flatMap((part) => (part.name === '' ? itemsOf(part.text).map((text) => ({ name: '', text })) : [part]));
  const at = (step: number) => {
    if (step >= told.length * 2) return [];
    const dropped = Math.max(0, step - told.length);
    const left = told.slice(dropped).map((part, nth) => (nth + dropped < step ? inShort(part) : part));
    return withOlder(left, hadOlder || dropped > 0);
  };
  return { steps: Math.max(told.length * 2, Math.min(1, parts.length)), at };
}

function inShort({ name, text }: NamedPart): NamedPart {
  const line = text.split('\n')[0] ?? '';
  return { name, text: /^\s*(?:```|~~~)/.test(line) ? '' : line };
}

/** What has no name comes first, as one. */
function withOlder(parts: readonly NamedPart[], isLess: boolean): NamedPart[] {
  const unnamed = joinItems(parts.filter(({ name, text }) => name === '' && text !== '').map(({ text }) => text));
  const rest = [...(isLess ? [olderParts] : []), ...parts.filter(({ name }) => name !== '')];
  return unnamed === '' ? rest : [{ name: '', text: unnamed }, ...rest];
}
