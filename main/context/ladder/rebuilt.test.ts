import fc from 'fast-check';
import { expect, it } from 'vitest';
import { memoryMessage } from '../memoryMessage';
import { builtTokens, fixedTokens } from '../requestSize';
import { contextOf, id, pathOf, recordOf, words } from './ladderFixture';
import { withinRebuilt } from './rebuilt';
import { weigh } from './weigh';

const made = pathOf([
  { kind: 'user', tokens: 100 },
  { kind: 'answer', tokens: 500 },
  { kind: 'answer', tokens: 500 },
  { kind: 'answer', tokens: 3000 },
  { kind: 'answer', tokens: 900 },
]);
const recordWith = (sizes: readonly number[]) =>
  recordOf('a', 2, {
    folded: [id(1), id(2)],
    body: {
      text: '## Task\nBuild it.',
      pages: [],
      files: sizes.map((size, at) => ({ path: `f${at}.ts`, text: words(size, `w${at}`), ...(at % 2 === 0 ? {} : { from: 3, to: 9 }) })),
      references: [{ path: 'other.ts', why: 'read' }],
    },
  });
const fitted = (sizes: readonly number[], rebuiltTokens: number, goal: number | null = null) => {
  const record = recordWith(sizes);
  return withinRebuilt({ record, context: contextOf(made, { records: [record] }), pins: new Set(), numbers: { rebuiltTokens }, goal });
};

it('M6: within the number it is the very record; over it the files marked last become references, with their lines', () => {
  const record = recordWith([200, 200]);
  const context = contextOf(made, { records: [record] });
  expect(withinRebuilt({ record, context, pins: new Set(), numbers: { rebuiltTokens: 24_000 }, goal: null })).toBe(record);
  const { body } = fitted([200, 200, 200, 200], 700);
  expect(body?.files.map(({ path }) => path)).toEqual(['f0.ts', 'f1.ts']);
  expect(body?.references).toEqual([
    { path: 'f2.ts', why: 'to be read again' },
    { path: 'f3.ts', why: 'to be read again; lines 3 to 9' },
    { path: 'other.ts', why: 'read' },
  ]);
});

it('M6: neither the tail nor a pin counts', () => {
  expect(fitted([200], 500).body?.files).toHaveLength(1);
  const record = recordWith([200]);
  const context = contextOf(made, { records: [record], pins: [id(0)] });
  const within = (pins: ReadonlySet<never> | Set<ReturnType<typeof id>>) =>
    withinRebuilt({ record, context, pins, numbers: { rebuiltTokens: 330 }, goal: null }).body?.files.length;
  expect([within(new Set([id(0)])), within(new Set())]).toEqual([1, 0]);
});

it('L11, L13: contents of files never lead above what the pass must end under', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 2000 }), { maxLength: 6 }), fc.integer({ min: 100, max: 12_000 }), (sizes, goal) => {
      const record = fitted(sizes, 4_000, goal);
      const files = record.body?.files ?? [];
      expect(files).toEqual(recordWith(sizes).body?.files.slice(0, files.length));
      const named = [...files, ...(record.body?.references ?? [])].map(({ path }) => path);
      expect(new Set(named)).toEqual(new Set(['other.ts', ...sizes.map((_, at) => `f${at}.ts`)]));
      if (files.length === 0) return;
      const context = contextOf(made, { records: [record] });
      expect(weigh({ context }).estimate).toBeLessThanOrEqual(goal);
      const memory = builtTokens({ messages: [memoryMessage(record)] }, true);
      expect(fixedTokens(context.request) + memory).toBeLessThanOrEqual(4_000);
    }),
    { numRuns: 50 },
  );
});
