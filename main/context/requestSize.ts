// What the parts of a request cost, by estimate (L7). Pure; what was counted once for a built message is not counted again.
import type { ModelRequest, RequestMessage, RequestPart } from '../../shared/model/request';
import { estimateTokens } from '../../shared/text/estimateTokens';
import type { ImagePrice } from './imagePrice';
import { imageTokens, messageOverhead } from './measureContext';
import { mostTokens } from './mostTokens';
import type { BuiltMessage } from './pathMessage';

type Priced = Pick<BuiltMessage, 'messages'> & Partial<Pick<BuiltMessage, 'price'>>;
type Count = (text: string) => number;
type Size = { sent: number; reasoning: number };
type Sizes = { most: Map<ImagePrice, Size>; estimate: Map<ImagePrice, Size>; exact?: Size };
/** Where nobody says who reads it. */
const flatPrice: ImagePrice = () => imageTokens;
const sizes = new WeakMap<readonly RequestMessage[], Sizes>();

/**
 * Reasoning counts only where it is sent back. Opaque data does not: providers bill it in their own way, and an estimate must not cry wolf.
 * `price` of the model that reads the images, when it is not the one the message was built for.
 */
export function builtTokens(built: Priced, withReasoning: boolean, price: ImagePrice = built.price ?? flatPrice): number {
  const { sent, reasoning } = sizeOf(built, 'estimate', price);
  return sent + (withReasoning ? reasoning : 0);
}

/** No estimate is above this; far quicker. */
export function mostBuiltTokens(built: Priced, price: ImagePrice = built.price ?? flatPrice): number {
  const { sent, reasoning } = sizeOf(built, 'most', price);
  return sent + reasoning;
}

const counters: Record<'most' | 'estimate', Count> = { most: mostTokens, estimate: estimateTokens };

function sizeOf(built: Pick<BuiltMessage, 'messages'>, kind: 'most' | 'estimate', price: ImagePrice): Size {
  const sizes = sizesOf(built);
  const known = sizes[kind];
  const size =
    known.get(price) ??
    (kind === 'estimate' && sizes.exact ? withImages(sizes.exact, built, price) : count(built.messages, counters[kind], price));
  known.set(price, size);
  return size;
}

function withImages(exact: Size, { messages }: Pick<BuiltMessage, 'messages'>, price: ImagePrice): Size {
  const images = messages.reduce(
    (sum, { parts }) => sum + parts.reduce((all, part) => all + (part.type === 'reasoning' ? 0 : partTokens(part, () => 0, price)), 0),
    0,
  );
  return { sent: exact.sent + images, reasoning: exact.reasoning };
}

function sizesOf({ messages }: Pick<BuiltMessage, 'messages'>): Sizes {
  let known = sizes.get(messages);
  if (!known) {
    known = { most: new Map(), estimate: new Map() };
    sizes.set(messages, known);
  }
  return known;
}

/** The texts of a message that a tokenizer counts, and whether it was done. Images are priced, not counted. */
export function textsToCount(built: Pick<BuiltMessage, 'messages'>): { sent: string[]; reasoning: string[]; isDone: boolean } {
  const texts = { sent: [] as string[], reasoning: [] as string[], isDone: sizesOf(built).exact !== undefined };
  const note = (text: string) => {
    texts.sent.push(text);
    return 0;
  };
  for (const { parts } of texts.isDone ? [] : built.messages)
    for (const part of parts) {
      if (part.type === 'reasoning') texts.reasoning.push(part.text);
      else partTokens(part, note, () => 0);
    }
  return texts;
}

/** From now on the message weighs what a tokenizer counted, not what was estimated (N10). */
export function noteExact(built: Pick<BuiltMessage, 'messages'>, exact: { sent: number; reasoning: number }): void {
  const known = sizesOf(built);
  known.exact = { sent: exact.sent + built.messages.length * messageOverhead, reasoning: exact.reasoning };
  known.estimate.clear();
}

/** System prompt and tools: what every request of this agent holds. */
export function fixedTokens({ system, tools }: Pick<ModelRequest, 'system' | 'tools'>): number {
  return estimateTokens(system) + (tools ? estimateTokens(JSON.stringify(tools)) : 0);
}

function count(messages: readonly RequestMessage[], tokensOf: Count, price: ImagePrice): Size {
  const size: Size = { sent: 0, reasoning: 0 };
  for (const { parts } of messages) {
    size.sent += messageOverhead;
    for (const part of parts) {
      if (part.type === 'reasoning') size.reasoning += tokensOf(part.text);
      else size.sent += partTokens(part, tokensOf, price);
    }
  }
  return size;
}

function partTokens(part: Exclude<RequestPart, { type: 'reasoning' }>, tokensOf: Count, price: ImagePrice): number {
  switch (part.type) {
    case 'text':
      return tokensOf(part.text);
    case 'image':
      return price(part);
    case 'toolCall':
      return tokensOf(part.name) + tokensOf(part.arguments);
    case 'toolResult':
      return (part.images ?? []).reduce((sum, image) => sum + price(image), tokensOf(part.content));
    case 'vendor':
      return 0;
  }
}
