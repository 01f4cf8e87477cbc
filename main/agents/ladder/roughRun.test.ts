// Runs as they go wrong: none of them dies, loops, or loses what it need not (L6, L7, L11 to L14, L16, L21, X6, M3).
import { describe, expect, it } from 'vitest';
import { type RoughOptions, type RoughRun, runRough } from './roughRunFixture';

const usual: RoughOptions = {
  seed: 1,
  steps: 40,
  window: 8192,
  counts: 1,
  reports: 'nothing',
  cards: 'good',
  result: 1500,
  prompt: 1500,
};
const rough = (more: Partial<RoughOptions>) => runRough({ ...usual, ...more });
const kinds = ({ records }: RoughRun) => new Set(records.map(({ kind }) => kind));
const patience = 60_000;

describe('a rough run', () => {
  it(
    'L21, L6: in 4,096 tokens it goes on, and nothing is refused',
    async () => {
      const run = await rough({ window: 4096, result: 600, prompt: 700 });
      expect(run).toMatchObject({ failures: [], refused: 0 });
      expect(kinds(run)).toEqual(new Set(['free', 'card']));
    },
    patience,
  );

  it(
    'M3, L12: with a summarizer that floods, or gives nothing, other cards stand in, and three of them pause it',
    async () => {
      for (const cards of ['flood', 'silent'] as const) {
        const run = await rough({ cards, steps: 50 });
        expect(run).toMatchObject({ failures: [], refused: 0, cards: 6 });
        expect(run.notices).toEqual(['passesPaused']);
        expect(kinds(run)).toEqual(new Set(['free', 'card']));
      }
    },
    patience,
  );

  it(
    'L7, L16: a server that counts nearly twice the estimate, and one that halves what it reports, are lived with',
    async () => {
      const counts = await rough({ counts: 1.8, reports: 'all', result: 800, prompt: 800 });
      expect(counts).toMatchObject({ failures: [], repeated: 0 });
      expect(counts.refused).toBeLessThan(5);
      expect(await rough({ reports: 'half' })).toMatchObject({ failures: [], refused: 0 });
      expect(await rough({ reports: 'double' })).toMatchObject({ failures: [], refused: 0 });
    },
    patience,
  );

  it(
    'L16, L7: a window that turns out to be a quarter on the way costs a refusal each time at most, and no answer',
    async () => {
      const run = await rough({ window: 32_000, shrinks: { at: 15, window: 8192 } });
      expect(run).toMatchObject({ failures: [], repeated: 0 });
      expect(run.refused).toBeGreaterThan(0);
      expect(run.refused).toBeLessThanOrEqual(run.records.length);
    },
    patience,
  );

  it(
    'L14, X6, L13: a result larger than the window ends its turn with what is too big; the next turn goes on with a card of it, and nothing is cut',
    async () => {
      const run = await rough({ result: 14_000, steps: 30 });
      expect(run.failures.length).toBeGreaterThan(1);
      for (const { code, parts } of run.failures) {
        expect(code).toBe('overflowTokens');
        expect(Number(/tail (\d+)/.exec(parts.join(' '))?.[1])).toBeGreaterThan(6000);
      }
      expect(run.refused).toBe(0);
      expect(kinds(run)).toEqual(new Set(['free', 'card']));
      // Nobody is asked for a card that could not be used.
      expect(run.cards).toBe(run.records.filter(({ kind }) => kind === 'card').length);
      expect(run.notices).not.toContain('stepsLeftOut');
      expect(run.notices).not.toContain('passesPaused');
    },
    patience,
  );

  it(
    'L6, L14: under a small limit of bytes passes shrink the bytes, and nothing is refused',
    async () => {
      const run = await rough({ window: 200_000, bodyLimit: 60_000, result: 2000, prompt: 2000 });
      expect(run).toMatchObject({ failures: [], refused: 0 });
      const passes = run.records.filter(({ receipt }) => receipt.trigger === 'bytes');
      expect(passes.length).toBeGreaterThan(1);
      for (const { receipt } of passes) expect(receipt.bytesAfter).toBeLessThan(receipt.bytesBefore);
    },
    patience,
  );
});
