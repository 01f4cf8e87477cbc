import { expect, it } from 'vitest';
import type { ReadEvent } from './importReader';
import { readAhead } from './readAhead';

const batch = (count: number): ReadEvent[] => [{ type: 'otherFiles', count }];
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Gives `many` batches and then the end, and counts how often it was asked. */
function source(many: number, fill = ''): { next(): Promise<ReadEvent[] | null>; asked: number } {
  const reader = {
    asked: 0,
    async next() {
      reader.asked++;
      return reader.asked > many
        ? null
        : [...batch(reader.asked), ...(fill ? [{ type: 'skipped', title: fill, reason: 'known' } as const] : [])];
    },
  };
  return reader;
}

it('R4: every batch comes once and in order, then the end for as long as it is asked for', async () => {
  const next = readAhead(source(3));
  expect([await next(), await next(), await next()]).toEqual([1, 2, 3].map((count) => JSON.stringify(batch(count))));
  expect([await next(), await next()]).toEqual([null, null]);
});

it('R4: it reads before it is asked, but not without a bound', async () => {
  const reader = source(50, 'x'.repeat(900_000));
  const next = readAhead(reader);
  await settled();
  expect(reader.asked).toBe(3);
  await next();
  await settled();
  expect(reader.asked).toBe(4);
});

it('R4: one who asks early waits for what is read later', async () => {
  let give: (events: ReadEvent[] | null) => void = () => undefined;
  const next = readAhead({ next: () => new Promise((resolve) => (give = resolve)) });
  const asked = next();
  give(batch(7));
  expect(await asked).toBe(JSON.stringify(batch(7)));
});

it('I4: what was read before a fault is given before the fault is told', async () => {
  let asked = 0;
  const next = readAhead({
    async next() {
      asked++;
      if (asked === 2) throw new TypeError('broken');
      return batch(asked);
    },
  });
  await settled();
  expect(await next()).toBe(JSON.stringify(batch(1)));
  await expect(next()).rejects.toThrow('broken');
});
