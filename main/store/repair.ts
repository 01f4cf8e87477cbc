// Keeps the derived columns true: what another program wrote is found before or during a walk and rebuilt from the parents in one transaction (T7).
import { derive } from '../../shared/tree/derive';
import { DamagedTree } from '../../shared/tree/links';
import { change, type ReadableDb, select, transaction, type WritableDb, writableOf } from './database';
import { derivedTree, type StoredTree, skeletonOf, sqlTree } from './tree';

/** Rebuilds depth, jump, place among siblings and recovered roots of one conversation from its parents. */
export function rebuildDerived(db: WritableDb, conversationId: string): void {
  transaction(db, () => {
    const update = change(db, 'UPDATE messages SET depth = ?, jump_id = ?, ordinal = ?, recovered = ? WHERE id = ?');
    for (const node of derive(skeletonOf(db, conversationId)).values()) {
      update.run(node.depth, node.jumpId, node.ordinal, node.recovered ? 1 : 0, node.id);
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
