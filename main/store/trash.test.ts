// Deleting and putting back, on real databases: what is left reads as if the rest had never been, and undo leaves no trace.
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { MessageId, QueuedId, TrashId, TurnId } from '../../shared/model/ids';
import { type Bone, derive } from '../../shared/tree/derive';
import { randomTree } from '../../shared/tree/treeArbitrary';
import { addCheckpoint } from './checkpointRows';
import { createConversation, getConversation, listConversations } from './conversations';
import { asReadable, change, connectionOf, select, transaction } from './database';
import { putFailedTurn } from './failedTurns';
import { startStep } from './liveSteps';
import { appendMessage, childrenOf, getMessage, lastMessageId, readPath, readSlice } from './messages';
import { openStore } from './open';
import { addQueued, listQueued } from './queuedMessages';
import { rebuildDerived } from './repair';
import { cnv, codeOf, makeFailed, makeMessage, makeStep, makeStore, msg, plant, type TestStore } from './storeFixture';
import { readTalk } from './talkView';
import { currentTip, forwardTarget, moveTip, siblingTarget } from './tips';
import { type Deletion, deleteConversation, deleteSubtree, restore } from './trash';
import { listTrash } from './trashRows';
import { countDeletion, markSubtree, type Pace } from './trashWalk';

let test: TestStore;
beforeEach(() => {
  test = makeStore();
});
afterEach(() => test.remove());

const one = { conversationId: cnv('1') };
const trs = (name: string) => `trs_${name}` as TrashId;
/** A slice is a single message: everything else gets in between. */
const slowest: Pace = { now: () => 0, pause: async () => undefined, sliceMs: 0 };

async function remove(id: MessageId, name: string): Promise<Deletion> {
  const marked = await markSubtree(test.db, { ...one, messageId: id, trashId: trs(name) }, slowest);
  return deleteSubtree(test.db, { ...one, messageId: id, trashId: trs(name), now: 5000, marked });
}
const view = () => readTalk(test.db, { ...one, count: 100 });
const ids = () => view().slice.items.map(({ id }) => id);
const rows = (table: string) => select<Record<string, unknown>>(test.db, `SELECT * FROM ${table} ORDER BY 1, 2`).all();
const everything = () => ['conversations', 'messages', 'branch_tips', 'checkpoints', 'failed_turns', 'queued_messages', 'trash'].map(rows);

