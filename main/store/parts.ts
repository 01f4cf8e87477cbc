// A message's content in its row: one text as it stands in `text` (no JSON to parse for most messages), anything else as JSON in `parts`.
import { type Part, partSchema } from '../../shared/model/message';
import { type StepPart, stepPartSchema } from '../../shared/model/transcript';
import { parseJson } from '../lib/parseJson';

export type StoredContent = { text: string | null; parts: string | null };

export function storeParts(parts: readonly Part[]): StoredContent {
  const [only] = parts;
  if (parts.length === 1 && only?.type === 'text') return { text: only.text, parts: null };
  return { text: null, parts: JSON.stringify(parts) };
}

export function loadParts(row: StoredContent): Part[] {
  if (row.parts === null) return row.text === null ? [] : [{ type: 'text', text: row.text }];
  return parseParts(row.parts);
}

/** Parts from JSON. What does not fit is kept as a `raw` part: nothing is dropped, and nothing of a wrong shape gets further. */
export function parseParts(json: string): Part[] {
  const value = parseJson(json);
  if (!Array.isArray(value)) return [{ type: 'raw', source: 'database', json }];
  return value.map(toPart);
}

function toPart(value: unknown): Part {
  if (isPlain(value)) return value;
  const parsed = partSchema.safeParse(value);
  return parsed.success ? parsed.data : { type: 'raw', source: 'database', json: JSON.stringify(value) };
}

/** The exact content of a running step: as `parseParts`, with the opaque data of its parts. */
export function parseContent(json: string): StepPart[] {
  const value = parseJson(json);
  if (!Array.isArray(value)) return [{ type: 'raw', source: 'database', json }];
  return value.map((one) => {
    const parsed = stepPartSchema.safeParse(one);
    return parsed.success ? parsed.data : { type: 'raw', source: 'database', json: JSON.stringify(one) };
  });
}

/** The schema is twenty times slower than this, and text, reasoning and calls are nearly all there is. */
function isPlain(value: unknown): value is Part {
  if (typeof value !== 'object' || value === null || !('type' in value)) return false;
  if (value.type === 'toolCall') return isCall(value);
  if (!('text' in value) || typeof value.text !== 'string') return false;
  if (value.type === 'text') return true;
  return value.type === 'reasoning' && (!('source' in value) || typeof value.source === 'string');
}

function isCall(value: object): boolean {
  if (!('callId' in value && 'name' in value && 'arguments' in value)) return false;
  if (typeof value.callId !== 'string' || typeof value.name !== 'string' || typeof value.arguments !== 'string') return false;
  if ('summary' in value && typeof value.summary !== 'string') return false;
  if ('isError' in value && typeof value.isError !== 'boolean') return false;
  // Few calls end in another way than by themselves: they are left to the schema.
  if ('outcome' in value) return false;
  return !('durationMs' in value) || typeof value.durationMs === 'number';
}
