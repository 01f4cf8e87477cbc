// Keeps the derived columns true: what another program wrote is found before or during a walk and rebuilt from the parents in one transaction (T7).
import { type Bone, derive } from '../../shared/tree/derive';
import { DamagedTree } from '../../shared/tree/links';
import { change, type ReadableDb, select, transaction, type WritableDb, writableOf } from './database';
import { notTrashed, topInTrash } from './trashed';
import { derivedTree, type StoredTree, sqlTree } from './tree';

type Stored = {
  seq: number;
  id: string;
  parentId: string | null;
  depth: number | null;
  jumpId: string | null;
  ordinal: number | null;
  recovered: number;
  /** Of the deletion it is part of, if any. */
  trashId: string | null;
};
const selectStored = `SELECT m.seq, m.id, m.parent_id AS parentId, m.depth, m.jump_id AS jumpId, m.ordinal, m.recovered,
  CASE WHEN ${notTrashed('m')} THEN NULL ELSE m.trash_id END AS trashId FROM messages m WHERE m.conversation_id = ?`;
const updateDerived = 'UPDATE messages SET depth = ?, jump_id = ?, ordinal = ?, recovered = ? WHERE seq = ?';

/** Rebuilds depth, jump, place among siblings and recovered roots of one conversation from its parents; rows that are right are not written. */
export function rebuildDerived(db: WritableDb, conversationId: string): void {
  transaction(db, () => {
    const rows = select<Stored>(db, selectStored).all(conversationId);
    const derived = placesOf(rows);
    const update = change(db, updateDerived);
    for (const row of rows) {
      const node = derived.get(row.id);
      if (node === undefined) continue;
      const { depth, jumpId, ordinal, recovered } = node;
      const right = row.depth === depth && row.jumpId === jumpId && row.ordinal === ordinal && row.recovered === recovered;
      if (!right) update.run(depth, jumpId, ordinal, recovered, row.seq);
    }
  });
}

type Place = Pick<Stored, 'jumpId' | 'recovered'> & { depth: number; ordinal: number };

/**
 * Of what is to be seen as if nothing else were there: what hangs under a message in the trash has lost its parent. Rows in the trash keep the
 * places they come back to, counted among themselves; the topmost ones stand nowhere.
 */
function placesOf(rows: readonly Stored[]): Map<string, Place> {
  const places = new Map<string, Place>();
  const seen: Bone[] = rows.filter(({ trashId }) => trashId === null);
  for (const node of derive(seen).values()) places.set(node.id, { ...node, recovered: node.recovered ? 1 : 0 });
  if (seen.length === rows.length) return places;
  const byId = new Map(rows.map((row) => [row.id, row]));
  const placed = new Map<string, number>();
  for (const node of derive(rows).values()) {
    const { trashId, parentId } = byId.get(node.id) ?? { trashId: null, parentId: null };
    if (trashId === null) continue;
    const isTop = parentId === null || byId.get(parentId)?.trashId !== trashId;
    const ordinal = isTop || parentId === null ? 0 : (placed.get(parentId) ?? 0) + 1;
    if (!isTop && parentId !== null) placed.set(parentId, ordinal);
    places.set(node.id, { depth: node.depth, jumpId: node.jumpId, ordinal, recovered: isTop ? topInTrash : 0 });
  }
  return places;
}

function isUnderived(db: ReadableDb, conversationId: string): boolean {
  return (
    select(db, 'SELECT 1 FROM messages INDEXED BY messages_underived WHERE conversation_id = ? AND depth IS NULL LIMIT 1').get(
      conversationId,
    ) !== undefined
  );
}

/**
 * Runs a walk over a tree that holds: repaired first where another program left its mark, and once more when the walk itself finds damage.
 * On a read-only database the tree is derived in memory instead. Runs inside the caller's transaction, if there is one.
 */
export function withTree<T>(db: ReadableDb, conversationId: string, walk: (tree: StoredTree) => T): T {
  const writable = writableOf(db);
  const damaged = isUnderived(db, conversationId);
  if (damaged && writable === null) return walk(derivedTree(db, conversationId));
  if (damaged && writable !== null) rebuildDerived(writable, conversationId);
  try {
    return walk(sqlTree(db, conversationId));
  } catch (error) {
    if (!(error instanceof DamagedTree)) throw error;
    if (writable === null) return walk(derivedTree(db, conversationId));
    rebuildDerived(writable, conversationId);
    return walk(sqlTree(db, conversationId));
  }
}
