// Where a hit leads, and what of a path holds a text.
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { appendMessage, pathHolds } from './messages';
import { findOnPath, wayTo } from './searchPlace';
import { cnv, codeOf, makeMessage, makeStore, msg, plant, type TestStore } from './storeFixture';
import { moveTip } from './tips';

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

describe('a text in one conversation', () => {
  const find = (query: string, more: { from?: number; budget?: number; clock?: () => number } = {}) =>
    findOnPath(test.db, { tipId: msg('tip'), query, from: more.from ?? 0 }, { clock: more.clock ?? (() => 0), budget: more.budget ?? 1 });
  const write = (name: string, parent: string | null, text: string) =>
    appendMessage(test.db, { message: makeMessage(name, parent, { parts: [{ type: 'text', text }] }), tip: 'follow' });

  it('Q1: is found anywhere, inside words and across marks, and counted by message; other branches are left out', () => {
    plant(test.db, []);
    write('a', null, 'otter, OTTER and pottery');
    write('other', 'a', 'otter');
    write('b', 'a', 'a **big** otter');
    write('tip', 'b', '文件系统');
    expect(find('otter').matches).toEqual([
      { depth: 0, messageId: msg('a'), count: 3 },
      { depth: 1, messageId: msg('b'), count: 1 },
    ]);
    expect(find('big otter').matches.map(({ depth }) => depth)).toEqual([1]);
    expect(find('件').matches.map(({ depth }) => depth)).toEqual([2]);
    expect(find(' ').matches).toEqual([]);
    expect(find('[').matches).toEqual([]);
  });

  it('Q1: what only a call holds counts once', () => {
    plant(test.db, []);
    const call = {
      type: 'toolCall' as const,
      callId: 'c',
      name: 'read_file',
      arguments: '{"path":"otter/otter.md"}',
      summary: 'otter read',
    };
    appendMessage(test.db, { message: makeMessage('tip', null, { parts: [call] }), tip: 'follow' });
    expect(find('otter').matches).toEqual([{ depth: 0, messageId: msg('tip'), count: 1 }]);
  });

  it('R4: a long path is read piece by piece', () => {
    plant(test.db, []);
    for (let at = 0; at < 450; at++) write(at === 449 ? 'tip' : `m${at}`, at === 0 ? null : `m${at - 1}`, 'word');
    let now = 0;
    const page = find('word', { clock: () => ++now * 10 });
    expect([page.matches.length, page.next]).toEqual([200, 200]);
    expect(find('word', { from: 400 }).matches).toHaveLength(50);
    expect(find('word', { budget: 1_000 }).matches).toHaveLength(450);
  });
});
