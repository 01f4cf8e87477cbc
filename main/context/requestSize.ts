// What the parts of a request cost, by estimate (L7). Pure; what was counted once for a built message is not counted again.
import type { ModelRequest, RequestMessage, RequestPart } from '../../shared/model/request';
import { estimateTokens, mostTokens } from './estimateTokens';
import { imageTokens, messageOverhead } from './measureContext';
import type { BuiltMessage } from './pathMessage';

type Count = (text: string) => number;
type Size = { sent: number; reasoning: number };
const sizes = new WeakMap<readonly RequestMessage[], Size>();

/** Reasoning counts only where it is sent back. Opaque data does not: providers bill it in their own way, and an estimate must not cry wolf. */
export function builtTokens(built: Pick<BuiltMessage, 'messages'>, withReasoning: boolean): number {
  let size = sizes.get(built.messages);
  if (!size) {
    size = count(built.messages, estimateTokens);
    sizes.set(built.messages, size);
  }
  return size.sent + (withReasoning ? size.reasoning : 0);
}

/** System prompt and tools: what every request of this agent holds. */
export function fixedTokens({ system, tools }: Pick<ModelRequest, 'system' | 'tools'>): number {
  return estimateTokens(system) + (tools ? estimateTokens(JSON.stringify(tools)) : 0);
}

/** No estimate of the request is above this; quick. */
export function mostRequestTokens(request: ModelRequest): number {
  const { sent, reasoning } = count(request.messages, mostTokens);
  return sent + reasoning + fixedTokens(request);
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
