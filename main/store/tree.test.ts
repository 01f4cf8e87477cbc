// The tree as SQL answers it against the pure model in memory, on sound and on damaged conversations.
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { MessageId } from '../../shared/model/ids';
import { type Bone, derive } from '../../shared/tree/derive';
import { memoryTree } from '../../shared/tree/memoryTree';
import { branchTip, forwardOf, siblingOf } from '../../shared/tree/switching';
import { randomSkeleton, randomTree } from '../../shared/tree/treeArbitrary';
import { createConversation } from './conversations';
import { asReadable, change, connectionOf, type ReadableDb, select, transaction } from './database';
import { appendMessage, childrenOf, readPath, readSlice } from './messages';
import { openStore } from './open';
import { rebuildDerived, withTree } from './repair';
import { cnv, makeMessage, makeStore, type TestStore } from './storeFixture';
import { readTalk } from './talkView';

let test: TestStore;
beforeEach(() => {
  test = makeStore();
});
afterEach(() => test.remove());

const one = { conversationId: cnv('1') };

/** Rows as another program would write them: parents only, in order of creation. */
function plantRaw(bones: readonly Bone[], tip: string | null = null): void {
  transaction(test.db, () => {
    for (const table of ['branch_tips', 'messages', 'conversations']) change(test.db, `DELETE FROM ${table}`).run();
    createConversation(test.db, { id: cnv('1'), now: 1, agentId: null });
    for (const { id, parentId } of [...bones].sort((a, b) => a.seq - b.seq)) {
      change(test.db, "INSERT INTO messages (id, conversation_id, parent_id, role) VALUES (?, 'cnv_1', ?, 'user')").run(id, parentId);
    }
    if (tip !== null) change(test.db, 'UPDATE conversations SET tip_id = ?').run(tip);
  });
}

type Stored = { id: string; depth: number | null; jumpId: string | null; ordinal: number | null; recovered: number };
const stored = () => select<Stored>(test.db, 'SELECT id, depth, jump_id AS jumpId, ordinal, recovered FROM messages ORDER BY seq').all();
const expected = (bones: readonly Bone[]) =>
  [...derive(bones).values()].map(({ id, depth, jumpId, ordinal, recovered }) => ({
    id,
    depth,
    jumpId,
    ordinal,
    recovered: recovered ? 1 : 0,
  }));

describe('derived columns', () => {
  it('T2, T7: appending one by one gives what deriving the whole gives, in any tree', () => {
    fc.assert(
      fc.property(randomTree, (bones) => {
        transaction(test.db, () => {
          for (const table of ['messages', 'conversations']) change(test.db, `DELETE FROM ${table}`).run();
          createConversation(test.db, { id: cnv('1'), now: 1, agentId: null });
          for (const { id, parentId } of bones) {
            const message = { ...makeMessage('x', null), id: id as MessageId, parentId: parentId as MessageId | null };
            appendMessage(test.db, { message, tip: 'follow' });
          }
        });
        expect(stored()).toEqual(expected(bones));
      }),
      { numRuns: 60 },
    );
  });

  it('T7: rows by another program, with any damage, are put in order by the first reading', () => {
    fc.assert(
      fc.property(randomSkeleton, (bones) => {
        plantRaw(bones, bones[0]?.id);
        readTalk(test.db, { ...one, count: 50 });
        expect(stored()).toEqual(expected(bones));
      }),
      { numRuns: 60 },
    );
  });

  it('T7: a row that another program adds costs one write, not one for each message', () => {
    plantRaw(
      Array.from({ length: 50 }, (_, n) => ({ seq: n + 1, id: `m${n}`, parentId: n === 0 ? null : `m${n - 1}` })),
      'm49',
    );
    readTalk(test.db, { ...one, count: 50 });
    connectionOf(test.db).exec("INSERT INTO messages (id, conversation_id, parent_id, role) VALUES ('m50', 'cnv_1', 'm49', 'user')");
    const changes = () => connectionOf(test.db).prepare<[], number>('SELECT total_changes()').pluck().get() ?? 0;
    const before = changes();
    expect(readTalk(test.db, { ...one, count: 50 }).tipChildren).toBe(1);
    expect(changes() - before).toBe(1);
  });

  it('T7: a parent changed by another program is put in order by the next reading', () => {
    const change = randomTree.chain((bones) =>
      fc.record({ bones: fc.constant(bones), at: fc.nat(bones.length - 1), to: fc.nat(bones.length + 1) }),
    );
    fc.assert(
      fc.property(change, ({ bones, at, to }) => {
        plantRaw(bones, 'm0');
        readTalk(test.db, { ...one, count: 50 });
        connectionOf(test.db).prepare('UPDATE messages SET parent_id = ? WHERE id = ?').run(`m${to}`, `m${at}`);
        readTalk(test.db, { ...one, count: 50 });
        expect(stored()).toEqual(expected(bones.map((bone) => (bone.id === `m${at}` ? { ...bone, parentId: `m${to}` } : bone))));
      }),
      { numRuns: 60 },
    );
  });

  it('T7: rows deleted by another program leave no gap and no spin', () => {
    const cut = randomTree.chain((bones) => fc.record({ bones: fc.constant(bones), gone: fc.subarray(bones.slice(1)) }));
    fc.assert(
      fc.property(cut, ({ bones, gone }) => {
        plantRaw(bones, 'm0');
        readTalk(test.db, { ...one, count: 50 });
        for (const { id } of gone) connectionOf(test.db).prepare('DELETE FROM messages WHERE id = ?').run(id);
        readTalk(test.db, { ...one, count: 50 });
        expect(stored()).toEqual(expected(bones.filter((bone) => !gone.includes(bone))));
      }),
      { numRuns: 60 },
    );
  });
});