describe('deleting a part of a conversation', () => {
  it('T8: its siblings close up, the tip inside moves to the parent, and undo puts back all of it', async () => {
    plant(test.db, ['a', 'b<a', 'c<a', 'd<c', 'e<d', 'f<a']);
    moveTip(test.db, { ...one, to: msg('e') });
    const before = everything();
    expect(await remove(msg('c'), '1')).toEqual({ done: true, messages: 3, checkpoints: 0 });
    expect(ids()).toEqual([msg('a')]);
    expect(childrenOf(test.db, { ...one, parentId: msg('a') }).map(({ id }) => id)).toEqual([msg('b'), msg('f')]);
    expect(view().tipChildren).toBe(2);
    moveTip(test.db, { ...one, to: msg('f') });
    expect(view().slice.items.at(-1)).toMatchObject({ id: msg('f'), version: 2, versions: 2 });
    moveTip(test.db, { ...one, to: msg('a') });
    change(test.db, 'DELETE FROM branch_tips').run();
    restore(test.db, trs('1'));
    expect(everything()[0]).toEqual(before[0]);
    expect(everything()[1]).toEqual(before[1]);
    expect(listTrash(test.db)).toEqual([]);
  });

  it('T8: what is in the trash is not found by its id, its slice, its path, its siblings or a move', async () => {
    plant(test.db, ['a', 'b<a', 'c<b', 'd<a']);
    await remove(msg('b'), '1');
    for (const id of [msg('b'), msg('c')]) {
      expect(getMessage(test.db, id)).toBeUndefined();
      expect(codeOf(() => readPath(test.db, id))).toBe('notFound');
      expect(codeOf(() => readSlice(test.db, { tipId: id, offset: 0, count: 5 }))).toBe('notFound');
      expect(codeOf(() => moveTip(test.db, { ...one, to: id }))).toBe('notFound');
      expect(codeOf(() => forwardTarget(test.db, id))).toBe('notFound');
    }
    expect(codeOf(() => appendMessage(test.db, { message: makeMessage('x', 'c'), tip: 'stay' }))).toBe('conflict');
    const next = { ...one, parentId: msg('a'), from: msg('d'), direction: 'previous' } as const;
    expect(codeOf(() => siblingTarget(test.db, next))).toBe('notFound');
    expect(lastMessageId(test.db, cnv('1'))).toBe(msg('d'));
  });

  it('T8, T3: of roots, the tip goes to the branch of the next one; of the last, the conversation is empty', async () => {
    plant(test.db, ['a', 'b<a', 'c', 'd<c']);
    moveTip(test.db, { ...one, to: msg('d') });
    await remove(msg('c'), '1');
    expect(currentTip(test.db, cnv('1'))).toBe(msg('b'));
    await remove(msg('a'), '2');
    expect(view()).toMatchObject({ tipId: null, length: 0 });
    expect(view().notice).toBeUndefined();
    restore(test.db, trs('1'));
    expect(currentTip(test.db, cnv('1'))).toBe(msg('d'));
    restore(test.db, trs('2'));
    expect(currentTip(test.db, cnv('1'))).toBe(msg('d'));
    expect(childrenOf(test.db, { ...one, parentId: null }).map(({ id }) => id)).toEqual([msg('a'), msg('c')]);
  });

  it('T8, T3: a tip that was moved since stays where it is on undo', async () => {
    plant(test.db, ['a', 'b<a', 'c<a']);
    moveTip(test.db, { ...one, to: msg('b') });
    await remove(msg('b'), '1');
    moveTip(test.db, { ...one, to: msg('c') });
    restore(test.db, trs('1'));
    expect(currentTip(test.db, cnv('1'))).toBe(msg('c'));
  });

  it('T6, T8: a branch that was left inside is remembered at its parent, and as it was after undo', async () => {
    plant(test.db, ['a', 'b<a', 'c<b', 'd<c', 'x<a']);
    moveTip(test.db, { ...one, to: msg('d') });
    moveTip(test.db, { ...one, to: msg('x') });
    const before = rows('branch_tips');
    await remove(msg('d'), '1');
    const back = { ...one, parentId: msg('a'), from: msg('x'), direction: 'previous' } as const;
    expect(siblingTarget(test.db, back).to).toBe(msg('c'));
    restore(test.db, trs('1'));
    expect(rows('branch_tips')).toEqual(before);
    expect(siblingTarget(test.db, back).to).toBe(msg('d'));
  });

  it('T8, C4, A6: checkpoints, failures and waiting messages go with it, are counted, and come back', async () => {
    plant(test.db, ['a', 'b<a', 'c<b']);
    connectionOf(test.db).exec("UPDATE messages SET turn_id = 'trn_1' WHERE id = 'msg_c'");
    addCheckpoint(test.db, { ...one, messageId: msg('c'), label: 'here', by: 'user', createdAt: 1 });
    putFailedTurn(test.db, makeFailed('f', 'c'));
    const waiting = { id: 'que_1' as QueuedId, ...one, turnId: 'trn_1' as TurnId, mode: 'queue', text: 'later', attachments: [] } as const;
    addQueued(test.db, { ...waiting, attachments: [], held: true, createdAt: 2 });
    const before = everything();
    expect(await remove(msg('b'), '1')).toMatchObject({ checkpoints: 1 });
    expect(view()).toMatchObject({ checkpoints: [], ending: null, queue: [] });
    restore(test.db, trs('1'));
    expect(everything().slice(1, 5)).toEqual(before.slice(1, 5));
    expect(listQueued(test.db, cnv('1'))).toMatchObject([{ id: 'que_1', text: 'later', held: true }]);
    expect(view().checkpoints).toHaveLength(1);
  });

  it('T8: nothing is deleted while a turn runs in it; messages that came meanwhile go, too', async () => {
    plant(test.db, ['a', 'b<a']);
    const marked = await markSubtree(test.db, { ...one, messageId: msg('b'), trashId: trs('1') }, slowest);
    appendMessage(test.db, { message: makeMessage('c', 'b'), tip: 'follow' });
    startStep(test.db, makeStep('s', 'c'));
    const args = { ...one, messageId: msg('b'), trashId: trs('1'), now: 1, marked };
    expect(deleteSubtree(test.db, args)).toEqual({ done: false });
    expect(ids()).toEqual([msg('a'), msg('b'), msg('c')]);
    change(test.db, 'DELETE FROM live_steps').run();
    expect(deleteSubtree(test.db, { ...args, marked: { ...marked, messages: 1 } })).toMatchObject({ done: true });
    expect(getMessage(test.db, msg('c'))).toBeUndefined();
  });

  it('T8: a deletion inside another comes back only after it', async () => {
    plant(test.db, ['a', 'b<a', 'c<b', 'd<c']);
    const before = rows('messages');
    await remove(msg('c'), 'in');
    await remove(msg('b'), 'out');
    expect(listTrash(test.db).map(({ id, blocked, messages }) => [id, blocked, messages])).toEqual([
      [trs('out'), false, 1],
      [trs('in'), true, 2],
    ]);
    expect(codeOf(() => restore(test.db, trs('in')))).toBe('conflict');
    restore(test.db, trs('out'));
    expect(ids()).toEqual([msg('a'), msg('b')]);
    restore(test.db, trs('in'));
    expect(rows('messages')).toEqual(before);
    expect(currentTip(test.db, cnv('1'))).toBe(msg('d'));
  });

  it('T8: the dialog counts messages, branches, and those that are not on the path shown', async () => {
    plant(test.db, ['a', 'b<a', 'c<b', 'd<b', 'e<b', 'f<a']);
    moveTip(test.db, { ...one, to: msg('d') });
    expect(await countDeletion(test.db, { ...one, messageId: msg('b') }, slowest)).toEqual({ messages: 4, branches: 3, hidden: 2 });
    expect(await countDeletion(test.db, { ...one, messageId: null })).toEqual({ messages: 6, branches: 4, hidden: 3 });
    expect(await countDeletion(test.db, { ...one, messageId: msg('f') })).toEqual({ messages: 1, branches: 1, hidden: 1 });
    await expect(countDeletion(test.db, { ...one, messageId: msg('none') })).rejects.toMatchObject({ failure: { code: 'notFound' } });
  });
});

