// Steps as nearly all are, looked at by hand: the schema takes many times as long, and a start reads a thousand of them at once (N9). What is not plain
// here is left to the schema. Pure.
import type { TranscriptEntry } from '../../shared/model/transcript';

type Check = (value: unknown) => boolean;
type Fields = { readonly [name: string]: Check };

/** An object with all of the first fields, perhaps some of the others, and nothing else. */
function fields(needed: Fields, others: Fields = {}): Check {
  const known = new Map(Object.entries({ ...needed, ...others }).map(([name, check]) => [name, { check, weight: name in needed ? 1 : 0 }]));
  const all = Object.keys(needed).length;
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
    let found = 0;
    for (const name in value) {
      const field = known.get(name);
      if (!field?.check((value as { [name: string]: unknown })[name])) return false;
      found += field.weight;
    }
    return found === all;
  };
}

const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);
const text: Check = (value) => typeof value === 'string';
const flag: Check = (value) => typeof value === 'boolean';
/** JSON may say 1e999. */
const number: Check = Number.isFinite;
const idPattern = /^[\w:.-]+$/;
const id: Check = (value) => typeof value === 'string' && value.length <= 200 && idPattern.test(value);
const only =
  (name: string): Check =>
  (value) =>
    value === name;

const vendor = { vendor: fields({ family: text, json: text }) };
const said = fields({ type: only('text'), text }, vendor);
const thought = fields({ type: only('reasoning'), text }, { source: text, ...vendor });
const call = fields({ type: only('toolCall'), callId: text, name: text, arguments: text }, vendor);
const result = fields(
  { callId: text, summary: text },
  { content: text, isError: flag, useless: flag, durationMs: number, file: fields({ path: text, sha256: text }) },
);
const usage = fields({ input: number, output: number }, { reasoning: number, cachedInput: number, estimated: flag });

const step = fields(
  {
    id,
    messageId: id,
    parentId: id,
    turnId: id,
    model: text,
    content: listOf((part) => said(part) || call(part) || thought(part)),
    results: listOf(result),
    createdAt: number,
  },
  { usage, durationMs: number },
);
const entry = fields({ type: only('step'), step });

/** A value of JSON that the schema would give back as it is. */
export function isPlainStep(value: unknown): value is Extract<TranscriptEntry, { type: 'step' }> {
  return entry(value);
}
