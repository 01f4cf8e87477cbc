import { describe, expect, it } from 'vitest';
import type { BlobHash } from '../../../../shared/model/ids';
import { callKey, defaultLoopLimits, guardCalls, outcomeOf, type PastCall } from './loopGuard';

const call = (name: string, input: unknown = {}) => ({ name, arguments: JSON.stringify(input) });
const past = (name: string, input: unknown, outcome: string): PastCall => ({ name, key: callKey(name, JSON.stringify(input)), outcome });
const types = (guarded: ReturnType<typeof guardCalls>) => guarded.verdicts.map((verdict) => verdict.type);

describe('guardCalls', () => {
  it('A5: of forty calls at once the first sixteen run, and each of the others is answered', () => {
    const guarded = guardCalls(
      [],
      Array.from({ length: 40 }, (_, index) => call('read_file', { path: `${index}` })),
      0,
    );
    expect(types(guarded)).toEqual([...Array(16).fill('run'), ...Array(24).fill('refuse')]);
    expect(guarded.endTurn).toBeUndefined();
    expect(guarded.verdicts[39]).toMatchObject({ result: { isError: true, summary: 'Not run: at most 16 calls in one step' } });
  });

  it('A5: a call that keeps coming back the same is refused, one whose result changes is not', () => {
    const same = Array.from({ length: 4 }, () => past('run_command', { command: 'ls' }, 'same'));
    expect(types(guardCalls(same.slice(1), [call('run_command', { command: 'ls' })], 0))).toEqual(['run']);
    expect(types(guardCalls(same, [call('run_command', { command: 'ls' }), call('run_command', { command: 'pwd' })], 0))).toEqual([
      'refuse',
      'run',
    ]);
    const changing = same.map((each, index) => ({ ...each, outcome: `${index}` }));
    expect(types(guardCalls(changing, [call('run_command', { command: 'ls' })], 0))).toEqual(['run']);
  });

  it('A5: circles of several calls are seen, old ones forgotten', () => {
    const circle = Array.from({ length: 4 }, () => [past('a', {}, 'x'), past('b', {}, 'y')]).flat();
    expect(types(guardCalls(circle, [call('a'), call('b')], 0))).toEqual(['refuse', 'refuse']);
    const others = Array.from({ length: defaultLoopLimits.window }, (_, index) => past('c', { index }, 'z'));
    expect(types(guardCalls([...circle, ...others], [call('a')], 0))).toEqual(['run']);
  });

  it('A5: an agent that goes on in spite of refusals ends its turn, with a sentence for the user', () => {
    const same = Array.from({ length: 4 }, () => past('a', {}, 'x'));
    expect(guardCalls(same, [call('a')], 5).endTurn).toBeUndefined();
    expect(guardCalls(same, [call('a')], 6).endTurn).toBe('The agent went in circles: 7 of its calls were refused.');
    expect(guardCalls(same, [call('a'), call('b')], 6).endTurn).toBeUndefined();
  });

  it('A5, C3: an agent that goes back again and again, each time with another digest, is stopped; one that explores in between is not', () => {
    const digest = (at: number) => ({ label: 'a', digest: `try ${at}` });
    const rewound = (count: number) => Array.from({ length: count }, (_, at) => past('rewind', digest(at), `${at}`));
    expect(types(guardCalls(rewound(7), [call('rewind', digest(8))], 0))).toEqual(['run']);
    const guarded = guardCalls(rewound(8), [call('rewind', digest(9)), call('read_file', { path: 'x' })], 0);
    expect(types(guarded)).toEqual(['refuse', 'run']);
    expect(guardCalls(rewound(8), [call('rewind', digest(9))], 6).endTurn).toMatch(/went in circles/);
    const explored = rewound(8).flatMap((one, at) => [
      ...Array.from({ length: 4 }, (_, n) => past('read_file', { path: `${at}/${n}` }, 'x')),
      one,
    ]);
    expect(types(guardCalls(explored, [call('rewind', digest(9))], 0))).toEqual(['run']);
  });

  it('A5: the same call many times in one step runs a few times', () => {
    expect(types(guardCalls([], Array(8).fill(call('a')), 0))).toEqual([...Array(4).fill('run'), ...Array(4).fill('refuse')]);
  });
});

describe('what counts as the same', () => {
  it('A5: arguments in another order or spacing are the same call, other values or broken ones are not', () => {
    expect(callKey('a', '{"x":1,"y":{"p":[1],"q":2}}')).toBe(callKey('a', ' { "y": {"q":2, "p":[1]}, "x": 1 }'));
    for (const other of ['{"x":1,"y":{"p":[2],"q":2}}', '{"x":1', ''])
      expect(callKey('a', other)).not.toBe(callKey('a', '{"x":1,"y":{"p":[1],"q":2}}'));
    expect(callKey('a', '{}')).not.toBe(callKey('b', '{}'));
  });

  it('A5: the time a command took is no difference, its output is', () => {
    expect(outcomeOf({ summary: 'Ran x (exit code 0, 1.2 s)' })).toBe(outcomeOf({ summary: 'Ran x (exit code 0, 0.3 s)' }));
    const results = [
      { summary: 's', content: 'a' },
      { summary: 's', content: 'b' },
      { summary: 's', content: 'a', isError: true },
      { summary: 's', content: 'a', stored: { hash: 'f'.repeat(64) as BlobHash, size: 1, lines: 1 } },
    ];
    expect(new Set(results.map(outcomeOf)).size).toBe(4);
  });
});
