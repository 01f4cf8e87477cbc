// Labels and pins on real databases.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TrashId } from '../../shared/model/ids';
import { listLabels, removeLabel, removePin, setLabel, setPin } from './marks';
import { cnv, codeOf, makeStore, msg, plant, type TestStore } from './storeFixture';
import { readTalk } from './talkView';
import { moveTip } from './tips';
import { deleteSubtree, restore } from './trash';
import { markSubtree } from './trashWalk';

let test: TestStore;
beforeEach(() => {
  test = makeStore();
  plant(test.db, ['a', 'b<a', 'c<b', 'd<a']);
});
afterEach(() => test.remove());

const at = (name: string) => ({ conversationId: cnv('1'), messageId: msg(name) });
const view = () => readTalk(test.db, { conversationId: cnv('1'), count: 10 });

describe('labels and pins', () => {
  it('T10: a message has one label, shown on the paths that hold it, from the root on', () => {
    setLabel(test.db, { ...at('c'), label: 'first', now: 1 });
    setLabel(test.db, { ...at('c'), label: 'second', now: 2 });
    setLabel(test.db, { ...at('a'), label: 'root', now: 3 });
    expect(view().labels).toEqual([
      { messageId: msg('a'), label: 'root' },
      { messageId: msg('c'), label: 'second' },
    ]);
    moveTip(test.db, { conversationId: cnv('1'), to: msg('d') });
    expect(view().labels).toEqual([{ messageId: msg('a'), label: 'root' }]);
    expect(listLabels(test.db, cnv('1'))).toHaveLength(2);
    removeLabel(test.db, at('c'));
    removeLabel(test.db, at('c'));
    expect(listLabels(test.db, cnv('1'))).toHaveLength(1);
  });

  it('T10: a pin is set once and taken away', () => {
    setPin(test.db, { ...at('b'), now: 1 });
    setPin(test.db, { ...at('b'), now: 2 });
    expect(view().pins).toEqual([msg('b')]);
    removePin(test.db, at('b'));
    expect(view().pins ?? []).toEqual([]);
  });

  it('T8, T10: in the trash they show nowhere and cannot be set; they come back with their message', async () => {
    setLabel(test.db, { ...at('c'), label: 'kept', now: 1 });
    setPin(test.db, { ...at('c'), now: 1 });
    const trashId = 'trs_1' as TrashId;
    const marked = await markSubtree(test.db, { ...at('b'), trashId });
    deleteSubtree(test.db, { ...at('b'), trashId, now: 1, marked });
    expect(listLabels(test.db, cnv('1'))).toEqual([]);
    expect(view()).toMatchObject({ labels: [], pins: [] });
    expect(codeOf(() => setLabel(test.db, { ...at('c'), label: 'x', now: 1 }))).toBe('notFound');
    expect(codeOf(() => setPin(test.db, { ...at('c'), now: 1 }))).toBe('notFound');
    restore(test.db, trashId);
    expect(view()).toMatchObject({ labels: [{ messageId: msg('c'), label: 'kept' }], pins: [msg('c')] });
  });

  it('T10: only messages of the conversation take one', () => {
    expect(codeOf(() => setLabel(test.db, { ...at('none'), label: 'x', now: 1 }))).toBe('notFound');
    expect(codeOf(() => setPin(test.db, { conversationId: cnv('2'), messageId: msg('a'), now: 1 }))).toBe('notFound');
  });
});
