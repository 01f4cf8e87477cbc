import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { appendMessage, pathHolds } from './messages';
import { cnv, codeOf, makeMessage, makeStore, msg, plant, type TestStore } from './storeFixture';
import { moveTip } from './tips';
import { wayTo } from './wayTo';

let test: TestStore;
beforeEach(() => {
  test = makeStore();
});
afterEach(() => test.remove());
const conversationId = cnv('1');
const way = (name: string) => wayTo(test.db, { conversationId, messageId: msg(name) });
const go = (name: string) => moveTip(test.db, { conversationId, to: msg(name) });

describe('the way to a message', () => {
  it('Q1, T4: one on the path moves nothing', () => {
    plant(test.db, ['a', 'b<a', 'c<b']);
    expect(way('a')).toEqual({ depth: 0, to: null });
    expect(way('c')).toEqual({ depth: 2, to: null });
  });

  it('Q1, T6: one on another branch leads to where that branch was left', () => {
    plant(test.db, ['a', 'b<a', 'c<b', 'd<c']);
    go('c');
    go('a');
    appendMessage(test.db, { message: makeMessage('x', 'a'), tip: 'follow' });
    expect(way('b')).toEqual({ depth: 1, to: msg('c') });
    // Below where it was left: to the end of its own branch.
    expect(way('d')).toEqual({ depth: 3, to: msg('d') });
  });

  it('Q1, T5: another root is a branch, too', () => {
    plant(test.db, ['a', 'b<a']);
    appendMessage(test.db, { message: makeMessage('other', null), tip: 'stay' });
    moveTip(test.db, { conversationId, to: msg('other') });
    expect(way('a')).toEqual({ depth: 0, to: msg('b') });
  });

  it('U5, T6, T12: through the message in any case, to where its branch was left if that is below it', () => {
    plant(test.db, ['a', 'b<a', 'c<b', 'd<c', 'e<c', 'x<a']);
    go('d');
    go('x');
    expect(['b', 'd', 'e', 'a', 'x'].map((name) => way(name).to)).toEqual([msg('d'), msg('d'), msg('e'), null, null]);
    go('a');
    expect(way('c').to).toBe(msg('d'));
  });

  it('Q1: a message that is gone, or of another conversation, is not there', () => {
    plant(test.db, ['a']);
    plant(test.db, ['z'], '2');
    expect(codeOf(() => way('gone'))).toBe('notFound');
    expect(codeOf(() => way('z'))).toBe('notFound');
  });

  it('Q1: whatever the tree and the moves, the tip it leads to has the message on its path', () => {
    const act = fc.record({ kind: fc.constantFrom('append', 'append', 'move', 'look'), at: fc.nat(30) });
    fc.assert(
      fc.property(fc.array(act, { maxLength: 30 }), (acts) => {
        const other = makeStore();
        try {
          plant(other.db, ['m0']);
          const names = ['m0'];
          for (const { kind, at } of acts) {
            const name = names[at % names.length] ?? 'm0';
            if (kind === 'append') {
              const next = `m${names.length}`;
              appendMessage(other.db, { message: makeMessage(next, at === 30 ? null : name), tip: at % 2 ? 'follow' : 'stay' });
              names.push(next);
            } else if (kind === 'move') moveTip(other.db, { conversationId, to: msg(name) });
            else {
              const { to } = wayTo(other.db, { conversationId, messageId: msg(name) });
              if (to !== null) moveTip(other.db, { conversationId, to });
              if (to !== null) expect(pathHolds(other.db, { conversationId, tipId: to, messageId: msg(name) })).toBe(true);
              expect(wayTo(other.db, { conversationId, messageId: msg(name) }).to).toBeNull();
            }
          }
        } finally {
          other.remove();
        }
      }),
      { numRuns: 60 },
    );
  });
});
