// The one measure, when a pass is due, and when automatic ones rest (L6, L7, L13, L14, L19, L21).
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compactionDefaults, numbersInForce } from '../../../shared/model/compaction';
import { agent } from '../contextFixture';
import { duePass, isStillThrashing, isTurnStart, restingUndo } from './due';
import { guardRequest } from './guard';
import { contextOf, type Entry, entriesArbitrary, id, pathOf, recordOf } from './ladderFixture';
import { weigh } from './weigh';

const user = (tokens = 10): Entry => ({ kind: 'user', tokens });
const call = (tokens: number, reported?: number): Entry => ({ kind: 'call', tokens, ...(reported === undefined ? {} : { reported }) });

describe('the measure', () => {
  it('L7: reported use of the last step and the estimate of what came after, where that is more than the estimate of all', () => {
    const made = pathOf([user(), call(1000, 5000), call(1000)]);
    const weight = weigh({ context: contextOf(made) });
    expect(weight.estimate).toBeGreaterThan(1900);
    expect(weight.estimate).toBeLessThan(2300);
    expect(weight.reported).toBeGreaterThan(5000 + 1000);
    expect(weight.tokens).toBe(weight.reported);
    const low = weigh({ context: contextOf(pathOf([user(), call(1000, 50), call(1000)])) });
    expect(low.tokens).toBe(low.estimate);
  });

  it('L7, T7, U3: use reported before the latest record never counts, nor does what an undo changed', () => {
    const made = pathOf([user(), call(1000, 90_000), call(1000)]);
    const at = (createdAt: number, more = {}) => {
      const record = recordOf('1', 1, { kind: 'free', ...more });
      return weigh({ context: contextOf(made, { records: [{ ...record, receipt: { ...record.receipt, createdAt } }] }) }).reported;
    };
    expect(at(0)).toBeGreaterThan(90_000);
    expect(at(1)).toBeNull();
    expect(at(0, { undone: true, changedAt: 2 })).toBeNull();
  });

  it('L16: a refusal raises the estimate; a provider that counts more scales distances', () => {
    const made = pathOf([user(), call(1000)]);
    const plain = weigh({ context: contextOf(made) });
    expect(weigh({ context: contextOf(made), raised: 2 }).tokens).toBe(Math.ceil(plain.estimate * 2));
    expect(weigh({ context: contextOf(pathOf([user(), call(1000, 2200)])) }).scale).toBeCloseTo(2, 0);
  });

  it('L6, L7: always: more on the path never weighs less, and bytes are those of what is sent', () => {
    fc.assert(
      fc.property(entriesArbitrary, (entries) => {
        const made = pathOf(entries);
        const whole = weigh({ context: contextOf(made) });
        const shorter = weigh({ context: contextOf({ path: made.path.slice(0, -1), steps: made.steps }) });
        expect(whole.tokens).toBeGreaterThanOrEqual(shorter.tokens);
        expect(whole.bytes).toBeGreaterThanOrEqual(shorter.bytes);
      }),
    );
  });
});

