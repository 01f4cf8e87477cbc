// Appending, reading along the path, and coping with what another program did to the rows.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { getConversation } from './conversations';
import { connectionOf, transaction } from './database';
import { appendMessage, childrenOf, depthOf, getMessage, lastMessageId, readPath, readSlice, readTail } from './messages';
import { cnv, codeOf, makeMessage, makeStore, msg, plant, type TestStore } from './storeFixture';
import { readTalk } from './talkView';

let test: TestStore;
beforeEach(() => {
  test = makeStore();
});
afterEach(() => test.remove());

const names = (messages: readonly { id: string }[]) => messages.map(({ id }) => id.replace('msg_', '')).join(' ');
const sql = (text: string) => connectionOf(test.db).exec(text);
describe('append', () => {
  it('T1: reads back a message exactly as it was appended', () => {
    plant(test.db, ['a']);
    const full = makeMessage('b', 'a', {
      role: 'assistant',
      status: 'interrupted',
      parts: [
        { type: 'reasoning', text: 'hm', source: 'thinking' },
        { type: 'text', text: 'line\n"quoted" ё 語' },
        { type: 'raw', source: 'x', json: '{"a":1}' },
      ],
      model: 'demo/demo',
      usage: { input: 3, output: 4, cachedInput: 1 },
      edited: true,
      finish: 'length',
      failure: { code: 'stopped', message: 'Stopped.', retryable: true, detail: { status: 1 } },
      durationMs: 12,
    });
    appendMessage(test.db, { message: full, tip: 'follow' });
    expect(getMessage(test.db, full.id)).toEqual(full);
    expect(getMessage(test.db, msg('a'))).toEqual(makeMessage('a', null));
    expect(readPath(test.db, full.id)).toEqual([makeMessage('a', null), full]);
  });

  it('T1: an id that exists is refused and the first message stays', () => {
    plant(test.db, ['a', 'b<a']);
    const again = makeMessage('b', 'a', { parts: [{ type: 'text', text: 'other' }] });
    expect(codeOf(() => appendMessage(test.db, { message: again, tip: 'follow' }))).toBe('conflict');
    expect(getMessage(test.db, msg('b'))).toEqual(makeMessage('b', 'a'));
  });

  it('T3: the tip follows only from the parent', () => {
    plant(test.db, ['a', 'b<a']);
    expect(appendMessage(test.db, { message: makeMessage('c', 'a'), tip: 'follow' })).toEqual({ moved: false });
    expect(getConversation(test.db, cnv('1'))?.tipId).toBe(msg('b'));
    expect(appendMessage(test.db, { message: makeMessage('d', 'b'), tip: 'stay' })).toEqual({ moved: false });
    expect(getConversation(test.db, cnv('1'))?.tipId).toBe(msg('b'));
    expect(appendMessage(test.db, { message: makeMessage('e', 'b'), tip: 'follow' })).toEqual({ moved: true });
    expect(getConversation(test.db, cnv('1'))?.tipId).toBe(msg('e'));
  });

  it('T7: a ring, a missing parent and a parent of another conversation are refused, and nothing is written', () => {
    plant(test.db, ['a', 'b<a']);
    plant(test.db, ['x'], '2');
    expect(codeOf(() => appendMessage(test.db, { message: makeMessage('c', 'c'), tip: 'follow' }))).toBe('wouldCloseRing');
    expect(codeOf(() => appendMessage(test.db, { message: makeMessage('c', 'nowhere'), tip: 'follow' }))).toBe('conflict');
    expect(codeOf(() => appendMessage(test.db, { message: makeMessage('c', 'x'), tip: 'follow' }))).toBe('conflict');
    expect(codeOf(() => appendMessage(test.db, { message: makeMessage('c', null, { conversationId: cnv('none') }), tip: 'follow' }))).toBe(
      'notFound',
    );
    expect(getMessage(test.db, msg('c'))).toBeUndefined();
  });

  it('R3: a clock that goes backwards changes no order', () => {
    plant(test.db, ['a']);
    appendMessage(test.db, { message: makeMessage('b', 'a', { createdAt: 9000 }), tip: 'stay' });
    appendMessage(test.db, { message: makeMessage('c', 'a', { createdAt: 5 }), tip: 'stay' });
    expect(names(childrenOf(test.db, { conversationId: cnv('1'), parentId: msg('a') }))).toBe('b c');
    expect(lastMessageId(test.db, cnv('1'))).toBe(msg('c'));
    expect(getConversation(test.db, cnv('1'))?.updatedAt).toBe(9000);
  });
});

