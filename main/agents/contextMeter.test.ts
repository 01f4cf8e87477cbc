import fc from 'fast-check';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { addMessage, addStretch, emptySum, sumStretch } from '../context/measureContext';
import { createConversation } from '../store/conversations';
import { transaction } from '../store/database';
import { appendMessage, readPath } from '../store/messages';
import { cnv, makeMessage, makeStore, msg, type TestStore } from '../store/storeFixture';
import { createContextMeter } from './contextMeter';

let store: TestStore;
beforeEach(() => {
  store = makeStore();
  createConversation(store.db, { id: cnv('1'), now: 1, agentId: null });
});
afterEach(() => store.remove());

const grow = (from: number, to: number) =>
  transaction(store.db, () => {
    for (let n = from; n < to; n++) {
      const usage = n % 7 === 3 ? { usage: { input: 10 * n, output: 5 } } : {};
      appendMessage(store.db, { message: makeMessage(`${n}`, n === 0 ? null : `${n - 1}`, usage), tip: 'follow' });
    }
  });
const whole = (n: number) => readPath(store.db, msg(`${n}`)).reduce(addMessage, emptySum);

it('U4: a sum from the nearest known message equals the sum of the whole path, at any length and on any branch', async () => {
  grow(0, 450);
  const meter = createContextMeter();
  for (const n of [449, 0, 449, 200, 199]) expect(await meter.sum(store.db, msg(`${n}`), n)).toEqual(whole(n));
  grow(450, 1000);
  expect(await meter.sum(store.db, msg('999'), 999)).toEqual(whole(999));
  appendMessage(store.db, { message: makeMessage('side', '300'), tip: 'stay' });
  expect(await meter.sum(store.db, msg('side'), 301)).toEqual(readPath(store.db, msg('side')).reduce(addMessage, emptySum));
});

it('L7: stretches of a path summed apart and joined are the sum of its messages, wherever it is cut and whoever reported', () => {
  const message = fc.record({
    text: fc.string({ maxLength: 40 }),
    usage: fc.option(fc.record({ input: fc.nat(9_000), output: fc.nat(900), estimated: fc.constantFrom(true, undefined) }), {
      nil: undefined,
    }),
  });
  fc.assert(
    fc.property(fc.array(message, { maxLength: 30 }), fc.nat(30), fc.nat(30), (drawn, a, b) => {
      const path = drawn.map(({ text, usage }) => ({ parts: [{ type: 'text' as const, text }], usage }));
      const [first, second] = [Math.min(a, b), Math.max(a, b)];
      const stretches = [path.slice(0, first), path.slice(first, second), path.slice(second)].map(sumStretch);
      expect(stretches.reduce(addStretch, emptySum)).toEqual(path.reduce(addMessage, emptySum));
    }),
  );
});
