// Reads the events of the Responses API, and a whole response where a server does not stream, into events (P3).
import * as z from 'zod/mini';
import { FailureError } from '../../../shared/model/failure';
import type { ProviderEvent } from '../../../shared/model/request';
import { endOf } from '../ending';
import { failureFromProblem } from '../errors';
import type { Redact } from '../redact';
import { readUsage } from '../usage';
import { ResponsesItems } from './responsesItems';

const text = z.catch(z.nullish(z.string()), null);
const index = z.catch(z.nullish(z.number()), null);
const part = z.object({ type: text, text, refusal: text });
const parts = z.catch(z.nullish(z.array(part)), null);
const item = z.object({ type: text, content: parts, summary: parts });
const response = z.object({
  status: text,
  error: z.optional(z.unknown()),
  incomplete_details: z.catch(z.nullish(z.object({ reason: text })), null),
  output: z.catch(z.nullish(z.array(z.unknown())), null),
  usage: z.optional(z.unknown()),
});
const eventShape = z.object({
  type: text,
  delta: text,
  output_index: index,
  summary_index: index,
  content_index: index,
  text,
  object: text,
  response: z.optional(z.unknown()),
  item_id: text,
  arguments: text,
  item: z.optional(z.unknown()),
});

export class ResponsesReader {
  #sawText = false;
  #sawReasoning = false;
  #refused = false;
  /** Parts of a text that came whole, as `output.content`. */
  readonly #parts = new Set<string>();
  #outputIndex: number | null = null;
  #summaryIndex: string | null = null;
  #word: string | null = null;
  readonly #redact: Redact;
  readonly #items: ResponsesItems | null;

  /** `calls` as of nextCallNumber; null when the request carries no tools: then a call is no part of the answer. */
  constructor(redact: Redact, calls: number | null) {
    this.#redact = redact;
    this.#items = calls === null ? null : new ResponsesItems(calls);
  }

  /** Throws FailureError for a response that failed. */
  read(event: unknown): ProviderEvent[] {
    const parsed = eventShape.safeParse(event);
    if (!parsed.success) return [];
    const { type, object } = parsed.data;
    const delta = parsed.data.delta ?? '';
    const output = parsed.data.output_index ?? 0;
    if (object === 'response') return this.#whole(event);
    switch (type) {
      case 'response.output_text.delta':
        return this.#text(delta, output);
      case 'response.refusal.delta':
        this.#refused = true;
        return this.#text(delta, output);
      case 'response.output_text.done':
        return this.#part(parsed.data.text ?? '', output, parsed.data.content_index ?? 0);
      case 'response.reasoning_summary_text.delta':
        return this.#reasoning(delta, 'summary', `${output}.${parsed.data.summary_index ?? 0}`);
      case 'response.reasoning_text.delta':
        return this.#reasoning(delta, 'reasoning_text', `${output}`);
      case 'response.completed':
      case 'response.incomplete':
      case 'response.failed':
        return this.#whole(parsed.data.response);
      default:
        return this.#items?.read({ ...parsed.data, type: type ?? '' }) ?? [];
    }
  }

  end(): ProviderEvent[] {
    const word = this.#refused && this.#word === 'completed' ? 'refusal' : this.#word;
    const sawCalls = this.#items !== null && !this.#items.isEmpty;
    const ending = endOf({ sawText: this.#sawText, sawReasoning: this.#sawReasoning, sawCalls, word, marked: false });
    return [...(ending.type === 'done' ? (this.#items?.finish() ?? []) : []), ending];
  }

  /** The response as it stands at the end; its output counts only where no delta said it before. */
  #whole(value: unknown): ProviderEvent[] {
    const parsed = response.safeParse(value);
    if (!parsed.success) return [];
    const { status, error, incomplete_details: incomplete, output, usage } = parsed.data;
    const events = this.#output(output ?? [], !this.#sawText && !this.#sawReasoning);
    const counted = readUsage(usage);
    if (counted) events.push({ type: 'usage', usage: counted });
    if (status === 'failed' || status === 'cancelled') {
      throw new FailureError(
        failureFromProblem({ text: JSON.stringify({ error: error ?? { message: `response ${status}` } }), hasKey: true }, this.#redact),
      );
    }
    this.#word = incomplete?.reason ?? status ?? 'completed';
    return events;
  }

  #output(items: unknown[], withText: boolean): ProviderEvent[] {
    this.#items?.startWhole();
    return items.flatMap((value, outputIndex) => {
      const parsed = item.safeParse(value);
      if (!parsed.success) return [];
      const events = withText ? this.#words(parsed.data, outputIndex) : [];
      return [...events, ...(this.#items?.whole(value, outputIndex) ?? [])];
    });
  }

  #words({ type, content, summary }: z.infer<typeof item>, outputIndex: number): ProviderEvent[] {
    if (type === 'reasoning')
      return [...(summary ?? []), ...(content ?? [])].flatMap((piece, at) =>
        this.#reasoning(piece.text ?? '', 'summary', `${outputIndex}.${at}`),
      );
    return (content ?? []).flatMap((piece) => {
      if (piece.refusal) this.#refused = true;
      return this.#text(piece.text ?? piece.refusal ?? '', outputIndex);
    });
  }

  /** A part of a text that comes whole: of a server that sends no deltas. Where one came, their places need not agree. */
  #part(text: string, output: number, content: number): ProviderEvent[] {
    const place = `${output}.${content}`;
    if (this.#parts.has(place) || (this.#sawText && this.#parts.size === 0)) return [];
    this.#parts.add(place);
    return this.#text(text, output);
  }

  #text(delta: string, outputIndex: number): ProviderEvent[] {
    if (delta === '') return [];
    const apart = this.#outputIndex !== null && this.#outputIndex !== outputIndex;
    this.#outputIndex = outputIndex;
    this.#sawText = true;
    return [{ type: 'text', text: apart ? `\n\n${delta}` : delta }];
  }

  #reasoning(delta: string, source: string, place: string): ProviderEvent[] {
    if (delta === '') return [];
    const apart = this.#summaryIndex !== null && this.#summaryIndex !== place;
    this.#summaryIndex = place;
    this.#sawReasoning = true;
    return [{ type: 'reasoning', text: apart ? `\n\n${delta}` : delta, source }];
  }
}
