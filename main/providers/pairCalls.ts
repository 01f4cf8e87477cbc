// P6: each call with exactly one result, right behind it. Cuts, branches, crashes and broken arguments leave lists that no provider takes.
import type { RequestMessage, RequestPart, ToolCallRequestPart, ToolResultRequestPart } from '../../shared/model/request';
import { nextCallNumber, UniqueCallIds } from './callIds';
import { readArguments } from './toolArguments';

/** What a call without a result gets (X9). */
export const cancelledResult = 'cancelled; it may have run';
/** What a call with broken arguments gets; the arguments themselves go back as `{}`. */
export const brokenArgumentsResult =
  'The arguments of this call were not a JSON object, so it was not run. Write them again as one JSON object.';
const noOutput = '(no output)';

type Pair = { at: number; call: ToolCallRequestPart; result: ToolResultRequestPart | null };

/**
 * Pure and idempotent. Results go into one `tool` message behind the assistant message of their calls, in the order of the calls;
 * results without a call go, calls without a result get one, ids are unique. All other parts stay where they are.
 */
export function pairCalls(messages: readonly RequestMessage[]): RequestMessage[] {
  const pairs = match(messages);
  const ids = new UniqueCallIds(
    pairs.flat().map(({ call }) => call.callId),
    nextCallNumber(messages),
  );
  return messages.flatMap((message, at): RequestMessage[] => {
    const waiting = [...(pairs[at] ?? [])];
    const results: ToolResultRequestPart[] = [];
    const parts = message.parts.flatMap((part): RequestPart[] => {
      if (part.type !== 'toolCall' && part.type !== 'toolResult') return [part];
      const pair = part.type === 'toolCall' ? waiting.shift() : undefined;
      if (!pair) return [];
      const { call, result } = settle(pair, ids.give(pair.call.callId));
      results.push(result);
      return [call];
    });
    if (results.length > 0)
      return [
        { role: 'assistant', parts },
        { role: 'tool', parts: results },
      ];
    return [{ role: message.role === 'tool' ? 'user' : message.role, parts }];
  });
}

/** The calls of each message. A result belongs to the last message before it that holds an open call of its id, there to the first such call. */
function match(messages: readonly RequestMessage[]): Pair[][] {
  const open = new Map<string, Pair[]>();
  const pairs: Pair[][] = [];
  messages.forEach((message, at) => {
    const own: Pair[] = [];
    pairs.push(own);
    for (const part of message.parts) {
      if (part.type === 'toolCall' && message.role === 'assistant') {
        const pair: Pair = { at, call: part, result: null };
        own.push(pair);
        open.set(part.callId, [...(open.get(part.callId) ?? []), pair]);
      } else if (part.type === 'toolResult') {
        const waiting = open.get(part.callId) ?? [];
        const found = waiting.find((pair) => pair.at === waiting.at(-1)?.at);
        if (!found) continue;
        found.result = part;
        open.set(
          part.callId,
          waiting.filter((pair) => pair !== found),
        );
      }
    }
  });
  return pairs;
}

function settle({ call, result }: Pair, callId: string): { call: ToolCallRequestPart; result: ToolResultRequestPart } {
  const { text, valid } = readArguments(call.arguments);
  const name = sendableName(call.name);
  const made = { content: valid ? cancelledResult : brokenArgumentsResult, isError: true };
  const found = result ? { content: result.content.trim() === '' ? noOutput : result.content, isError: result.isError } : made;
  return {
    call: { ...call, callId, name, arguments: valid ? text : '{}' },
    result: { type: 'toolResult', callId, name, ...found, ...(result?.images?.length ? { images: result.images } : {}) },
  };
}

/** Models make up names; providers refuse a request that repeats one they would not take as a tool's. */
function sendableName(name: string): string {
  const cleaned = name
    .trim()
    .replace(/[^\w-]/g, '_')
    .slice(0, 64);
  return cleaned === '' ? 'unknown' : cleaned;
}
