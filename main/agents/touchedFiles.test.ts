import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Part } from '../../shared/model/message';
import { touchedAfter, touchesOf } from '../context/touchedFiles';
import { transaction } from '../store/database';
import { appendMessage, readPath } from '../store/messages';
import { cnv, makeMessage, makeStore, msg, plant, type TestStore } from '../store/storeFixture';
import { readTouchedFiles } from './touchedFiles';

const place = { folders: ['/w'], platform: 'linux' as const };
let store: TestStore;
beforeEach(() => {
  store = makeStore();
});
afterEach(() => store.remove());

const call = (name: string, path: string): Part => ({
  type: 'toolCall',
  callId: 'c',
  name,
  arguments: JSON.stringify({ path }),
  summary: 'Done',
});
const append = (name: string, parent: string, ...parts: Part[]) =>
  appendMessage(store.db, { message: makeMessage(name, parent, { role: 'assistant', parts }), tip: 'stay' });
const read = (tip: string, depth: number) => readTouchedFiles(store.db, { conversationId: cnv('1'), tipId: msg(tip), depth, place });
/** All of it, at once. */
const whole = (tip: string) =>
  [
    ...touchedAfter(
      new Map(),
      readPath(store.db, msg(tip)).map((message, depth) => ({ touches: touchesOf(message, place), messageId: message.id, depth })),
    ).values(),
  ].reverse();

describe('readTouchedFiles', () => {
  it('A5: files along the path, newest first, none of another branch', async () => {
    plant(store.db, ['ask']);
    append('one', 'ask', call('read_file', 'a'), call('edit_file', 'b'));
    append('two', 'one', call('edit_file', 'a'));
    append('other', 'one', call('write_file', 'c'));
    expect(await read('two', 2)).toEqual([
      { path: 'a', read: 1, changed: 1, messageId: msg('two'), depth: 2 },
      { path: 'b', read: 0, changed: 1, messageId: msg('one'), depth: 1 },
    ]);
    expect((await read('other', 2)).map((file) => file.path)).toEqual(['c', 'b', 'a']);
    expect((await read('ask', 0)).map((file) => file.path)).toEqual([]);
    await expect(read('none', 3)).rejects.toMatchObject({ failure: { code: 'notFound' } });
  });

  it('A5: what is found in slices and from an earlier answer on is what the whole path says', async () => {
    plant(store.db, ['0']);
    transaction(store.db, () => {
      for (let at = 1; at <= 700; at++) append(`${at}`, `${at - 1}`, call(at % 3 ? 'read_file' : 'edit_file', `f${at % 50}`));
      for (let at = 650; at <= 660; at++) append(`s${at}`, at === 650 ? '649' : `s${at - 1}`, call('read_file', `s${at % 5}`));
    });
    for (const [tip, depth] of [
      ['300', 300],
      ['310', 310],
      ['700', 700],
      ['s660', 660],
      ['5', 5],
      ['700', 700],
      ['700', 700],
    ] as const)
      expect(await read(tip, depth), tip).toEqual(whole(tip));
  });

  it('A5: asked for twice at the same time it gives the same twice', async () => {
    plant(store.db, ['0']);
    for (let at = 1; at <= 250; at++) append(`${at}`, `${at - 1}`, call('read_file', `f${at % 7}`));
    const [a, b, c] = await Promise.all([read('250', 250), read('100', 100), read('250', 250)]);
    expect(a).toEqual(whole('250'));
    expect(b).toEqual(whole('100'));
    expect(c).toEqual(a);
  });
});