describe('reading', () => {
  it('T2, T6: a slice carries each message’s place among its siblings', () => {
    plant(test.db, ['a', 'r2', 'b<a', 'c<a', 'd<c', 'e<c', 'f<c']);
    const views = readTail(test.db, { conversationId: cnv('1'), tipId: msg('e'), count: 50 });
    expect(views.map(({ id, depth, version, versions }) => [id.slice(4), depth, version, versions])).toEqual([
      ['a', 0, 1, 2],
      ['c', 1, 2, 2],
      ['e', 2, 2, 3],
    ]);
  });

  it('T2: a window anywhere in a deep path', () => {
    transaction(test.db, () => plant(test.db, ['m0', ...Array.from({ length: 500 }, (_, i) => `m${i + 1}<m${i}`)]));
    const slice = readSlice(test.db, { tipId: msg('m500'), offset: 200, count: 3 });
    expect(slice.offset).toBe(200);
    expect(names(slice.items)).toBe('m200 m201 m202');
    expect(names(readSlice(test.db, { tipId: msg('m500'), offset: 499, count: 30 }).items)).toBe('m499 m500');
    expect(readSlice(test.db, { tipId: msg('m500'), offset: 700, count: 30 }).items).toEqual([]);
    expect(readPath(test.db, msg('m500'))).toHaveLength(501);
    expect([depthOf(test.db, msg('m321')), depthOf(test.db, msg('nobody'))]).toEqual([321, undefined]);
    expect(readTalk(test.db, { conversationId: cnv('1'), count: 2 })).toMatchObject({ length: 501, slice: { offset: 499 } });
  });

  it('T7: content another program damaged is kept as raw parts', () => {
    plant(test.db, ['a', 'b<a']);
    sql(
      `UPDATE messages SET text = NULL, parts = '{"no":"list"}' WHERE id = 'msg_a'; UPDATE messages SET text = NULL, parts = '[{"type":"odd"},' WHERE id = 'msg_b'`,
    );
    expect(readPath(test.db, msg('b')).map(({ parts }) => parts)).toEqual([
      [{ type: 'raw', source: 'database', json: '{"no":"list"}' }],
      [{ type: 'raw', source: 'database', json: '[{"type":"odd"},' }],
    ]);
  });
});

describe('another program at the rows', () => {
  it('T7: rows given only id, conversation, parent and role take their place', () => {
    plant(test.db, ['a', 'b<a']);
    sql(
      `INSERT INTO messages (id, conversation_id, parent_id, role) VALUES ('msg_x', 'cnv_1', 'msg_b', 'user'), ('msg_y', 'cnv_1', 'msg_a', 'assistant')`,
    );
    const talk = readTalk(test.db, { conversationId: cnv('1'), count: 50 });
    expect(talk.tipChildren).toBe(1);
    expect(talk.slice.items.map(({ version, versions }) => `${version}/${versions}`)).toEqual(['1/1', '1/2']);
    expect(readPath(test.db, msg('x')).map(({ parts }) => parts.length)).toEqual([1, 1, 0]);
  });

  it('T7: a ring is broken at its oldest message, which is marked as recovered; nothing is dropped', () => {
    plant(test.db, ['a', 'b<a', 'c<b', 'd<c']);
    sql(`UPDATE messages SET parent_id = 'msg_c' WHERE id = 'msg_b'`);
    const talk = readTalk(test.db, { conversationId: cnv('1'), count: 50 });
    expect(names(talk.slice.items)).toBe('b c d');
    expect(talk.slice.items.map(({ recovered }) => recovered ?? false)).toEqual([true, false, false]);
    expect(names(childrenOf(test.db, { conversationId: cnv('1'), parentId: null }))).toBe('a b');
    expect(names(childrenOf(test.db, { conversationId: cnv('1'), parentId: msg('c') }))).toBe('d');
    expect(readPath(test.db, msg('d'))).toHaveLength(3);
    expect(appendMessage(test.db, { message: makeMessage('e', 'd'), tip: 'follow' }).moved).toBe(true);
  });

  it('T7: a message that is its own parent, and one whose parent is gone or elsewhere, become roots', () => {
    plant(test.db, ['a', 'b<a', 'c<b', 'd<c']);
    plant(test.db, ['x'], '2');
    sql(
      `UPDATE messages SET parent_id = 'msg_b' WHERE id = 'msg_b'; UPDATE messages SET parent_id = 'msg_x' WHERE id = 'msg_d'; DELETE FROM messages WHERE id = 'msg_a'`,
    );
    expect(names(childrenOf(test.db, { conversationId: cnv('1'), parentId: null }))).toBe('b d');
    expect(readTalk(test.db, { conversationId: cnv('1'), count: 50 }).slice.items).toMatchObject([
      { id: msg('d'), recovered: true, version: 2, versions: 2 },
    ]);
    expect(names(readTail(test.db, { conversationId: cnv('1'), tipId: msg('c'), count: 9 }))).toBe('b c');
  });

  it('T7: derived columns that lie are found by the walk and rebuilt', () => {
    plant(test.db, ['a', 'b<a', 'c<b', 'd<c']);
    sql(`UPDATE messages SET depth = 7, jump_id = 'msg_d' WHERE id = 'msg_b'`);
    expect(names(readTail(test.db, { conversationId: cnv('1'), tipId: msg('d'), count: 9 }))).toBe('a b c d');
    sql(`UPDATE messages SET depth = 0 WHERE id = 'msg_c'`);
    expect(names(readPath(test.db, msg('d')))).toBe('a b c d');
    const depths = connectionOf(test.db).prepare('SELECT depth FROM messages ORDER BY seq').pluck().all();
    expect(depths).toEqual([0, 1, 2, 3]);
  });

  it('T7: a tip that names nothing falls back to the newest message and says so; a send goes on from there', () => {
    plant(test.db, ['a', 'b<a', 'c<a']);
    sql(`UPDATE conversations SET tip_id = 'msg_gone'`);
    expect(readTalk(test.db, { conversationId: cnv('1'), count: 9 })).toMatchObject({ tipId: msg('c'), length: 2, notice: 'tipLost' });
  });
});
