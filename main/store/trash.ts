// Deleting and putting back (T8): each is one transaction over rows that were marked before, however many there are.
import { FailureError, makeFailure } from '../../shared/model/failure';
import type { ConversationId, MessageId, TrashId } from '../../shared/model/ids';
import { isOnPath, type Link } from '../../shared/tree/links';
import { branchTip } from '../../shared/tree/switching';
import { requireConversation } from './conversations';
import { change, type ReadableDb, select, transaction, type WritableDb } from './database';
import { addQueued, listQueued, removeQueued } from './queuedMessages';
import { withTree } from './repair';
import { topInTrash } from './trashed';
import { addTrash, isBlocked, type Kept, keptOf, removeTrash, requireTrash, type TrashRow } from './trashRows';
import { clearSome, type Marked } from './trashWalk';
import type { StoredTree } from './tree';

type SubtreeDeletion = { trashId: TrashId; conversationId: ConversationId; messageId: MessageId; now: number; marked: Marked };

/** `running`: turns have begun in it since they were stopped; nothing was done, and the marks stay. */
export type Deletion = { done: true; messages: number; checkpoints: number } | { done: false };

/** Reveals what `markSubtree` has marked. Throws `notFound` when its topmost message is not there (any more). */
export function deleteSubtree(db: WritableDb, args: SubtreeDeletion): Deletion {
  const { trashId, conversationId, messageId, marked } = args;
  return transaction(db, () =>
    withTree(db, conversationId, (tree) => {
      const top = tree.link(messageId);
      if (top === undefined) throw gone();
      const messages = marked.messages + markNewer(db, args);
      if (runningIn(db, args)) return { done: false };
      const { tipId } = requireConversation(db, conversationId);
      const movedTip = tipAfter(tree, top, tipId);
      const kept: Kept = { remembered: pullTips(db, args, top.underId), queued: takeQueued(db, args) };
      takeOut(db, conversationId, top);
      if (movedTip !== tipId) change(db, 'UPDATE conversations SET tip_id = ? WHERE id = ?').run(movedTip, conversationId);
      const parentId = top.underId as MessageId | null;
      addTrash(
        db,
        { id: trashId, conversationId, messageId, parentId, tipId, movedTip, messages, deletedAt: args.now, emptying: false },
        kept,
      );
      return { done: true, messages, checkpoints: checkpointsIn(db, args) };
    }),
  );
}

/** A whole conversation: nothing of it is read, nothing in it is changed. `messages` as they were counted. */
export function deleteConversation(
  db: WritableDb,
  args: { trashId: TrashId; conversationId: ConversationId; messages: number; now: number },
): Deletion {
  const { trashId, conversationId, messages, now } = args;
  return transaction(db, () => {
    const { tipId } = requireConversation(db, conversationId);
    if (select(db, 'SELECT 1 FROM live_steps WHERE conversation_id = ?').get(conversationId) !== undefined) return { done: false };
    change(db, 'UPDATE conversations SET trash_id = ? WHERE id = ?').run(trashId, conversationId);
    const row: TrashRow = {
      id: trashId,
      conversationId,
      messageId: null,
      parentId: null,
      tipId,
      movedTip: tipId,
      messages,
      deletedAt: now,
      emptying: false,
    };
    addTrash(db, row, { remembered: [], queued: [] });
    return { done: true, messages, checkpoints: 0 };
  });
}

/** Up to this many marks are cleared at once; of more, by `clearMarks`. */
const clearedAtOnce = 500;

/** Puts all of it back as it was. Throws `notFound`, and `conflict` where what it hangs under is in the trash or it is being deleted for good. */
export function restore(db: WritableDb, trashId: TrashId): TrashRow {
  return transaction(db, () => {
    const row = requireTrash(db, trashId);
    if (row.emptying) throw conflict('This is being deleted for good.');
    if (isBlocked(db, row)) throw conflict('What this hangs under is in the trash, too. Restore that first.');
    const kept = keptOf(db, trashId);
    removeTrash(db, trashId);
    if (row.messageId === null) change(db, 'UPDATE conversations SET trash_id = NULL WHERE id = ?').run(row.conversationId);
    else restoreSubtree(db, row, row.messageId, kept);
    return row;
  });
}

