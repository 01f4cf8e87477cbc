// Keeps the derived columns true: what another program wrote is found before or during a walk and rebuilt from the parents in one transaction (T7).
import { derive } from '../../shared/tree/derive';
import { DamagedTree } from '../../shared/tree/links';
import { change, type ReadableDb, select, transaction, type WritableDb, writableOf } from './database';
import { derivedTree, type StoredTree, sqlTree } from './tree';

type Stored = {
  seq: number;
  id: string;
  parentId: string | null;
  depth: number | null;
  jumpId: string | null;
  ordinal: number | null;
  recovered: number;
};
const selectStored = `SELECT seq, id, parent_id AS parentId, depth, jump_id AS jumpId, ordinal, recovered
  FROM messages WHERE conversation_id = ?`;
const updateDerived = 'UPDATE messages SET depth = ?, jump_id = ?, ordinal = ?, recovered = ? WHERE seq = ?';

/** Rebuilds depth, jump, place among siblings and recovered roots of one conversation from its parents; rows that are right are not written. */
export function rebuildDerived(db: WritableDb, conversationId: string): void {
  transaction(db, () => {
    const rows = select<Stored>(db, selectStored).all(conversationId);
    const derived = derive(rows);
    const update = change(db, updateDerived);
    for (const row of rows) {
      const node = derived.get(row.id);
      if (node === undefined) continue;
      const recovered = node.recovered ? 1 : 0;
      const right = row.depth === node.depth && row.jumpId === node.jumpId && row.ordinal === node.ordinal && row.recovered === recovered;
      if (!right) update.run(node.depth, node.jumpId, node.ordinal, recovered, row.seq);
    }
  });
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