describe('when a pass is due', () => {
  const numbers = numbersInForce([{ threshold: 1000, requestThreshold: 3000, maxRequestBytes: 65_536 }], 10_000);
  const due = (entries: Entry[], bodyLimit?: number) => {
    const context = contextOf(pathOf(entries));
    return duePass({ built: context.sent, weight: weigh({ context }), numbers, bodyLimit });
  };

  it('L6: at the start of a turn by the one line, between steps by the other', () => {
    expect(due([user(), { kind: 'answer', tokens: 1500 }, user()])).toMatchObject({ trigger: 'turnStart', line: 1000 });
    expect(due([user(), call(1500)])).toBeNull();
    expect(due([user(), call(3500)])).toMatchObject({ trigger: 'betweenSteps', line: 3000 });
    expect(isTurnStart(contextOf(pathOf([user(), call(1)])).sent)).toBe(false);
  });

  it('L6: by bytes at both places, at most 60 % of a known body limit', () => {
    const talk: Entry[] = [user(), { kind: 'answer', tokens: 800 }, user()];
    expect(due(talk, 1500)).toMatchObject({ trigger: 'bytes', measure: 'bytes', line: 900 });
    expect(due([...talk, call(800)], 1500)).toMatchObject({ trigger: 'bytes', line: 900 });
    expect(due(talk)).toBeNull();
  });

  it('L6: each switched off alone', () => {
    const off = numbersInForce([{ threshold: null }], 10_000);
    const context = contextOf(pathOf([user(), { kind: 'answer', tokens: 8000 }, user()]));
    expect(duePass({ built: context.sent, weight: weigh({ context }), numbers: off, bodyLimit: undefined })).toBeNull();
    expect(off.requestThreshold).toBe(8500);
  });

  it('L19: after an undo they rest until the next message', () => {
    const made = pathOf([user(), call(10), call(10)]);
    const rests = (changedAt: number) => {
      const context = contextOf(made, { records: [recordOf('1', 1, { undone: true, changedAt })] });
      return restingUndo(context, context.sent)?.id ?? null;
    };
    expect([rests(1), rests(2), rests(9)]).toEqual([null, 'rec_1', 'rec_1']);
  });

  it('L19: a pass by hand after it is a word for the memory: automatic ones go on; one that came before is not', () => {
    const made = pathOf([user(), call(10), call(10)]);
    const rests = (trigger: 'hand' | 'turnStart', createdAt: number) => {
      const later = recordOf('2', 1, { receipt: { ...recordOf('2', 1).receipt, trigger, createdAt } });
      const context = contextOf(made, { records: [recordOf('1', 1, { undone: true, changedAt: 5 }), later] });
      return restingUndo(context, context.sent) !== null;
    };
    expect([rests('hand', 9), rests('hand', 4), rests('turnStart', 9)]).toEqual([false, true, true]);
  });

  it('L13: a word of thrash holds until there is new work', () => {
    const { sent } = contextOf(pathOf([user(), call(10), call(10), call(10), user()]));
    expect(isStillThrashing(sent.slice(0, 3), id(1))).toBe(true);
    expect(isStillThrashing(sent.slice(0, 4), id(1))).toBe(false);
    expect(isStillThrashing([...sent.slice(0, 2), ...sent.slice(4)], id(1))).toBe(false);
    expect(isStillThrashing(sent, 'msg_elsewhere' as never)).toBe(false);
  });
});

describe('the numbers in force', () => {
  it('L21: each is capped by a share of the window, also when the user set it', () => {
    const small = numbersInForce([{ protectTokens: 50_000, retainedTokens: 90_000 }], 8192);
    expect(small).toMatchObject({ protectTokens: 1228, retainedTokens: 1638, minSavings: 245, cardTokens: 1228, autoReadTokens: 655 });
    expect(numbersInForce([], undefined)).toMatchObject({ protectTokens: compactionDefaults.protectTokens, threshold: null, window: null });
    expect(numbersInForce([], 200_000)).toMatchObject({
      threshold: 140_000,
      requestThreshold: 170_000,
      retainedTokens: 20_000,
      cardTokens: 3000,
    });
  });

  it('L21: later settings win: the user, the workspace, the agent; a share is of the window, a number is tokens', () => {
    expect(numbersInForce([{ threshold: 0.5 }, { threshold: 0.6 }, {}], 1000).threshold).toBe(600);
    expect(numbersInForce([{ threshold: 900 }], 10_000).threshold).toBe(900);
    expect(numbersInForce([{ threshold: 90_000 }], 10_000).threshold).toBe(10_000);
  });
});

describe('the guard', () => {
  const guard = (entries: Entry[], window: number, bodyLimit?: number, maxOutput?: number) => {
    const context = contextOf(pathOf(entries));
    const asked = { ...agent, parameters: maxOutput === undefined ? {} : { maxOutput } };
    return guardRequest({ context, weight: weigh({ context }), agent: asked, model: { id: 'm', contextWindow: window }, bodyLimit });
  };

  it('L14: in tokens and in bytes, with the parts by name', () => {
    expect(guard([user(100)], 4000)).toEqual({ type: 'fits' });
    expect(guard([user(5000)], 4000)).toMatchObject({
      type: 'tooLarge',
      failure: { code: 'overflowTokens', detail: { limit: 4000, parts: [{ name: 'firstRequest' }] } },
    });
    expect(guard([user(5000)], 100_000, 2000)).toMatchObject({
      type: 'tooLarge',
      failure: { code: 'overflowBytes', detail: { limit: 2000 } },
    });
  });

  it('L14: room for the answer that is too big is lowered, not refused', () => {
    const verdict = guard([user(3000)], 4000, undefined, 4000);
    expect(verdict.type === 'fits' && verdict.maxOutput).toBeGreaterThan(800);
    expect(verdict.type === 'fits' && verdict.maxOutput).toBeLessThan(1000);
  });
});
