// The loaded part of a path, checked against trees made at random.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MessageId } from '../../shared/model/ids';
import type { MessageView } from '../../shared/model/talkView';
import { createFakeMain } from '../testing/fakeBridge';
import { addConversation, addMessage, type FakeMain, openView, pathTo } from '../testing/fakeMain';
import { addToPath, emptyPath, type LoadedPath, mergeView, missingRange } from './talkPath';

/** A tree of `parents.length + 1` messages: each hangs under the earlier one its number names. */
function growTree(parents: readonly number[]) {
  const main = createFakeMain();
  const conversation = addConversation(main);
  const ids: MessageId[] = [];
  for (const [index, pick] of [0, ...parents].entries()) {
    const parentId = index === 0 ? null : (ids[pick % index] ?? null);
    ids.push(addMessage(main, { conversationId: conversation.id, role: 'user', parentId, text: String(index) }).id);
  }
  return { main, conversationId: conversation.id, ids };
}
function moveTo(main: FakeMain, conversationId: ReturnType<typeof growTree>['conversationId'], tipId: MessageId) {
  const conversation = main.conversations.get(conversationId)!;
  main.conversations.set(conversationId, { ...conversation, tipId });
}
const idsOf = (path: LoadedPath) => new Map([...path.items].map(([depth, item]) => [depth, item.id]));

describe('talkPath', () => {
  it('T6, U2: a merged path never holds a message of another path, and always holds the fresh slice', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(1000), { minLength: 5, maxLength: 60 }),
        fc.array(fc.record({ tip: fc.nat(1000), count: fc.integer({ min: 1, max: 8 }), load: fc.nat(60) }), {
          minLength: 1,
          maxLength: 12,
        }),
        (parents, visits) => {
          const { main, conversationId, ids } = growTree(parents);
          let path = emptyPath;
          for (const visit of visits) {
            moveTo(main, conversationId, ids[visit.tip % ids.length]!);
            const view = openView(main, conversationId, visit.count);
            path = mergeView(path, view);
            const real = pathTo(main, view.tipId).map((message) => message.id);
            expect(path.length).toBe(real.length);
            for (const [depth, id] of idsOf(path)) expect(id).toBe(real[depth]);
            for (const [index, item] of view.slice.items.entries()) expect(path.items.get(view.slice.offset + index)?.id).toBe(item.id);
            const range = missingRange(path, visit.load % real.length, (visit.load % real.length) + 4, visit.count);
            if (range) path = addToPath(path, openView(main, conversationId, range.count, range.offset).slice);
            for (const [depth, id] of idsOf(path)) expect(id).toBe(real[depth]);
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  it('U2: whatever is missing is asked for in slices inside the path until nothing is', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 400 }),
        fc.nat(400),
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 1, max: 50 }),
        (length, start, span, count) => {
          const { main, conversationId } = growTree(Array.from({ length: length - 1 }, (_, index) => index));
          let path = mergeView(emptyPath, openView(main, conversationId, 1));
          const from = start % length;
          for (let round = 0; ; round++) {
            const range = missingRange(path, from, from + span, count);
            if (!range) break;
            expect(range.offset).toBeGreaterThanOrEqual(0);
            expect(range.offset + range.count).toBeLessThanOrEqual(length);
            const before = path.items.size;
            path = addToPath(path, openView(main, conversationId, range.count, range.offset).slice);
            expect(path.items.size).toBeGreaterThan(before);
            expect(round).toBeLessThan(span + 2);
          }
          for (let depth = from; depth < Math.min(from + span, length); depth++) expect(path.items.has(depth)).toBe(true);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('T1, U2: a message that is fetched again stays the same object, unless its place among its siblings changed', () => {
    const { main, conversationId, ids } = growTree([0, 1, 2]);
    const first = mergeView(emptyPath, openView(main, conversationId));
    const again = mergeView(first, openView(main, conversationId));
    for (const depth of [0, 1, 2, 3]) expect(again.items.get(depth)).toBe(first.items.get(depth));
    addMessage(main, { conversationId, role: 'user', parentId: ids[2]!, text: 'a second version' });
    moveTo(main, conversationId, ids[3]!);
    const changed = mergeView(again, openView(main, conversationId));
    expect(changed.items.get(2)).toBe(first.items.get(2));
    expect((changed.items.get(3) as MessageView).versions).toBe(2);
  });

  it('U3: messages loaded above a gap stay when the path only grew at its end', () => {
    const { main, conversationId } = growTree(Array.from({ length: 199 }, (_, index) => index));
    let path = mergeView(emptyPath, openView(main, conversationId, 10));
    path = addToPath(path, openView(main, conversationId, 10, 20).slice);
    addMessage(main, { conversationId, role: 'assistant', text: 'new' });
    path = mergeView(path, openView(main, conversationId, 10));
    expect(path.items.has(25)).toBe(true);
    expect(path.items.has(200)).toBe(true);
  });
});
