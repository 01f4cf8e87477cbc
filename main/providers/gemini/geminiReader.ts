// Reads the chunks of a Gemini stream into events (P3): thought parts, blocks, and the many ways of saying nothing under 200.
import * as z from 'zod/mini';
import { makeFailure } from '../../../shared/model/failure';
import type { ProviderEvent } from '../../../shared/model/request';
import { endOf } from '../ending';
import { readUsage } from '../usage';

const text = z.catch(z.nullish(z.string()), null);
const part = z.object({ text, thought: z.catch(z.nullish(z.boolean()), null) });
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

  read(chunk: unknown): ProviderEvent[] {
    const parsed = chunkShape.safeParse(chunk);
    if (!parsed.success) return [];
    const { candidates, promptFeedback, usageMetadata } = parsed.data;
    const events: ProviderEvent[] = [];
    if (promptFeedback?.blockReason)
      this.#blocked = [promptFeedback.blockReason, promptFeedback.blockReasonMessage].filter(Boolean).join(': ');
    const first = candidates?.[0];
    for (const { text: words, thought } of first?.content?.parts ?? []) {
      if (!words) continue;
      if (thought) {
        this.#sawReasoning = true;
        events.push({ type: 'reasoning', text: words, source: 'thought' });
      } else {
        if (words.trim() !== '') this.#sawText = true;
        events.push({ type: 'text', text: words });
      }
    }
    if (first?.finishReason) this.#finish = first.finishReason;
    const usage = readUsage(usageMetadata);
    if (usage) events.push({ type: 'usage', usage });
    return events;
  }

  end(marked: boolean): ProviderEvent[] {
    if (this.#blocked && !this.#sawText) {
      const detail = { providerText: this.#blocked };
      return [{ type: 'failed', failure: makeFailure('refused', 'The provider blocked this request because of its content.', { detail }) }];
    }
    const word = this.#blocked ? 'SAFETY' : this.#finish;
    const detail = this.#blocked ?? this.#finish ?? undefined;
    const ending = endOf({
      sawText: this.#sawText,
      sawReasoning: this.#sawReasoning,
      word,
      marked,
      detail: word === 'STOP' && this.#sawText ? undefined : detail,
    });
    return [ending];
  }
}
