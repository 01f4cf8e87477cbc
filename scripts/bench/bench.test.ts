// The harness of the benchmarks: its statistics, its goals, and the data they are measured on. Nothing here is timed.
import { afterEach, describe, expect, it } from 'vitest';
import { connectionOf } from '../../main/store/database';
import { appendMessage } from '../../main/store/messages';
import { makeMessage, makeStore, plant, type TestStore } from '../../main/store/storeFixture';
import { fill } from './data/fill';
import { seeded } from './data/random';
import { planConversations } from './data/sizes';
import { verify } from './data/verify';
import { isMet, limitOf, type Measurement, missed } from './goals';
import { contest } from './measure';
import { markdown, table } from './report';
import { compare, isWarm, median, quantile } from './statistics';
import { countWork } from './store/counters';

const measured = (more: Partial<Measurement>): Measurement => ({
  id: 'N1',
  operation: 'work',
  unit: 'ms',
  ours: 1,
  goal: { kind: 'none' },
  ...more,
});

describe('statistics', () => {
  it('quantiles lie between neighbours, whatever the order of the values', () => {
    expect(median([3, 1, 2])).toBe(2);
    expect(median([4, 1, 2, 3])).toBe(2.5);
    expect(quantile([10, 20, 30, 40, 50], 0.95)).toBeCloseTo(48);
    expect(median([])).toBeNaN();
  });

  it('a ratio is that of the medians, and its spread shows rounds that disagree', () => {
    const steady = compare(Array.from({ length: 200 }, () => ({ ours: 3, floor: 2 })));
    expect(steady).toEqual({ ours: 3, floor: 2, ratio: 1.5, spread: [1.5, 1.5], rounds: 200 });
    const drifting = compare(Array.from({ length: 200 }, (_, at) => ({ ours: at < 100 ? 2 : 6, floor: 2 })));
    expect(drifting.spread[0]).toBe(1);
    expect(drifting.spread[1]).toBe(3);
  });

  it('a slow moment of the machine in both halves leaves the ratio as it is', () => {
    const slowed = Array.from({ length: 100 }, (_, at) => (at % 10 === 0 ? { ours: 90, floor: 60 } : { ours: 3, floor: 2 }));
    expect(compare(slowed).ratio).toBe(1.5);
  });

  it('warm is when two medians in a row are within three per cent', () => {
    expect(isWarm(100, 103)).toBe(true);
    expect(isWarm(100, 96)).toBe(false);
  });

  it('both sides are run equally often, each first every other time', () => {
    const order: string[] = [];
    const work = { ours: () => void order.push('ours'), floor: () => void order.push('floor'), between: () => void order.push('between') };
    const { rounds } = contest(work, { rounds: 30, time: 10_000 });
    expect(rounds).toBe(30);
    const last = order.slice(-60 * 2).filter((name) => name !== 'between');
    expect(last.filter((name) => name === 'ours')).toHaveLength(30);
    expect([last[0], last[2]].sort()).toEqual(['floor', 'ours']);
    expect(order.filter((name) => name === 'between')).toHaveLength(order.length / 2);
  });
});

describe('goals', () => {
  it('a ratio above its goal is missed, one at it is met', () => {
    expect(isMet(measured({ ratio: 1.25, goal: { kind: 'ratio', max: 1.25 } }))).toBe(true);
    expect(isMet(measured({ ratio: 1.26, goal: { kind: 'ratio', max: 1.25 } }))).toBe(false);
  });

  it('an absolute goal grows and shrinks with the floor', () => {
    const at = (ours: number, floor: number) => measured({ ours, floor, goal: { kind: 'absolute', max: 30, floorThen: 10 } });
    expect(limitOf(at(1, 20))).toBe(60);
    expect(isMet(at(59, 20))).toBe(true);
    expect(isMet(at(29, 5))).toBe(false);
  });

  it('a count has no tolerance', () => {
    expect(isMet(measured({ ours: 0, goal: { kind: 'count', max: 0 } }))).toBe(true);
    expect(isMet(measured({ ours: 1, goal: { kind: 'count', max: 0 } }))).toBe(false);
  });

  it('what could not be measured has not met its goal', () => {
    expect(isMet(measured({ goal: { kind: 'ratio', max: 2 } }))).toBe(false);
    const none = measured({ ours: Number.NaN, goal: { kind: 'absolute', max: 2 } });
    expect(isMet(none)).toBe(false);
    // As it comes out of the file of a part.
    const read = JSON.parse(JSON.stringify(none)) as Measurement;
    expect(isMet(read)).toBe(false);
    expect(table([read])).toContain('not measured');
  });

  it('the missed ones are found and marked in both tables', () => {
    const rows = [
      measured({ operation: 'good', ratio: 1, goal: { kind: 'ratio', max: 2 } }),
      measured({ operation: 'bad', ratio: 3, goal: { kind: 'ratio', max: 2 } }),
    ];
    expect(missed(rows).map(({ operation }) => operation)).toEqual(['bad']);
    expect(table(rows).split('\n')[2]).toMatch(/bad.*3\.00.*≤ 2\.00 ×.*MISSED/);
    expect(markdown(rows)).toMatch(/\| N1 good \|.*\| ok \|/);
  });
});

describe('data', () => {
  let test: TestStore | undefined;
  afterEach(() => {
    test?.remove();
    test = undefined;
  });
  const small = { messages: 3_000, conversations: 30 };

  it('there are exactly as many messages and conversations as asked for, the extreme ones among them', () => {
    const plans = planConversations(seeded(1), small);
    expect(plans).toHaveLength(30);
    expect(plans.reduce((sum, { messages }) => sum + messages, 0)).toBe(3_000);
    expect(plans.filter(({ shape }) => shape !== 'usual').map(({ shape }) => shape)).toEqual([
      'deep',
      'wide',
      ...Array(8).fill('long'),
      ...Array(8).fill('short'),
    ]);
  });

  it('T2: generated rows are those the program would have written, and the check finds one that is not', () => {
    test = makeStore();
    fill(test.db, small, 7);
    const { db } = test;
    expect(() => verify(db, small)).not.toThrow();
    expect(() => verify(db, { ...small, messages: 2_999 })).toThrow('messages is 3000');
  });

  it('the same seed gives the same data, another seed other data', () => {
    const textsOf = (seed: number) => {
      const made = makeStore();
      try {
        fill(made.db, { messages: 1_000, conversations: 22 }, seed);
        return connectionOf(made.db)
          .prepare<[], string>('SELECT id || coalesce(text, parts) FROM messages ORDER BY seq')
          .pluck()
          .all()
          .join();
      } finally {
        made.remove();
      }
    };
    const first = textsOf(7);
    expect(textsOf(7)).toBe(first);
    expect(textsOf(8)).not.toBe(first);
  });

  it('N3: statements, rows and commits of a call are counted exactly', () => {
    test = makeStore();
    const { db, file } = test;
    plant(db, ['a']);
    const counts = countWork(db, file, () => void appendMessage(db, { message: makeMessage('b', 'a'), tip: 'follow' }));
    expect(counts).toMatchObject({ rowsChanged: 2, commits: 1, checkpoints: 0 });
    expect(counts.statements).toBeGreaterThan(4);
    expect(counts.logBytes).toBeGreaterThan(4_096);
  });

  it('N3: a checkpoint inside a call does not go unseen', () => {
    test = makeStore();
    const { db, file, store } = test;
    plant(db, ['a', 'b<a']);
    expect(countWork(db, file, () => store.checkpoint()).checkpoints).toBe(1);
  });
});
