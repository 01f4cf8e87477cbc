// Tool calls as the Chat Completions dialect writes them: read from a delta or a whole message, and the part of Google's that must go back.
import * as z from 'zod/mini';
import type { VendorData } from '../../../shared/model/request';
import type { CallDelta } from '../callAssembler';
import { readSignature, signatureData } from '../signatures';

const text = z.catch(z.nullish(z.string()), null);
const functionShape = z.object({ name: text, arguments: z.optional(z.unknown()) });
const callShape = z.object({
  index: z.catch(z.nullish(z.coerce.number()), null),
  id: z.catch(z.nullish(z.union([z.string(), z.number()])), null),
  function: z.catch(z.nullish(functionShape), null),
  extra_content: z.optional(z.unknown()),
});
const extraShape = z.object({ google: z.object({ thought_signature: z.string() }) });

/** `legacy` is `function_call`, from before there were several calls; it counts only without the new field. */
export function callDeltas(calls: unknown, legacy: unknown): CallDelta[] {
  if (Array.isArray(calls) && calls.length > 0) {
    return calls.flatMap((call: unknown): CallDelta[] => {
      const parsed = callShape.safeParse(call);
      if (!parsed.success) return [];
      const { index, id, function: called, extra_content: extra } = parsed.data;
      const vendor = vendorOf(extra);
      return [
        {
          index: index ?? null,
          id: id === null || id === undefined ? '' : String(id),
          name: called?.name ?? '',
          text: argumentsText(called?.arguments),
          ...(vendor ? { vendor } : {}),
        },
      ];
    });
  }
  const parsed = functionShape.safeParse(legacy);
  if (!parsed.success) return [];
  return [{ index: 0, id: '', name: parsed.data.name ?? '', text: argumentsText(parsed.data.arguments) }];
}

/** Some servers write the object itself. */
function argumentsText(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : '';
}

function vendorOf(extra: unknown): VendorData | null {
  const parsed = extraShape.safeParse(extra);
  return parsed.success ? signatureData({ thoughtSignature: parsed.data.google.thought_signature }) : null;
}

/** `extra_content` of a call, where the model wants its signature back. */
export function extraContentOf(vendor: VendorData | undefined): { google: { thought_signature: string } } | null {
  const signature = readSignature(vendor)?.thoughtSignature;
  return signature === undefined ? null : { google: { thought_signature: signature } };
}
