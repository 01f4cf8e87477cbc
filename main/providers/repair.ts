// P6: the last look at the exact list that is sent: calls with their results, no empty parts, roles in an order that every provider takes.
import type { RequestMessage, RequestPart } from '../../shared/model/request';
import { pairCalls } from './pairCalls';

const opening = 'The conversation starts with an earlier answer:';
const goOn = 'Go on exactly where the last answer broke off.';

/**
 * Pure and idempotent. Each call is followed by its result (pairCalls); empty parts and messages without anything to read go, neighbours
 * of one role become one message, the list starts with the user and ends with the user or a result: user (assistant tool?)* user…, and
 * messages of the system where they stand, for those who take them (placeSystem).
 * Nothing with content is dropped or reordered but results without a call (a picture in an answer is named); an empty list stays empty.
 */
export function repairMessages(messages: readonly RequestMessage[]): RequestMessage[] {
  const repaired: RequestMessage[] = [];
  for (const message of pairCalls(messages)) {
    const parts = message.parts.filter(isFull).map((part) => sayable(part, message.role));
    if (!parts.some((part) => part.type !== 'reasoning' && part.type !== 'vendor')) continue;
    const last = repaired.at(-1);
    if (last?.role === message.role) last.parts.push(...parts);
    else repaired.push({ role: message.role, parts });
  }
  if (repaired[0]?.role === 'assistant') repaired.unshift(userSays(opening));
  if (repaired.at(-1)?.role === 'assistant') repaired.push(userSays(goOn));
  return repaired;
}

/** The text of a message's parts, joined as paragraphs. */
export function joinText(parts: readonly RequestPart[]): string {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n');
}

function isFull(part: RequestPart): boolean {
  return (part.type !== 'text' && part.type !== 'reasoning') || part.text.trim() !== '';
}

/** No dialect takes a picture in an answer. */
function sayable(part: RequestPart, role: RequestMessage['role']): RequestPart {
  return part.type === 'image' && role === 'assistant'
    ? { type: 'text', text: `[The answer showed the image “${part.name}” here.]` }
    : part;
}

function userSays(text: string): RequestMessage {
  return { role: 'user', parts: [{ type: 'text', text }] };
}
