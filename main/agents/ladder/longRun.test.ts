// A run far longer than its window: it never dies, never loops, and nothing planted is lost (L6, L12, L13, M1, M2). The long one is in the bench.
import { expect, it } from 'vitest';
import { runLong } from './longRunFixture';

it('L6, L21, M1: 250 steps in a window of 16,000 tokens, with every directive still word for word and identifiers counted', async () => {
  const run = await runLong({ steps: 250, turnSteps: 30, window: 16_000, bodyLimit: 400_000, resultTokens: 500, badCards: 0 });
  expect(run).toMatchObject({ failures: [], refused: 0 });
  expect(run.steps).toBeGreaterThanOrEqual(250);
  expect(run.mostTokens).toBeLessThanOrEqual(16_000);
  expect(run.directivesKept).toBe(run.directives);
  const passes = run.records.filter(({ kind }) => kind === 'card');
  expect(passes.length).toBeGreaterThanOrEqual(2);
  expect(passes.length).toBeLessThan(run.steps / 8);
  expect(run.identifiers.total).toBeGreaterThan(100);
  const folded = run.records.flatMap((record) => record.folded);
  expect(new Set(folded).size).toBe(folded.length);
}, 60_000);

it('L12, M3, L21: 200 steps at 8,192 tokens with a summarizer that fails every third time go on all the same', async () => {
  const run = await runLong({ steps: 200, turnSteps: 25, window: 8_192, bodyLimit: 200_000, resultTokens: 300, badCards: 1 / 3 });
  expect(run).toMatchObject({ failures: [], refused: 0 });
  expect(run.mostTokens).toBeLessThanOrEqual(8_192);
  expect(run.directivesKept).toBe(run.directives);
}, 60_000);

it.each(['responses', 'gemini'] as const)('L6, L7, L16: 90 steps over a server that speaks %s and counts a tenth more', async (dialect) => {
  const run = await runLong({
    ...{ steps: 90, turnSteps: 30, window: 8_192, bodyLimit: 60_000, resultTokens: 400, badCards: 0 },
    ...{ dialect, counts: 1.1 },
  });
  expect(run).toMatchObject({ failures: [], refused: 0 });
  expect(run.mostTokens).toBeLessThanOrEqual(8_192);
  expect(run.directivesKept).toBe(run.directives);
  expect(run.records.some(({ kind }) => kind === 'card')).toBe(true);
});

it('L1, L4, S1, S8: 190 steps of a model that sees: pages and cards by turns, each directive in the request or on its pages, and no pass after another', async () => {
  const run = await runLong({
    ...{ steps: 190, turnSteps: 20, window: 32_000, bodyLimit: 400_000, resultTokens: 100, saidTokens: 250, badCards: 0 },
    model: 'gpt-4o',
  });
  expect(run).toMatchObject({ failures: [], refused: 0, directivesMissed: 0 });
  expect(run.mostTokens).toBeLessThanOrEqual(32_000);
  const kinds = run.records.flatMap(({ kind }) => (kind === 'free' ? [] : [kind]));
  expect(kinds.filter((kind) => kind === 'pages').length).toBeGreaterThanOrEqual(2);
  expect(kinds.filter((kind) => kind === 'card').length).toBeGreaterThanOrEqual(1);
  expect(run.pages.most).toBeGreaterThan(2);
  expect(run.pages.alone).toBeGreaterThan(0);
  const gaps = run.passedAt.slice(1).map((step, at) => step - (run.passedAt[at] ?? 0));
  expect(Math.min(...gaps)).toBeGreaterThan(8);
}, 60_000);