describe('a failure on the way', () => {
  const shown = () => everything().map((table) => table.map(({ trash_id: _, ...rest }) => rest));
  /** Lets every write of this kind fail, as a full disk does. */
  const broken = (write: string, work: () => unknown) => {
    const { db } = test;
    connectionOf(db).exec(`CREATE TEMP TRIGGER broken BEFORE ${write} BEGIN SELECT RAISE(ABORT, 'no'); END`);
    try {
      expect(work).toThrow();
    } finally {
      connectionOf(db).exec('DROP TRIGGER broken');
    }
  };
  const grow = () => {
    plant(test.db, ['a', 'b<a', 'c<b', 'd<b', 'e<a']);
    moveTip(test.db, { ...one, to: msg('c') });
    moveTip(test.db, { ...one, to: msg('e') });
    moveTip(test.db, { ...one, to: msg('c') });
  };

  it('T8, R2: the program ends between marking and revealing: all is as it was, and can be deleted again', async () => {
    grow();
    const before = shown();
    await markSubtree(test.db, { ...one, messageId: msg('b'), trashId: trs('lost') }, slowest);
    expect(shown()).toEqual(before);
    expect(ids()).toEqual([msg('a'), msg('b'), msg('c')]);
    expect(readPath(test.db, msg('d'))).toHaveLength(3);
    appendMessage(test.db, { message: makeMessage('x', 'd'), tip: 'stay' });
    expect(await remove(msg('b'), '1')).toMatchObject({ done: true, messages: 4 });
  });

  it.each([
    'UPDATE OF recovered ON messages',
    'UPDATE OF ordinal ON messages',
    'UPDATE ON conversations',
    'UPDATE ON branch_tips',
    'INSERT ON trash',
  ])('T8, R3: a deletion whose %s fails has not happened', async (write) => {
    grow();
    moveTip(test.db, { ...one, to: msg('e') });
    moveTip(test.db, { ...one, to: msg('c') });
    connectionOf(test.db).exec("INSERT OR REPLACE INTO branch_tips (conversation_id, child_id, tip_id) VALUES ('cnv_1', 'msg_a', 'msg_c')");
    const marked = await markSubtree(test.db, { ...one, messageId: msg('b'), trashId: trs('1') }, slowest);
    const before = shown();
    broken(write, () => deleteSubtree(test.db, { ...one, messageId: msg('b'), trashId: trs('1'), now: 1, marked }));
    expect(shown()).toEqual(before);
    expect(ids()).toEqual([msg('a'), msg('b'), msg('c')]);
  });

  it.each(['DELETE ON trash', 'UPDATE OF ordinal ON messages', 'UPDATE ON conversations', 'UPDATE ON branch_tips'])(
    'T8, R3: an undo whose %s fails has not happened, and works later',
    async (write) => {
      grow();
      connectionOf(test.db).exec(
        "INSERT OR REPLACE INTO branch_tips (conversation_id, child_id, tip_id) VALUES ('cnv_1', 'msg_a', 'msg_c')",
      );
      const whole = shown();
      await remove(msg('b'), '1');
      const before = everything();
      broken(write, () => restore(test.db, trs('1')));
      expect(everything()).toEqual(before);
      restore(test.db, trs('1'));
      expect(shown()).toEqual(whole);
    },
  );
});

