// The index fills itself in small slices, gives way to others, and begins again when it is damaged.
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { connectionOf } from './database';
import { openStore } from './open';
import { coveredBy, indexingOf } from './searchIndex';
import { type Indexer, startIndexer } from './searchIndexer';
import { makeStore, plant, type TestStore } from './storeFixture';

let test: TestStore;
let indexer: Indexer | undefined;
let due: { work: () => void; ms: number } | undefined;
let now = 0;
let damages: unknown[] = [];
beforeEach(() => {
  test = makeStore();
  due = undefined;
  damages = [];
});
afterEach(() => {
  indexer?.stop();
  test.remove();
});

/** Each look at the clock is a millisecond later. */
function start(): void {
  indexer = startIndexer(test.store, {
    clock: () => ++now,
    later: (work, ms) => {
      const mine = { work, ms };
      due = mine;
      return () => {
        if (due === mine) due = undefined;
      };
    },
    onDamage: (error) => damages.push(error),
  });
}
/** Runs what is due; gives how long it was put off. */
function step(): number {
  const { work, ms } = due ?? { work: () => undefined, ms: Number.NaN };
  due = undefined;
  work();
  return ms;
}
function run(steps = 200): void {
  for (let at = 0; at < steps && due; at++) step();
}
const many = (count: number) => Array.from({ length: count }, (_, at) => `m${at}`);

it('R4, N3: it begins after a while, works in slices with more time between them than in them, and rests when all is done', () => {
  plant(test.db, many(60));
  start();
  expect(due?.ms).toBeGreaterThanOrEqual(1_000);
  step();
  step();
  const after = indexingOf(test.db);
  expect(after).not.toBeNull();
  expect(after?.done).toBeLessThan(60);
  expect(due?.ms).toBeGreaterThanOrEqual(8);
  run(30);
  expect(indexingOf(test.db)).toBeNull();
  expect(due?.ms).toBeGreaterThanOrEqual(1_000);
});

it('Q1: what was written since is indexed at the next look, or at once when it is woken', () => {
  plant(test.db, ['a']);
  start();
  run(10);
  plant(test.db, ['b'], '2');
  expect(indexingOf(test.db)).not.toBeNull();
  run(3);
  expect(indexingOf(test.db)).toBeNull();
  indexer?.wake();
  expect(due?.ms).toBeLessThan(100);
});

it('R1, N3: durability and patience of the connection are as before after each slice', () => {
  plant(test.db, ['a', 'b']);
  start();
  run(10);
  const raw = connectionOf(test.db);
  expect([raw.pragma('synchronous', { simple: true }), raw.pragma('busy_timeout', { simple: true })]).toEqual([2, 5000]);
});

it('R3: another program’s lock is not waited for, and passes', () => {
  plant(test.db, ['a']);
  start();
  step();
  const other = new Database(test.file);
  other.exec('BEGIN IMMEDIATE');
  const begin = performance.now();
  step();
  // It would wait for five seconds.
  expect(performance.now() - begin).toBeLessThan(3_000);
  expect(damages).toEqual([]);
  other.exec('ROLLBACK');
  other.close();
  run(10);
  expect(indexingOf(test.db)).toBeNull();
});

it('R3, Q1: a damaged index is made anew; one that cannot be made is left alone after three times', () => {
  plant(test.db, ['a', 'b']);
  start();
  run(10);
  const raw = connectionOf(test.db);
  raw.unsafeMode(true);
  raw.exec('DELETE FROM search_index_data');
  raw.unsafeMode(false);
  indexer?.wake(true);
  run(10);
  expect(coveredBy(test.db)).toEqual({ low: 1, high: 2 });
  raw.exec('DROP TABLE search_index; CREATE VIEW search_index AS SELECT 1');
  indexer?.wake(true);
  run(50);
  expect(damages.length).toBe(3);
  expect(due).toBeUndefined();
});

it('W1: after it was stopped it does nothing', () => {
  plant(test.db, ['a']);
  start();
  const last = due;
  indexer?.stop();
  last?.work();
  expect(coveredBy(test.db)).toBeNull();
  const read = openStore({ file: test.file, mode: 'read', now: () => 0 });
  expect(indexingOf(read.db)).toEqual({ done: 0, total: 1 });
  read.close();
});
