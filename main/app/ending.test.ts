// What the end of the program waits for, and for how long.
import { expect, it } from 'vitest';
import type { Logger } from '../lib/logger';
import { endInTime } from './ending';

const logged: unknown[] = [];
const logger: Logger = { log: (...line) => void logged.push(line), with: () => logger };

it('R2: all of it ends in order, also after one that fails', async () => {
  const ended: string[] = [];
  const part = (name: string, fails = false) => ({
    name,
    end: async () => {
      ended.push(name);
      if (fails) throw new Error(name);
    },
  });
  await endInTime([part('a'), part('b', true), part('c')], logger, 60_000);
  expect(ended).toEqual(['a', 'b', 'c']);
  expect(logged.splice(0)).toEqual([['error', 'an end failed', { name: 'b', cause: new Error('b') }]]);
});

it('R2: what never ends does not keep the program, and is named', async () => {
  await endInTime([{ name: 'stuck', end: () => new Promise(() => undefined) }], logger, 1);
  expect(logged.splice(0)).toEqual([['error', 'the program did not end in time', { waitsFor: 'stuck' }]]);
});
