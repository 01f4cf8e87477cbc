// `reasoning_details` of gateways (OpenRouter): signed or encrypted thoughts that the model wants back as they came, in their order.
// Streamed in pieces: text and summaries grow, the signature comes with the last; encrypted data comes whole.
import * as z from 'zod/mini';
import type { RequestPart, VendorData } from '../../../shared/model/request';
import { parseJson } from '../../lib/parseJson';

export type ReasoningDetail = Record<string, unknown>;

const kept = z.object({ model: z.string(), details: z.array(z.record(z.string(), z.unknown())) });

export class ReasoningDetails {
  readonly #details: ReasoningDetail[] = [];

  push(pieces: readonly ReasoningDetail[]): void {
    for (const piece of pieces) {
      const last = this.#details.at(-1);
      if (last && goesOn(last, piece)) this.#details[this.#details.length - 1] = joined(last, piece);
      else this.#details.push(piece);
    }
  }

  /** Null where there is nothing but words: those go back as words, where the model's policy asks for them. */
  data(modelId: string): VendorData | null {
    return this.#details.some(isOpaque) ? { family: 'openrouter', json: JSON.stringify({ model: modelId, details: this.#details }) } : null;
  }
}

/** The details that go back with an answer to this model: only those of the same maker's models. */
export function detailsFor(parts: readonly RequestPart[], modelId: string): ReasoningDetail[] {
  return parts.flatMap((part) => {
    if (part.type !== 'vendor' || part.vendor.family !== 'openrouter') return [];
    const parsed = kept.safeParse(parseJson(part.vendor.json));
    return parsed.success && makerOf(parsed.data.model) === makerOf(modelId) ? parsed.data.details : [];
  });
}

/** `anthropic` of `anthropic/claude-sonnet-4.5`; a name without a maker stands for itself. */
function makerOf(modelId: string): string {
  return modelId.toLowerCase().replace(/^~/, '').replace(/\/.*$/s, '').replace(/:.*$/s, '');
}

function goesOn(last: ReasoningDetail, piece: ReasoningDetail): boolean {
  if (last['type'] !== piece['type'] || isEncrypted(piece) || typeof last['signature'] === 'string') return false;
  const same = (key: string) =>
    last[key] === undefined || last[key] === null || piece[key] === undefined || piece[key] === null || last[key] === piece[key];
  return same('index') && same('id') && same('format');
}

function joined(last: ReasoningDetail, piece: ReasoningDetail): ReasoningDetail {
  const both: ReasoningDetail = { ...last };
  for (const [key, value] of Object.entries(piece)) {
    const before = last[key];
    const grows = (key === 'text' || key === 'summary') && typeof before === 'string' && typeof value === 'string';
    if (grows) both[key] = before + value;
    else if (value !== undefined && value !== null) both[key] = value;
  }
  return both;
}

function isEncrypted(detail: ReasoningDetail): boolean {
  return detail['type'] === 'reasoning.encrypted';
}

function isOpaque(detail: ReasoningDetail): boolean {
  return (isEncrypted(detail) && Boolean(detail['data'])) || (typeof detail['signature'] === 'string' && detail['signature'] !== '');
}