function restoreSubtree(db: WritableDb, row: TrashRow, messageId: MessageId, kept: Kept): void {
  const { conversationId, tipId, movedTip } = row;
  putIn(db, conversationId, messageId);
  if (tipId !== movedTip) setTip(db, conversationId, tipId, movedTip);
  // It was emptied by a later deletion: it goes on from what comes back first.
  const goesOn = withTree(db, conversationId, (tree) => (tree.link(tipId ?? '') ? tipId : branchTip(tree, messageId)));
  setTip(db, conversationId, goesOn, null);
  const put = change(db, 'UPDATE branch_tips SET tip_id = ?, turn_id = ? WHERE conversation_id = ? AND child_id = ? AND tip_id IS ?');
  for (const one of kept.remembered) put.run(one.tipId, one.turnId, conversationId, one.childId, row.parentId);
  for (const waiting of kept.queued) {
    if (select(db, 'SELECT 1 FROM queued_messages WHERE id = ?').get(waiting.id) === undefined) addQueued(db, { ...waiting, held: true });
  }
  clearSome(db, row.id, clearedAtOnce);
}

/** Only where it still is as the deletion left it. */
function setTip(db: WritableDb, conversationId: ConversationId, to: string | null, from: MessageId | null): void {
  change(db, 'UPDATE conversations SET tip_id = ? WHERE id = ? AND tip_id IS ?').run(to, conversationId, from);
}

const gone = () => new FailureError(makeFailure('notFound', 'This message is no longer there.'));
const conflict = (text: string) => new FailureError(makeFailure('conflict', text));

/** What came under it since it was marked. */
function markNewer(db: WritableDb, { conversationId, trashId, marked }: SubtreeDeletion): number {
  type Newer = { seq: number; turnId: string | null };
  const newer = select<Newer & { parentId: string | null; trashId: string | null }>(
    db,
    'SELECT seq, parent_id AS parentId, turn_id AS turnId, trash_id AS trashId FROM messages WHERE seq > +? AND +conversation_id = +? ORDER BY seq',
  ).all(marked.lastSeq, conversationId);
  let count = 0;
  for (const row of newer) {
    const parent = row.parentId && select<{ trash_id: string | null }>(db, 'SELECT trash_id FROM messages WHERE id = ?').get(row.parentId);
    if (!parent || parent.trash_id !== trashId || row.trashId === trashId) continue;
    change(db, 'UPDATE messages SET trash_id = ? WHERE seq = ?').run(trashId, row.seq);
    if (row.turnId !== null) marked.turnIds.add(row.turnId);
    count += 1;
  }
  return count;
}

const markedAs = (id: string) => `EXISTS (SELECT 1 FROM messages m WHERE m.id = ${id} AND m.trash_id = ?)`;

function runningIn(db: ReadableDb, { conversationId, trashId }: SubtreeDeletion): boolean {
  const sql = `SELECT 1 FROM live_steps l WHERE l.conversation_id = ? AND ${markedAs('l.parent_id')}`;
  return select(db, sql).get(conversationId, trashId) !== undefined;
}

function checkpointsIn(db: ReadableDb, { conversationId, trashId }: SubtreeDeletion): number {
  const sql = `SELECT count(*) AS count FROM checkpoints c WHERE c.conversation_id = ? AND ${markedAs('c.message_id')}`;
  return select<{ count: number }>(db, sql).get(conversationId, trashId)?.count ?? 0;
}

/** A tip inside moves to the parent; from a root to the branch of the version before it, else of the one after it. */
function tipAfter(tree: StoredTree, top: Link, tipId: MessageId | null): MessageId | null {
  const tip = tipId === null ? undefined : tree.link(tipId);
  if (tip === undefined || !isOnPath(tree.link, top, tip)) return tipId;
  if (top.underId !== null) return top.underId as MessageId;
  const place = tree.ordinal(top.id) ?? 1;
  const other = tree.childAt(null, place - 1) ?? tree.childAt(null, place + 1);
  return other === undefined ? null : (branchTip(tree, other) as MessageId);
}

