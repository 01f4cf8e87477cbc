// Reads the chunks of a Gemini stream into events (P3): thought parts, blocks, and the many ways of saying nothing under 200.
import * as z from 'zod/mini';
import { makeFailure } from '../../../shared/model/failure';
import type { ProviderEvent } from '../../../shared/model/request';
import { UniqueCallIds } from '../callIds';
import { endOf } from '../ending';
import { signatureData } from '../signatures';
import { readArguments } from '../toolArguments';
import { readUsage } from '../usage';

const text = z.catch(z.nullish(z.string()), null);
const call = z.object({ id: text, name: text, args: z.optional(z.unknown()) });
const part = z.object({
  text,
  thought: z.catch(z.nullish(z.boolean()), null),
  thoughtSignature: text,
  functionCall: z.catch(z.nullish(call), null),
});
const candidate = z.object({
  content: z.catch(z.nullish(z.object({ parts: z.catch(z.nullish(z.array(part)), null) })), null),
  finishReason: text,
});
const chunkShape = z.object({
  candidates: z.catch(z.nullish(z.array(candidate)), null),
  promptFeedback: z.catch(z.nullish(z.object({ blockReason: text, blockReasonMessage: text })), null),
  usageMetadata: z.optional(z.unknown()),
});

export class GeminiReader {
  #sawText = false;
  #sawReasoning = false;
  #finish: string | null = null;
  #blocked: string | null = null;
  #calls = 0;
  readonly #ids: UniqueCallIds | null;

  /** `calls` as of nextCallNumber; null when the request carries no tools: then a call is no part of the answer. */
  constructor(calls: number | null) {
    this.#ids = calls === null ? null : new UniqueCallIds([], calls);
  }

  read(chunk: unknown): ProviderEvent[] {
    const parsed = chunkShape.safeParse(chunk);
    if (!parsed.success) return [];
    const { candidates, promptFeedback, usageMetadata } = parsed.data;
    const events: ProviderEvent[] = [];
    if (promptFeedback?.blockReason)
      this.#blocked = [promptFeedback.blockReason, promptFeedback.blockReasonMessage].filter(Boolean).join(': ');
    const first = candidates?.[0];
    for (const one of first?.content?.parts ?? []) events.push(...this.#part(one));
    if (first?.finishReason) this.#finish = first.finishReason;
    const usage = readUsage(usageMetadata);
    if (usage) events.push({ type: 'usage', usage });
    return events;
  }

  #part({ text: words, thought, thoughtSignature, functionCall }: z.infer<typeof part>): ProviderEvent[] {
    if (functionCall) return this.#ids ? this.#call(functionCall, thoughtSignature ?? undefined, this.#ids) : [];
    const events: ProviderEvent[] = [];
    if (words) {
      if (thought) this.#sawReasoning = true;
      else if (words.trim() !== '') this.#sawText = true;
      events.push(thought ? { type: 'reasoning', text: words, source: 'thought' } : { type: 'text', text: words });
    }
    // Without text of its own it belongs to the part before it.
    const vendor = signatureData({ thoughtSignature: thoughtSignature ?? undefined });
    if (vendor) events.push({ type: 'vendor', on: thought ? 'reasoning' : 'text', vendor });
    return events;
  }

  /** Gemini sends a call whole. */
  #call({ id, name, args }: z.infer<typeof call>, thoughtSignature: string | undefined, ids: UniqueCallIds): ProviderEvent[] {
    const index = this.#calls++;
    const { text: written, valid } = readArguments(args === undefined ? '' : JSON.stringify(args));
    const vendor = signatureData({ thoughtSignature, id: id ?? undefined });
    return [
      { type: 'toolCallStarted', index, name: name ?? '' },
      { type: 'toolCallDelta', index, name: name ?? '', text: written },
      { type: 'toolCall', index, callId: ids.give(id ?? ''), name: name ?? '', arguments: written, valid, ...(vendor ? { vendor } : {}) },
    ];
  }

  end(marked: boolean): ProviderEvent[] {
    if (this.#blocked && !this.#sawText && this.#calls === 0) {
      const detail = { providerText: this.#blocked };
      return [{ type: 'failed', failure: makeFailure('refused', 'The provider blocked this request because of its content.', { detail }) }];
    }
    const word = this.#blocked ? 'SAFETY' : this.#finish;
    const detail = this.#blocked ?? this.#finish ?? undefined;
    const ending = endOf({
      sawText: this.#sawText,
      sawReasoning: this.#sawReasoning,
      sawCalls: this.#calls > 0,
      word,
      marked,
      detail: word === 'STOP' && (this.#sawText || this.#calls > 0) ? undefined : detail,
    });
    return [ending];
  }
}
