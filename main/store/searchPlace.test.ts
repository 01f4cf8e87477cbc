// What of a path holds a text.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { appendMessage } from './messages';
import { findOnPath } from './searchPlace';
import { makeMessage, makeStore, msg, plant, type TestStore } from './storeFixture';

let test: TestStore;
beforeEach(() => {
  test = makeStore();
});
afterEach(() => test.remove());

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