describe('deleting a conversation', () => {
  it('T8: it is in no list and opens no view; undo brings it back as it was', () => {
    plant(test.db, ['a', 'b<a']);
    const before = everything();
    expect(deleteConversation(test.db, { trashId: trs('1'), ...one, messages: 2, now: 9 })).toMatchObject({ done: true, messages: 2 });
    expect(listConversations(test.db, { archived: false })).toEqual([]);
    expect(getConversation(test.db, cnv('1'))).toBeUndefined();
    expect(codeOf(() => view())).toBe('notFound');
    expect(codeOf(() => readPath(test.db, msg('b')))).toBe('notFound');
    expect(listTrash(test.db)).toMatchObject([{ messageId: null, messages: 2, deletedAt: 9 }]);
    restore(test.db, trs('1'));
    expect(everything()).toEqual(before);
  });
});

describe('any deletions', () => {
  const stored = () =>
    select<{ id: string; depth: number; jumpId: string; ordinal: number; recovered: number }>(
      test.db,
      'SELECT id, depth, jump_id AS jumpId, ordinal, recovered FROM messages WHERE trash_id IS NULL ORDER BY seq',
    ).all();
  const derived = (bones: readonly Bone[]) =>
    [...derive(bones).values()].map(({ id, depth, jumpId, ordinal, recovered }) => ({
      id,
      depth,
      jumpId,
      ordinal,
      recovered: recovered ? 1 : 0,
    }));
  const plantTree = (bones: readonly Bone[]) =>
    transaction(test.db, () => {
      for (const table of ['trash', 'branch_tips', 'messages', 'conversations']) change(test.db, `DELETE FROM ${table}`).run();
      createConversation(test.db, { id: cnv('1'), now: 1, agentId: null });
      for (const { id, parentId } of bones) {
        const message = { ...makeMessage('x', null), id: id as MessageId, parentId: parentId as MessageId | null };
        appendMessage(test.db, { message, tip: 'follow' });
      }
    });
  const below = (bones: readonly Bone[], top: string): Set<string> => {
    const found = new Set([top]);
    for (const { id, parentId } of bones) if (parentId !== null && found.has(parentId)) found.add(id);
    return found;
  };

  it('T2, T7, T8: the rest is derived as if it were all; repair agrees; undone in any order that may be, all is as before', async () => {
    await fc.assert(
      fc.asyncProperty(randomTree, fc.array(fc.nat(59), { minLength: 1, maxLength: 5 }), fc.boolean(), async (bones, picks, repair) => {
        plantTree(bones);
        const before = [rows('messages'), rows('conversations')];
        let left = [...bones];
        let count = 0;
        for (const pick of picks) {
          const top = left[pick % Math.max(1, left.length)];
          if (top === undefined) break;
          const inside = below(left, top.id);
          expect(await remove(top.id as MessageId, String(count++))).toMatchObject({ done: true, messages: inside.size });
          left = left.filter(({ id }) => !inside.has(id));
          expect(stored()).toEqual(derived(left));
          const now = rows('messages');
          rebuildDerived(test.db, cnv('1'));
          expect(rows('messages').filter(({ recovered }) => recovered !== 2)).toEqual(now.filter(({ recovered }) => recovered !== 2));
          expect(view().tipId === null).toBe(left.length === 0);
          expect(view().notice).toBeUndefined();
        }
        if (repair) connectionOf(test.db).exec('UPDATE messages SET depth = NULL, jump_id = NULL, ordinal = NULL');
        if (repair) view();
        for (let n = count - 1; n >= 0; n--) restore(test.db, trs(String(n)));
        expect([rows('messages'), rows('conversations')]).toEqual(before);
      }),
      { numRuns: 60 },
    );
  });

  it('T7, T8: a database that is only read and needs repair shows the same', async () => {
    plantTree([
      { seq: 1, id: 'm0', parentId: null },
      { seq: 2, id: 'm1', parentId: 'm0' },
      { seq: 3, id: 'm2', parentId: 'm0' },
    ]);
    await remove('m1' as MessageId, '1');
    moveTip(test.db, { ...one, to: 'm2' as MessageId });
    connectionOf(test.db).exec('UPDATE messages SET depth = NULL, ordinal = NULL');
    const read = openStore({ file: test.file, mode: 'read', now: () => 1 });
    try {
      const talk = readTalk(asReadable(connectionOf(read.db)), { ...one, count: 10 });
      expect(talk.slice.items.map(({ id, version, versions }) => [id, version, versions])).toEqual([
        ['m0', 1, 1],
        ['m2', 1, 1],
      ]);
    } finally {
      read.close();
    }
  });

  it('T7, T8: what another program hung under a message in the trash is not lost with it', async () => {
    plant(test.db, ['a', 'b<a']);
    await remove(msg('b'), '1');
    connectionOf(test.db).exec("INSERT INTO messages (id, conversation_id, parent_id, role) VALUES ('msg_z', 'cnv_1', 'msg_b', 'user')");
    moveTip(test.db, { ...one, to: msg('z') });
    expect(view().slice.items).toMatchObject([{ id: msg('z'), recovered: true }]);
  });
});
