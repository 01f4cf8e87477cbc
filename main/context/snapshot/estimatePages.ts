// What pages of some messages would cost, without making any (K2): from the characters that would be told. Pure.
import type { PagesReceipt } from '../../../shared/model/memoryRecord';
import type { RequestMessage, RequestPart } from '../../../shared/model/request';
import { type ImageReader, imagePriceOf, imageRuleOf } from '../imagePrice';
import { mostOfText } from './billing';
import { mostOfFacts } from './facts';
import { readableEnds } from './layout';
import { verbatimEnd } from './makePages';
import { type Grid, gridOf, shapeFor } from './shapes';
import { mostOfArguments, mostOfResult } from './text';

export type EstimatedPages = { pages: number; tokens: number };

type More = {
  /** What earlier pages stand for and is printed again before the messages. */
  again?: Pick<PagesReceipt, 'characters' | 'textTokens'> | null;
  /** Pages, where the reader's server takes fewer than its family does. */
  most?: number;
};

/** `textTokens`: what the messages cost as text. Null where pages would not be cheaper, or there is nothing to print. */
export function estimatePages(
  messages: readonly RequestMessage[],
  textTokens: number,
  reader: ImageReader,
  { again = null, most = Number.POSITIVE_INFINITY }: More = {},
): EstimatedPages | null {
  const shape = shapeFor(reader);
  const fresh = messages.reduce((sum, { parts }) => sum + parts.reduce((all, part) => all + told(part), 0), 0);
  const characters = fresh + (again?.characters ?? 0);
  const printed = characters - 2 * verbatimEnd;
  if (!shape || printed <= 0) return null;
  const perCharacter = (textTokens + (again?.textTokens ?? 0)) / characters;
  const price = imagePriceOf({ imageRule: imageRuleOf(reader) });
  const [readable, dense] = [gridOf(shape, shape.readable), gridOf(shape, shape.dense)];
  const held = (grid: Grid) => grid.columns * grid.rows;
  const cost = (characters: number, grid: Grid): EstimatedPages => {
    const pages = Math.ceil(characters / held(grid));
    const lastRows = Math.ceil((characters - (pages - 1) * held(grid)) / grid.columns);
    // The last one is as high as it needs to be, where that is cheaper.
    const last = Math.min(price(shape), price({ width: shape.width, height: lastRows * grid.pitch }));
    return { pages, tokens: (pages - 1) * price(shape) + last };
  };
  const ends = 2 * readableEnds;
  const between = printed - ends * held(readable);
  const layouts = [cost(printed, readable), ...(between > 0 ? [cost(between, dense)] : []), cost(printed, dense)];
  if (between > 0 && layouts[1]) layouts[1] = { pages: ends + layouts[1].pages, tokens: ends * price(shape) + layouts[1].tokens };
  const room = Math.min(shape.pages, most);
  const isCheap = ({ tokens }: EstimatedPages, characters: number) => tokens <= mostOfText * characters * perCharacter;
  const full = { pages: room, tokens: room * price(shape) };
  // Of what is more than all of them hold, the oldest is dropped.
  const cut = room > 0 && isCheap(full, room * held(dense)) ? full : null;
  const isTooMany = layouts.every(({ pages }) => pages > room);
  const found = isTooMany ? cut : layouts.find((one) => one.pages <= room && isCheap(one, printed));
  return found ? { pages: found.pages, tokens: Math.ceil(found.tokens + 2 * verbatimEnd * perCharacter + mostOfFacts) } : null;
}

/** Characters, with the mark before them. */
function told(part: RequestPart): number {
  const mark = 12;
  switch (part.type) {
    case 'text':
      return mark + part.text.length;
    case 'toolCall':
      return mark + part.name.length + Math.min(part.arguments.length, mostOfArguments);
    case 'toolResult':
      return mark + Math.min(part.content.length, mostOfResult);
    case 'image':
      return mark + (part.name?.length ?? 0);
    case 'reasoning':
    case 'vendor':
      return 0;
  }
}
