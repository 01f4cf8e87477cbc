// What is taken for a plain step is what the schema would have made of it; nothing else is.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type TranscriptEntry, transcriptEntrySchema } from '../../shared/model/transcript';
import { isPlainStep } from './plainStep';
import { entry, step } from './transcriptArbitrary';

/** As it is in a file. */
const stored = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

const plain = {
  type: 'step',
  step: {
    id: 'stp_1',
    messageId: 'msg_1',
    parentId: 'msg_0',
    turnId: 'trn_1',
    model: 'p/m',
    content: [
      { type: 'text', text: 'a', vendor: { family: 'gemini', json: '{}' } },
      { type: 'reasoning', text: 'b', source: 's' },
      { type: 'toolCall', callId: 'c', name: 'read', arguments: '{}' },
    ],
    results: [{ callId: 'c', summary: 's', content: 'inside', isError: false, useless: true, durationMs: 3 }],
    usage: { input: 1, output: 2, reasoning: 3, cachedInput: 4, estimated: true },
    durationMs: 5,
    createdAt: 6,
  },
};

/** Without what only few steps have. */
const often = step.map(({ interrupted: _, finish: __, ...rest }): TranscriptEntry => {
  const content = rest.content.filter(({ type }) => type !== 'image' && type !== 'raw' && type !== 'vendor');
  const results = rest.results.map(({ outcome: ___, ...result }) => result);
  return { type: 'step', step: { ...rest, content, results } };
});

type Place = { at: unknown; key: string };
/** All places where something may stand in the value. */
function placesIn(value: unknown): Place[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, field]) => [{ at: value, key }, ...placesIn(field)]);
}

it('X2, N9: always: a plain step is one for the schema, which gives back the same', () => {
  let seen = 0;
  fc.assert(
    fc.property(fc.oneof(entry, often).map(stored), (value) => {
      if (!isPlainStep(value)) return;
      seen++;
      expect(transcriptEntrySchema.parse(value)).toEqual(value);
    }),
    { numRuns: 500 },
  );
  expect(seen).toBeGreaterThan(5);
});

it('N9: steps as nearly all are need no schema', () => {
  expect(isPlainStep(plain)).toBe(true);
});

it('X2: always: with anything missing, added or of another shape at any place, it is as the schema says', () => {
  const odd = fc.constantFrom(
    ...([null, 1, Number.POSITIVE_INFINITY, '', 'text', 'two words', 'x'.repeat(201), true, [], {}, [[]], { type: 'text' }] as unknown[]),
  );
  const change = fc.constantFrom('remove' as const, 'replace' as const, 'add' as const, 'proto' as const);
  fc.assert(
    fc.property(fc.nat(), change, odd, (n, what, value) => {
      const copy = structuredClone(plain);
      const places = placesIn(copy);
      const { at, key } = places[n % places.length] as { at: Record<string, unknown>; key: string };
      // JSON has no holes, and lists no names.
      if (what === 'replace' || Array.isArray(at)) at[key] = value;
      else if (what === 'remove') delete at[key];
      else
        Object.defineProperty(at, what === 'add' ? 'more' : '__proto__', { value, enumerable: true, configurable: true, writable: true });
      const parsed = transcriptEntrySchema.safeParse(copy);
      if (!isPlainStep(copy)) return;
      expect(parsed.success && parsed.data).toEqual(copy);
    }),
    { numRuns: 3000 },
  );
});
