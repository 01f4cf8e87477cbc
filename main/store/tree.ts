// The tree of one conversation as walks see it: from SQL, or from memory when a read-only database needs the repair it cannot take.
import type { Link } from '../../shared/tree/links';
import { type MemoryTree, memoryTree } from '../../shared/tree/memoryTree';
import type { RememberedTip, SwitchingTree } from '../../shared/tree/switching';
import { type ReadableDb, select } from './database';
import { type LightRow, type PathRow, selectChildren, selectOnPath, selectRoots, selectView, type ViewRow } from './messageRow';
import { isTrash, notTrashed } from './trashed';

export type StoredTree = SwitchingTree & {
  /** The row with the derived columns that hold. Only for ids that a link or a row of this conversation gave. */
  message(id: string): PathRow | undefined;
  /** The same with its place among its siblings. */
  view(id: string): ViewRow | undefined;
  /** Children in order of creation, content left out; null stands for the roots. */
  children(parentId: string | null): LightRow[];
};

type LinkRow = {
  parentId: string | null;
  recovered: number;
  depth: number | null;
  jumpId: string | null;
  foreign_conversation: string | null;
  trash_id: string | null;
};
const selectLink =
  'SELECT parent_id AS parentId, recovered, depth, jump_id AS jumpId, nullif(conversation_id, ?) AS foreign_conversation, trash_id FROM messages WHERE id = ?';
const selectOrdinal = 'SELECT ordinal FROM messages WHERE id = ? AND conversation_id = ?';
const childrenOf = 'FROM messages WHERE conversation_id = +? AND recovered = 0 AND parent_id = +?';
const rootsOf = 'FROM messages WHERE conversation_id = +? AND recovered = 0 AND parent_id IS NULL';
const recoveredOf = 'FROM messages WHERE conversation_id = +? AND recovered = 1';
const selectChildAt = `SELECT id ${childrenOf} AND ordinal = +?`;
const selectRootAt = `SELECT id ${rootsOf} AND ordinal = +? UNION ALL SELECT id ${recoveredOf} AND ordinal = +?`;
const selectLastChild = `SELECT ordinal ${childrenOf} ORDER BY ordinal DESC LIMIT 1`;
const selectLastRoot = `SELECT ordinal ${rootsOf} ORDER BY ordinal DESC LIMIT 1`;
const selectLastRecovered = `SELECT max(ordinal) AS ordinal ${recoveredOf}`;
const selectNewer = 'SELECT 1 FROM messages a, messages b WHERE a.id = ? AND b.id = ? AND a.seq > b.seq';
const selectChildOfTurn = `SELECT id ${childrenOf} AND turn_id = +? ORDER BY ordinal DESC LIMIT 1`;
const selectEnding = `SELECT 1 FROM live_steps WHERE conversation_id = ? AND parent_id = ?
  UNION ALL SELECT 1 FROM failed_turns WHERE conversation_id = ? AND parent_id = ? LIMIT 1`;
const selectHeads = 'SELECT seq, parent_id FROM live_steps WHERE conversation_id = ?';
const selectRemembered = 'SELECT tip_id, turn_id FROM branch_tips WHERE conversation_id = ? AND child_id = ?';
const selectLastLeft = `SELECT b.child_id FROM messages m CROSS JOIN branch_tips b ON b.conversation_id = m.conversation_id AND b.child_id = m.id
  WHERE m.conversation_id = +? AND m.recovered = 0 AND m.parent_id = +? ORDER BY b.rowid DESC LIMIT 1`;

type Ordinal = { ordinal: number | null };
type Id = { id: string };

function facts(db: ReadableDb, conversationId: string): Pick<SwitchingTree, 'hasEnding' | 'runningHeads' | 'remembered'> {
  return {
    hasEnding: (parentId) => select(db, selectEnding).get(conversationId, parentId, conversationId, parentId) !== undefined,
    runningHeads: () =>
      select<{ seq: number; parent_id: string }>(db, selectHeads)
        .all(conversationId)
        .sort((a, b) => b.seq - a.seq)
        .map((row) => row.parent_id),
    remembered: (childId) => {
      const row = select<{ tip_id: string; turn_id: string | null }>(db, selectRemembered).get(conversationId, childId);
      return row && { tipId: row.tip_id, ...(row.turn_id === null ? {} : { turnId: row.turn_id }) };
    },
  };
}

/** The tree asked last: a person reads and moves in one conversation many times in a row. It holds no data. */
const latest = new WeakMap<ReadableDb, { conversationId: string; tree: StoredTree }>();