describe('answers from SQL', () => {
  const asked = fc.oneof(randomTree, randomSkeleton).chain((bones) =>
    fc.record({
      bones: fc.constant(bones),
      left: fc.array(fc.tuple(fc.nat(bones.length - 1), fc.nat(bones.length - 1)), { maxLength: 6 }),
    }),
  );

  function answers(db: ReadableDb, bones: readonly Bone[]) {
    return withTree(db, cnv('1'), (tree) =>
      bones.map(({ id }) => {
        const link = tree.link(id);
        const from = { parentId: link?.underId ?? null, from: id };
        return {
          link,
          ordinal: tree.ordinal(id),
          siblings: tree.childCount(link?.underId ?? null),
          children: tree.children(id).map((row) => row.id),
          previous: siblingOf(tree, { ...from, direction: 'previous' }),
          next: siblingOf(tree, { ...from, direction: 'next' }),
          forward: forwardOf(tree, id),
          tip: branchTip(tree, id),
        };
      }),
    );
  }

  it('T6, T7: are those of the model in memory, sound or damaged, and the same when the database is read-only', () => {
    fc.assert(
      fc.property(asked, ({ bones, left }) => {
        plantRaw(bones);
        const remembered = new Map<string, { tipId: string }>();
        for (const [child, tip] of left) {
          remembered.delete(`m${child}`);
          remembered.set(`m${child}`, { tipId: `m${tip}` });
          change(test.db, "INSERT OR REPLACE INTO branch_tips (conversation_id, child_id, tip_id) VALUES ('cnv_1', ?, ?)").run(
            `m${child}`,
            `m${tip}`,
          );
        }
        const model = memoryTree(bones, { remembered });
        const wanted = bones.map(({ id }) => {
          const node = model.derived.get(id)!;
          const from = { parentId: node.underId, from: id };
          return {
            link: { id, underId: node.underId, depth: node.depth, jumpId: node.jumpId },
            ordinal: node.ordinal,
            siblings: model.childCount(node.underId),
            children: model.children(id),
            previous: siblingOf(model, { ...from, direction: 'previous' }),
            next: siblingOf(model, { ...from, direction: 'next' }),
            forward: forwardOf(model, id),
            tip: branchTip(model, id),
          };
        });
        const plain = (list: ReturnType<typeof answers>) =>
          list.map(({ link, ...rest }) => ({
            ...rest,
            link: link && { id: link.id, underId: link.underId, depth: link.depth, jumpId: link.jumpId },
          }));
        const reader = openStore({ file: test.file, mode: 'read', now: () => 1 });
        try {
          expect(plain(answers(reader.db, bones))).toEqual(wanted);
        } finally {
          reader.close();
        }
        expect(plain(answers(test.db, bones))).toEqual(wanted);
      }),
      { numRuns: 40 },
    );
  });

  it('T7: a damaged conversation reads the same from a read-only database, which stays as it was', () => {
    fc.assert(
      fc.property(randomSkeleton, (bones) => {
        plantRaw(bones, bones[0]?.id);
        const reader = openStore({ file: test.file, mode: 'read', now: () => 1 });
        try {
          const before = stored();
          const read = (db: ReadableDb) => [
            readTalk(db, { ...one, count: 5 }),
            readPath(db, 'm0' as MessageId),
            readSlice(db, { tipId: 'm0' as MessageId, offset: 1, count: 2 }),
            childrenOf(db, { ...one, parentId: null }),
          ];
          const fromReader = read(reader.db);
          expect(stored()).toEqual(before);
          expect(fromReader).toEqual(read(test.db));
        } finally {
          reader.close();
        }
      }),
      { numRuns: 40 },
    );
  });

  it('T7: lying numbers, not only missing ones, are mended for a reader too', () => {
    plantRaw([
      { seq: 1, id: 'm0', parentId: null },
      { seq: 2, id: 'm1', parentId: 'm0' },
      { seq: 3, id: 'm2', parentId: 'm1' },
    ]);
    rebuildDerived(test.db, 'cnv_1');
    connectionOf(test.db).exec("UPDATE messages SET depth = 9 WHERE id = 'm1'");
    const reader = openStore({ file: test.file, mode: 'read', now: () => 1 });
    try {
      expect(readPath(asReadable(connectionOf(reader.db)), 'm2' as MessageId).map(({ id }) => id)).toEqual(['m0', 'm1', 'm2']);
    } finally {
      reader.close();
    }
  });
});
