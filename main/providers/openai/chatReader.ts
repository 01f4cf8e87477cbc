// Reads the chunks of a chat completion, whichever server wrote them, into events (P3).
import * as z from 'zod/mini';
import type { ProviderEvent } from '../../../shared/model/request';
import { CallAssembler } from '../callAssembler';
import { endOf } from '../ending';
import { type Piece, ThinkSplitter } from '../thinkTags';
import { readUsage } from '../usage';
import { callDeltas } from './chatCalls';
import { ReasoningDetails } from './reasoningDetails';

const unknownRecord = z.record(z.string(), z.unknown());
const text = z.catch(z.nullish(z.string()), null);
const messageShape = z.object({
  content: z.optional(z.unknown()),
  reasoning_content: text,
  reasoning: z.optional(z.unknown()),
  reasoning_details: z.catch(z.nullish(z.array(unknownRecord)), null),
  refusal: text,
  tool_calls: z.optional(z.unknown()),
  function_call: z.optional(z.unknown()),
});
const choiceShape = z.object({
  index: z.catch(z.nullish(z.number()), null),
  delta: z.catch(z.nullish(messageShape), null),
  message: z.catch(z.nullish(messageShape), null),
  text,
  finish_reason: text,
  native_finish_reason: text,
});
const chunkShape = z.object({
  choices: z.catch(z.nullish(z.array(choiceShape)), null),
  usage: z.optional(z.unknown()),
  timings: z.optional(z.unknown()),
});

export class ChatReader {
  readonly #thinking = new ThinkSplitter();
  readonly #calls: CallAssembler | null;
  readonly #details = new ReasoningDetails();
  readonly #modelId: string;
  #sawText = false;
  #sawReasoning = false;
  #finish: string | null = null;
  #refused = false;

  /** `calls` as of nextCallNumber; null when the request carries no tools: then a call is no part of the answer. */
  constructor(calls: number | null, modelId: string) {
    this.#modelId = modelId;
    this.#calls = calls === null ? null : new CallAssembler(calls);
  }

  /** Events of one chunk; anything that is no chunk has none. */
  read(chunk: unknown): ProviderEvent[] {
    const parsed = chunkShape.safeParse(chunk);
    if (!parsed.success) return [];
    const { choices, usage, timings } = parsed.data;
    const events: ProviderEvent[] = [];
    for (const choice of choices ?? []) if ((choice.index ?? 0) === 0) events.push(...this.#choice(choice));
    const counted = readUsage(usage) ?? (timings ? readUsage({ timings }) : null);
    if (counted) events.push({ type: 'usage', usage: counted });
    return events;
  }

  /** What was held back, then the end. `marked` as in Heard. */
  end(marked: boolean): ProviderEvent[] {
    const events = this.#pieces(this.#thinking.flush(), 'think');
    const word = this.#refused && (this.#finish === null || this.#finish === 'stop') ? 'refusal' : this.#finish;
    const sawCalls = this.#calls !== null && !this.#calls.isEmpty;
    const ending = endOf({ sawText: this.#sawText, sawReasoning: this.#sawReasoning, sawCalls, word, marked });
    const details = ending.type === 'done' ? this.#details.data(this.#modelId) : null;
    if (details) events.push({ type: 'vendor', on: 'item', vendor: details });
    if (ending.type === 'done' && this.#calls) events.push(...this.#calls.finish());
    return [...events, ending];
  }

  #choice(choice: z.infer<typeof choiceShape>): ProviderEvent[] {
    if (choice.finish_reason) this.#finish = choice.finish_reason;
    // Some servers repeat the whole text so far as `message` beside each delta; only the delta is new.
    const source = choice.delta ?? choice.message;
    const events: ProviderEvent[] = [];
    if (source) {
      this.#details.push(source.reasoning_details ?? []);
      const thought = reasoningOf(source);
      if (thought) events.push(...this.#reasoning(thought.text, thought.source));
      for (const part of contentOf(source.content)) {
        events.push(
          ...(part.type === 'reasoning' ? this.#reasoning(part.text, 'thinking') : this.#pieces(this.#thinking.push(part.text), 'think')),
        );
      }
      if (source.refusal) {
        this.#refused = true;
        events.push(...this.#text(source.refusal));
      }
      if (this.#calls) events.push(...this.#calls.push(callDeltas(source.tool_calls, source.function_call)));
    } else if (choice.text) events.push(...this.#pieces(this.#thinking.push(choice.text), 'think'));
    return events;
  }

  #pieces(pieces: Piece[], source: string): ProviderEvent[] {
    return pieces.flatMap((piece) => (piece.type === 'text' ? this.#text(piece.text) : this.#reasoning(piece.text, source)));
  }

  #text(delta: string): ProviderEvent[] {
    if (delta === '') return [];
    if (delta.trim() !== '') this.#sawText = true;
    return [{ type: 'text', text: delta }];
  }

  #reasoning(delta: string, source: string): ProviderEvent[] {
    if (delta === '') return [];
    this.#sawReasoning = true;
    return [{ type: 'reasoning', text: delta, source }];
  }
}

/** The first field that holds anything: gateways repeat the same words under several names. */
function reasoningOf(message: z.infer<typeof messageShape>): { text: string; source: string } | null {
  if (message.reasoning_content) return { text: message.reasoning_content, source: 'reasoning_content' };
  if (typeof message.reasoning === 'string' && message.reasoning) return { text: message.reasoning, source: 'reasoning' };
  const details = (message.reasoning_details ?? []).map((detail) => firstString(detail['text'], detail['summary'])).join('');
  return details ? { text: details, source: 'reasoning_details' } : null;
}

/** Content is a string, or a list of text and thinking parts (Mistral). */
function contentOf(content: unknown): Piece[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  if (!Array.isArray(content)) return [];
  return content.flatMap((part: unknown): Piece[] => {
    const parsed = unknownRecord.safeParse(part);
    if (!parsed.success) return [];
    const { type, thinking } = parsed.data;
    if (type !== 'thinking') return [{ type: 'text', text: firstString(parsed.data['text']) }];
    return typeof thinking === 'string'
      ? [{ type: 'reasoning', text: thinking }]
      : contentOf(thinking).map((piece) => ({ ...piece, type: 'reasoning' }));
  });
}

function firstString(...values: unknown[]): string {
  return values.find((value): value is string => typeof value === 'string') ?? '';
}
