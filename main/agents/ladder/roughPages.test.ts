// Talks that go wrong in the middle of pages: never a dead end, never a picture to a reader that does not see, no failure that is not honest (S10, L9, L14,
// L16, L19, X4).
import { expect, it } from 'vitest';
import { type RoughPages, type RoughPagesOptions, runRoughPages } from './roughPagesFixture';

const runs: RoughPagesOptions[] = [
  { seed: 1, turns: 60, counts: 1.3, shrinks: 1 },
  { seed: 4, turns: 60, counts: 1.3, shrinks: 0.5 },
  { seed: 11, turns: 60, counts: 0.8, shrinks: 1 },
  { seed: 18, turns: 60, counts: 1, shrinks: 0.5 },
];
const lived: RoughPages[] = [];

it.each(runs)(
  'S10, L14, L16: from seed $seed no picture goes astray, nothing refused is sent again, and only pins end a turn: without them the talk goes on',
  async (options) => {
    const run = await runRoughPages(options);
    lived.push(run);
    expect(run, run.done.join(' ')).toMatchObject({ picturesToBlind: 0, strangePictures: 0, unasked: 0, repeated: 0, last: null });
    for (const { code, pinned } of run.failures) {
      expect(code).toBe('overflowTokens');
      expect(pinned).toBeGreaterThan(0.25);
    }
  },
  60_000,
);

it('what they were for came to pass: pages and cards were sent, undone and redone, pictures lost, windows smaller than was said', () => {
  expect(lived).toHaveLength(runs.length);
  const done = new Set(lived.flatMap((run) => run.done));
  for (const act of ['gpt-4o-text', 'undo', 'redo', 'pin', 'compact', 'lost', 'restart']) expect(done).toContain(act);
  expect(new Set(lived.flatMap(({ kinds }) => kinds))).toEqual(new Set(['pages', 'card']));
  for (const sum of [(run: RoughPages) => run.withPictures, (run: RoughPages) => run.refused])
    expect(lived.reduce((all, run) => all + sum(run), 0)).toBeGreaterThan(3);
});
