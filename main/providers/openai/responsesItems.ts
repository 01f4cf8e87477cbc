// The items of a Responses answer that are not words: calls put together from their events, and reasoning to send back as it came.
import * as z from 'zod/mini';
import type { ProviderEvent } from '../../../shared/model/request';
import { UniqueCallIds } from '../callIds';
import { readArguments } from '../toolArguments';
import { isReasoningItem } from './responsesInput';

const text = z.catch(z.nullish(z.string()), null);
const callShape = z.object({ type: z.literal('function_call'), call_id: text, name: text, arguments: z.optional(z.unknown()) });

export type ItemEvent = {
  type: string;
  delta?: string | null | undefined;
  arguments?: string | null | undefined;
  output_index?: number | null | undefined;
  item_id?: string | null | undefined;
  item?: unknown;
};

type Call = { index: number; callId: string; name: string; text: string; done: boolean };

export class ResponsesItems {
  readonly #calls = new Map<string, Call>();
  readonly #ids: UniqueCallIds;
  /** What was said whole: id, name and arguments. */
  readonly #said = new Set<string>();
  readonly #reasoning = new Set<string>();
  #orderIsKnown = true;

  constructor(firstNumber: number) {
    this.#ids = new UniqueCallIds([], firstNumber);
  }

  get isEmpty(): boolean {
    return this.#calls.size === 0;
  }

  read(event: ItemEvent): ProviderEvent[] {
    switch (event.type) {
      case 'response.output_item.added':
        return this.#added(event);
      case 'response.function_call_arguments.delta':
        return this.#grow(keyOf(event), event.delta ?? '');
      case 'response.function_call_arguments.done': {
        const call = this.#calls.get(keyOf(event));
        return call && event.arguments?.startsWith(call.text) ? this.#grow(keyOf(event), event.arguments.slice(call.text.length)) : [];
      }
      case 'response.output_item.done':
        return [...this.#itemReasoning(event.item), ...this.#itemCall(event.item, keyOf(event))];
      default:
        return [];
    }
  }

  /** The list of all items follows, after whatever came of them before. */
  startWhole(): void {
    this.#orderIsKnown = this.#said.size === 0;
  }

  /** One item of the whole answer; nothing for one that was said before. */
  whole(item: unknown, outputIndex: number): ProviderEvent[] {
    const reasoning = this.#orderIsKnown ? this.#itemReasoning(item) : [];
    return [...reasoning, ...this.#itemCall(item, `${outputIndex}`)];
  }

  /** Calls whose item never came whole: of servers that leave events out, and of answers that were cut. */
  finish(): ProviderEvent[] {
    return [...this.#calls.values()].flatMap((call) => (call.done ? [] : this.#say(call)));
  }

  #added(event: ItemEvent): ProviderEvent[] {
    const parsed = callShape.safeParse(event.item);
    if (!parsed.success || this.#calls.has(keyOf(event))) return [];
    const { call_id: callId, name } = parsed.data;
    const call = this.#open(keyOf(event), callId ?? '', name ?? '');
    return [{ type: 'toolCallStarted', index: call.index, name: call.name }, ...this.#grow(keyOf(event), textOf(parsed.data.arguments))];
  }

  #open(key: string, callId: string, name: string): Call {
    const call: Call = { index: this.#calls.size, callId, name, text: '', done: false };
    this.#calls.set(key, call);
    return call;
  }

  #grow(key: string, delta: string): ProviderEvent[] {
    const call = this.#calls.get(key);
    if (!call || call.done || delta === '') return [];
    call.text += delta;
    return [{ type: 'toolCallDelta', index: call.index, name: call.name, text: delta }];
  }

  #itemCall(item: unknown, key: string): ProviderEvent[] {
    const parsed = callShape.safeParse(item);
    if (!parsed.success) return [];
    const { call_id: callId, name } = parsed.data;
    const written = textOf(parsed.data.arguments);
    const place = this.#placeOf(callId ?? '', key);
    const known = this.#calls.get(place);
    const call = known && !known.done ? known : null;
    const text = written.trim() === '' && call ? call.text : written;
    if (known?.done && this.#said.has(saidOf(callId ?? '', name ?? '', text))) return [];
    const target = call ?? this.#open(known ? `${place} again ${this.#calls.size}` : place, callId ?? '', name ?? '');
    target.callId ||= callId ?? '';
    target.name ||= name ?? '';
    target.text = text;
    return this.#say(target);
  }

  /** The id finds a call whose place in the list changed; without one only the place is left. */
  #placeOf(callId: string, key: string): string {
    if (callId === '') return key;
    for (const [place, call] of this.#calls) if (call.callId === callId) return place;
    return this.#calls.get(key)?.callId === '' || !this.#calls.has(key) ? key : `${key} ${callId}`;
  }

  #say(call: Call): ProviderEvent[] {
    call.done = true;
    this.#said.add(saidOf(call.callId, call.name, call.text));
    const { text: written, valid } = readArguments(call.text);
    return [{ type: 'toolCall', index: call.index, callId: this.#ids.give(call.callId), name: call.name, arguments: written, valid }];
  }

  #itemReasoning(item: unknown): ProviderEvent[] {
    if (!isReasoningItem(item)) return [];
    const key = item.encrypted_content ?? '';
    if (this.#reasoning.has(key)) return [];
    this.#reasoning.add(key);
    return [{ type: 'vendor', on: 'item', vendor: { family: 'openai', json: JSON.stringify(item) } }];
  }
}

function keyOf({ output_index: index, item_id: id }: ItemEvent): string {
  return index === null || index === undefined ? (id ?? '0') : `${index}`;
}

function saidOf(callId: string, name: string, text: string): string {
  return `${callId}\n${name}\n${text}`;
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : '';
}
