// What the parts of a request cost, by estimate (L7). Pure; what was counted once for a built message is not counted again.
import type { ModelRequest, RequestMessage, RequestPart } from '../../shared/model/request';
import { estimateTokens, mostTokens } from './estimateTokens';
import { imageTokens, messageOverhead } from './measureContext';
import type { BuiltMessage } from './pathMessage';

type Count = (text: string) => number;
type Size = { sent: number; reasoning: number };
type Sizes = { most?: Size; estimate?: Size };
const sizes = new WeakMap<readonly RequestMessage[], Sizes>();

/** Reasoning counts only where it is sent back. Opaque data does not: providers bill it in their own way, and an estimate must not cry wolf. */
export function builtTokens(built: Pick<BuiltMessage, 'messages'>, withReasoning: boolean): number {
  const known = sizesOf(built);
  known.estimate ??= count(built.messages, estimateTokens);
  return known.estimate.sent + (withReasoning ? known.estimate.reasoning : 0);
}

/** No estimate is above this; far quicker. */
export function mostBuiltTokens(built: Pick<BuiltMessage, 'messages'>): number {
  const known = sizesOf(built);
  known.most ??= count(built.messages, mostTokens);
  return known.most.sent + known.most.reasoning;
}

function sizesOf({ messages }: Pick<BuiltMessage, 'messages'>): Sizes {
  let known = sizes.get(messages);
  if (!known) {
    known = {};
    sizes.set(messages, known);
  }
  return known;
}

/** System prompt and tools: what every request of this agent holds. */
export function fixedTokens({ system, tools }: Pick<ModelRequest, 'system' | 'tools'>): number {
  return estimateTokens(system) + (tools ? estimateTokens(JSON.stringify(tools)) : 0);
}

function count(messages: readonly RequestMessage[], tokensOf: Count): Size {
  const size: Size = { sent: 0, reasoning: 0 };
  for (const { parts } of messages) {
    size.sent += messageOverhead;
    for (const part of parts) {
      if (part.type === 'reasoning') size.reasoning += tokensOf(part.text);
      else size.sent += partTokens(part, tokensOf);
    }
  }
  return size;
}

function partTokens(part: Exclude<RequestPart, { type: 'reasoning' }>, tokensOf: Count): number {
  switch (part.type) {
    case 'text':
      return tokensOf(part.text);
    case 'image':
      return imageTokens;
    case 'toolCall':
      return tokensOf(part.name) + tokensOf(part.arguments);
    case 'toolResult':
      return tokensOf(part.content) + imageTokens * (part.images?.length ?? 0);
    case 'vendor':
      return 0;
  }
}