/** Branches above that were left inside it are remembered at its parent. Those inside are kept by their rows. */
function pullTips(db: WritableDb, { conversationId, trashId }: SubtreeDeletion, parentId: string | null): Kept['remembered'] {
  type Tip = { childId: string; tipId: string; turnId: string | null };
  const sql = `SELECT b.child_id AS childId, b.tip_id AS tipId, b.turn_id AS turnId FROM branch_tips b
    WHERE b.conversation_id = ? AND ${markedAs('b.tip_id')} AND NOT ${markedAs('b.child_id')}`;
  const found = select<Tip>(db, sql).all(conversationId, trashId, trashId);
  const put = change(db, 'UPDATE branch_tips SET tip_id = ?, turn_id = NULL WHERE conversation_id = ? AND child_id = ?');
  for (const { childId } of found) put.run(parentId, conversationId, childId);
  return found;
}

/** What waited for a turn that it is part of. */
function takeQueued(db: WritableDb, { conversationId, marked }: SubtreeDeletion): Kept['queued'] {
  const found = listQueued(db, conversationId).filter(({ turnId }) => marked.turnIds.has(turnId));
  for (const { id } of found) removeQueued(db, id);
  return found;
}

const siblings = (top: Pick<Link, 'underId'>) => (top.underId === null ? 'parent_id IS NULL' : 'parent_id = ?');

/** Moves the places of the siblings behind one. Roots that damage made are siblings of roots. */
function shift(db: WritableDb, by: 1 | -1, args: { conversationId: string; underId: string | null; from: number }): void {
  const { conversationId, underId, from } = args;
  const set = `UPDATE messages SET ordinal = ordinal + (${by}) WHERE conversation_id = ? AND`;
  const values = underId === null ? [] : [underId];
  change(db, `${set} recovered = 0 AND ${siblings({ underId })} AND ordinal >= ?`).run(conversationId, ...values, from);
  if (underId === null) change(db, `${set} recovered = 1 AND ordinal >= ?`).run(conversationId, from);
}

function takeOut(db: WritableDb, conversationId: ConversationId, top: Link): void {
  const row = select<{ ordinal: number }>(db, 'SELECT ordinal FROM messages WHERE id = ?').get(top.id);
  change(db, 'UPDATE messages SET recovered = ? WHERE id = ?').run(topInTrash, top.id);
  shift(db, -1, { conversationId, underId: top.underId, from: (row?.ordinal ?? 0) + 1 });
}

/** At its place by order of creation. */
function putIn(db: WritableDb, conversationId: ConversationId, messageId: MessageId): void {
  type Top = { seq: number; parentId: string | null; depth: number };
  const top = select<Top>(db, 'SELECT seq, parent_id AS parentId, depth FROM messages WHERE id = ?').get(messageId);
  if (top === undefined) throw gone();
  const underId = top.depth === 0 ? null : top.parentId;
  const values = underId === null ? [] : [underId];
  const before = `FROM messages WHERE conversation_id = ? AND`;
  const ahead = `SELECT count(*) AS count ${before} recovered = 0 AND ${siblings({ underId })} AND seq < ?`;
  let from = 1 + (select<{ count: number }>(db, ahead).get(conversationId, ...values, top.seq)?.count ?? 0);
  if (underId === null)
    from +=
      select<{ count: number }>(db, `SELECT count(*) AS count ${before} recovered = 1 AND seq < ?`).get(conversationId, top.seq)?.count ??
      0;
  shift(db, 1, { conversationId, underId, from });
  change(db, 'UPDATE messages SET recovered = ?, ordinal = ?, trash_id = NULL WHERE id = ?').run(
    underId === null && top.parentId !== null ? 1 : 0,
    from,
    messageId,
  );
}
