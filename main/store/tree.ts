// The tree of one conversation as walks see it: from SQL, or from memory when a read-only database needs the repair it cannot take.
import type { Link } from '../../shared/tree/links';
import { type MemoryTree, memoryTree } from '../../shared/tree/memoryTree';
import type { RememberedTip, SwitchingTree } from '../../shared/tree/switching';
import { type ReadableDb, select } from './database';
import { type MessageRow, selectChildren, selectMessage, selectView, type ViewRow } from './messageRow';

export type StoredTree = SwitchingTree & {
  /** The row with the derived columns that hold; undefined when it is not of this conversation. */
  message(id: string): MessageRow | undefined;
  /** The same with the number of its siblings. */
  view(id: string): ViewRow | undefined;
  /** Children in order of creation, content left out; null stands for the roots. */
  children(parentId: string | null): LightRow[];
};

type LightRow = Omit<MessageRow, 'text' | 'parts'>;
type LinkRow = { id: string; conversation_id: string; underId: string | null; depth: number | null; jumpId: string | null };
const selectLink = 'SELECT id, conversation_id, under_id AS underId, depth, jump_id AS jumpId FROM messages WHERE id = ?';

function facts(db: ReadableDb, conversationId: string): Pick<SwitchingTree, 'hasEnding' | 'runningHeads' | 'remembered'> {
  return {
    hasEnding: (parentId) =>
      select(
        db,
        `SELECT 1 FROM live_steps WHERE conversation_id = ? AND parent_id = ?
         UNION ALL SELECT 1 FROM failed_turns WHERE conversation_id = ? AND parent_id = ? LIMIT 1`,
      ).get(conversationId, parentId, conversationId, parentId) !== undefined,
    runningHeads: () =>
      select<{ parent_id: string }>(db, 'SELECT parent_id FROM live_steps WHERE conversation_id = ? ORDER BY seq DESC')
        .all(conversationId)
        .map((row) => row.parent_id),
    remembered: (childId) => {
      const row = select<{ tip_id: string; turn_id: string | null }>(
        db,
        'SELECT tip_id, turn_id FROM branch_tips WHERE conversation_id = ? AND child_id = ?',
      ).get(conversationId, childId);
      return row && { tipId: row.tip_id, ...(row.turn_id === null ? {} : { turnId: row.turn_id }) };
    },
  };
}

export function sqlTree(db: ReadableDb, conversationId: string): StoredTree {
  const link = (id: string): Link | undefined => {
    const row = select<LinkRow>(db, selectLink).get(id);
    if (row === undefined || row.conversation_id !== conversationId || row.depth === null || row.jumpId === null) return undefined;
    return row as Link;
  };
  return {
    ...facts(db, conversationId),
    link,
    message: (id) => {
      const row = select<MessageRow>(db, selectMessage).get(id);
      return row?.conversation_id === conversationId ? row : undefined;
    },
    view: (id) => {
      const row = select<ViewRow>(db, selectView).get(id);
      return row?.conversation_id === conversationId ? row : undefined;
    },
    children: (parentId) => select<LightRow>(db, selectChildren).all(conversationId, parentId),
    ordinal: (id) =>
      select<{ ordinal: number }>(db, 'SELECT ordinal FROM messages WHERE id = ? AND conversation_id = ?').get(id, conversationId)?.ordinal,
    childAt: (parentId, ordinal) =>
      select<{ id: string }>(db, 'SELECT id FROM messages WHERE conversation_id = ? AND under_id IS ? AND ordinal = ?').get(
        conversationId,
        parentId,
        ordinal,
      )?.id,
    childCount: (parentId) => lastOrdinal(db, conversationId, parentId),
    newestChildOfTurn: (parentId, turnId) =>
      select<{ id: string }>(
        db,
        'SELECT id FROM messages WHERE conversation_id = ? AND under_id IS ? AND turn_id = ? ORDER BY ordinal DESC LIMIT 1',
      ).get(conversationId, parentId, turnId)?.id,
    lastLeftChild: (parentId) =>
      select<{ child_id: string }>(
        db,
        `SELECT b.child_id FROM messages m CROSS JOIN branch_tips b ON b.conversation_id = m.conversation_id AND b.child_id = m.id
         WHERE m.conversation_id = ? AND m.under_id IS ? ORDER BY b.rowid DESC LIMIT 1`,
      ).get(conversationId, parentId)?.child_id,
  };
}

/** The place of the last child: the number of children, by one index seek. */
export function lastOrdinal(db: ReadableDb, conversationId: string, parentId: string | null): number {
  const row = select<{ ordinal: number | null }>(
    db,
    'SELECT ordinal FROM messages WHERE conversation_id = ? AND under_id IS ? ORDER BY ordinal DESC LIMIT 1',
  ).get(conversationId, parentId);
  return row?.ordinal ?? 0;
}

export type BoneRow = { seq: number; id: string; parentId: string | null; turnId: string | null };

/** The truth of a conversation's tree, in order of creation. */
export function skeletonOf(db: ReadableDb, conversationId: string): BoneRow[] {
  return select<BoneRow>(
    db,
    'SELECT seq, id, parent_id AS parentId, turn_id AS turnId FROM messages WHERE conversation_id = ? ORDER BY seq',
  ).all(conversationId);
}

/** Derived in memory, linear in the size of the conversation. */
export function derivedTree(db: ReadableDb, conversationId: string): StoredTree {
  const bones = skeletonOf(db, conversationId).map(({ turnId, ...bone }) => ({ ...bone, ...(turnId === null ? {} : { turnId }) }));
  const remembered = select<{ child_id: string; tip_id: string; turn_id: string | null }>(
    db,
    'SELECT child_id, tip_id, turn_id FROM branch_tips WHERE conversation_id = ? ORDER BY rowid',
  ).all(conversationId);
  const memory: MemoryTree = memoryTree(bones, {
    remembered: new Map(
      remembered.map((row): [string, RememberedTip] => [row.child_id, { tipId: row.tip_id, turnId: row.turn_id ?? undefined }]),
    ),
  });
  const hold = (row: MessageRow | undefined): MessageRow | undefined => {
    const node = row && memory.derived.get(row.id);
    if (row === undefined || node === undefined) return undefined;
    return { ...row, depth: node.depth, ordinal: node.ordinal, under_id: node.underId, recovered: node.recovered ? 1 : 0 };
  };
  return {
    ...memory,
    ...facts(db, conversationId),
    message: (id) => hold(select<MessageRow>(db, selectMessage).get(id)),
    view: (id) => {
      const row = hold(select<MessageRow>(db, selectMessage).get(id));
      return row && { ...row, versions: memory.childCount(row.under_id) };
    },
    children: (parentId) => memory.children(parentId).flatMap((id) => hold(select<MessageRow>(db, selectMessage).get(id)) ?? []),
  };
}