export function sqlTree(db: ReadableDb, conversationId: string): StoredTree {
  const known = latest.get(db);
  if (known?.conversationId === conversationId) return known.tree;
  const tree = makeSqlTree(db, conversationId);
  latest.set(db, { conversationId, tree });
  return tree;
}

function makeSqlTree(db: ReadableDb, conversationId: string): StoredTree {
  const link = (id: string): Link | undefined => {
    const row = select<LinkRow>(db, selectLink).get(conversationId, id);
    if (row === undefined || row.foreign_conversation !== null || row.depth === null || row.jumpId === null) return undefined;
    if (row.trash_id !== null && isTrash(db, row.trash_id)) return undefined;
    return { id, underId: row.recovered === 1 ? null : row.parentId, depth: row.depth, jumpId: row.jumpId };
  };
  return {
    ...facts(db, conversationId),
    link,
    message: (id) => select<PathRow>(db, selectOnPath).get(id),
    view: (id) => select<ViewRow>(db, selectView).get(id),
    children: (parentId) =>
      parentId === null
        ? select<LightRow>(db, selectRoots).all(conversationId)
        : select<LightRow>(db, selectChildren).all(conversationId, parentId),
    ordinal: (id) => select<Ordinal>(db, selectOrdinal).get(id, conversationId)?.ordinal ?? undefined,
    childAt: (parentId, ordinal) =>
      parentId === null
        ? select<Id>(db, selectRootAt).get(conversationId, ordinal, conversationId, ordinal)?.id
        : select<Id>(db, selectChildAt).get(conversationId, parentId, ordinal)?.id,
    childCount: (parentId) => lastOrdinal(db, conversationId, parentId),
    newestChildOfTurn: (parentId, turnId) => select<Id>(db, selectChildOfTurn).get(conversationId, parentId, turnId)?.id,
    isNewer: (id, than) => select(db, selectNewer).get(id, than) !== undefined,
    lastLeftChild: (parentId) => select<{ child_id: string }>(db, selectLastLeft).get(conversationId, parentId)?.child_id,
  };
}

/** The place of the last child, which is the number of children: by one index seek. Null stands for the roots. */
export function lastOrdinal(db: ReadableDb, conversationId: string, parentId: string | null): number {
  if (parentId !== null) return select<Ordinal>(db, selectLastChild).get(conversationId, parentId)?.ordinal ?? 0;
  const root = select<Ordinal>(db, selectLastRoot).get(conversationId)?.ordinal ?? 0;
  return Math.max(root, select<Ordinal>(db, selectLastRecovered).get(conversationId)?.ordinal ?? 0);
}

type BoneRow = { seq: number; id: string; parentId: string | null; turnId: string | null };
const selectSkeleton = `SELECT m.seq, m.id, m.parent_id AS parentId, m.turn_id AS turnId FROM messages m
  WHERE m.conversation_id = +? AND ${notTrashed('m')} ORDER BY m.seq`;
const selectAllRemembered = 'SELECT child_id, tip_id, turn_id FROM branch_tips WHERE conversation_id = +? ORDER BY rowid';

/** The truth of a conversation's tree, in order of creation. */
function skeletonOf(db: ReadableDb, conversationId: string): BoneRow[] {
  return select<BoneRow>(db, selectSkeleton).all(conversationId);
}

/** Derived in memory, linear in the size of the conversation. */
export function derivedTree(db: ReadableDb, conversationId: string): StoredTree {
  const bones = skeletonOf(db, conversationId).map(({ turnId, ...bone }) => ({ ...bone, ...(turnId === null ? {} : { turnId }) }));
  const remembered = select<{ child_id: string; tip_id: string; turn_id: string | null }>(db, selectAllRemembered).all(conversationId);
  const memory: MemoryTree = memoryTree(bones, {
    remembered: new Map(
      remembered.map((row): [string, RememberedTip] => [row.child_id, { tipId: row.tip_id, turnId: row.turn_id ?? undefined }]),
    ),
  });
  const onPath = (id: string): PathRow | undefined => {
    const node = memory.derived.get(id);
    const row = node && select<PathRow>(db, selectOnPath).get(id);
    return node && row && { ...row, depth: node.depth };
  };
  return {
    ...memory,
    ...facts(db, conversationId),
    message: onPath,
    view: (id) => {
      const row = onPath(id);
      const node = memory.derived.get(id);
      return row && node && { ...row, ordinal: node.ordinal, versions: memory.childCount(node.underId) };
    },
    children: (parentId) =>
      memory.children(parentId).flatMap((id) => {
        const row = onPath(id);
        return row ? [{ ...row, id }] : [];
      }),
  };
}
