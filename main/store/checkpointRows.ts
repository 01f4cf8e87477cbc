// Checkpoints (C2): names for messages of a conversation. A row belongs to the paths that hold its message.
import type { Checkpoint } from '../../shared/model/checkpoint';
import { FailureError, makeFailure } from '../../shared/model/failure';
import type { ConversationId, MessageId } from '../../shared/model/ids';
import { isOnPath } from '../../shared/tree/links';
import { change, type ReadableDb, select, snapshot, transaction, type WritableDb } from './database';
import { withTree } from './repair';
import type { StoredTree } from './tree';

type Row = { message_id: string; label: string; made_by: 'agent' | 'user'; created_at: number };

/** All of a conversation, in the order they were made; those of messages in the trash, too. */
export function checkpointsOf(db: ReadableDb, conversationId: ConversationId): Checkpoint[] {
  return select<Row>(db, 'SELECT message_id, label, made_by, created_at FROM checkpoints WHERE conversation_id = +? ORDER BY seq')
    .all(conversationId)
    .map((row) => ({
      conversationId,
      messageId: row.message_id as MessageId,
      label: row.label,
      by: row.made_by,
      createdAt: row.created_at,
    }));
}

type PathArgs = { conversationId: ConversationId; tipId: MessageId | null };

/** Those that are live on the path that ends at `tipId`, from the root on. */
export function checkpointsOnPath(db: ReadableDb, args: PathArgs): Checkpoint[] {
  return snapshot(db, () => {
    const rows = checkpointsOf(db, args.conversationId);
    return rows.length === 0 ? [] : withTree(db, args.conversationId, (tree) => liveOf(tree, rows, args.tipId));
  });
}

/** The same inside a reading that holds the tree already. */
export function checkpointsIn(db: ReadableDb, tree: StoredTree, args: PathArgs): Checkpoint[] {
  const rows = checkpointsOf(db, args.conversationId);
  return rows.length === 0 ? [] : liveOf(tree, rows, args.tipId);
}

function liveOf(tree: StoredTree, rows: readonly Checkpoint[], tipId: MessageId | null): Checkpoint[] {
  const tip = tipId === null ? undefined : tree.link(tipId);
  if (tip === undefined) return [];
  return rows
    .flatMap((row) => {
      const link = tree.link(row.messageId);
      return link !== undefined && isOnPath(tree.link, link, tip) ? [{ row, depth: link.depth }] : [];
    })
    .sort((a, b) => a.depth - b.depth)
    .map(({ row }) => row);
}

/** Throws `labelUsed` when the path to its message has one of this label, with the live ones (C5), and `notFound` without the message. */
export function addCheckpoint(db: WritableDb, checkpoint: Checkpoint): void {
  transaction(db, () => {
    const { conversationId, messageId, label, by, createdAt } = checkpoint;
    if (select(db, 'SELECT 1 FROM messages WHERE id = ? AND conversation_id = +?').get(messageId, conversationId) === undefined)
      throw new FailureError(makeFailure('notFound', 'This message is no longer there.'));
    const live = checkpointsOnPath(db, { conversationId, tipId: messageId });
    if (live.some((one) => one.label === label)) throw new FailureError(makeFailure('labelUsed', usedText(label, live)));
    change(db, 'INSERT INTO checkpoints (conversation_id, message_id, label, made_by, created_at) VALUES (?, ?, ?, ?, ?)').run(
      conversationId,
      messageId,
      label,
      by,
      createdAt,
    );
  });
}

/** The live one of this label on the path; throws `labelUnknown`, with the live ones (C5). */
export function requireCheckpoint(db: ReadableDb, args: PathArgs & { label: string }): Checkpoint {
  const live = checkpointsOnPath(db, args);
  const found = live.find(({ label }) => label === args.label);
  if (found === undefined) throw new FailureError(makeFailure('labelUnknown', unknownText(args.label, live)));
  return found;
}

export function removeCheckpoint(db: WritableDb, checkpoint: Pick<Checkpoint, 'messageId' | 'label'>): void {
  transaction(db, () =>
    change(db, 'DELETE FROM checkpoints WHERE message_id = ? AND label = ?').run(checkpoint.messageId, checkpoint.label),
  );
}

/** Removes those that name one of these messages; gives their labels. */
export function removeCheckpointsOf(db: WritableDb, args: { conversationId: ConversationId; messageIds: readonly MessageId[] }): string[] {
  const named = new Set(args.messageIds);
  return transaction(db, () => {
    const found = checkpointsOf(db, args.conversationId).filter(({ messageId }) => named.has(messageId));
    for (const checkpoint of found) removeCheckpoint(db, checkpoint);
    return found.map(({ label }) => label);
  });
}

export function unknownText(label: string, live: readonly Pick<Checkpoint, 'label'>[]): string {
  return `There is no checkpoint "${label}" on this path. ${listed(live)}`;
}

export function usedText(label: string, live: readonly Pick<Checkpoint, 'label'>[]): string {
  return `There is a checkpoint "${label}" on this path already. ${listed(live)}`;
}

function listed(live: readonly Pick<Checkpoint, 'label'>[]): string {
  return live.length === 0 ? 'There are none yet.' : `There are: ${live.map(({ label }) => label).join(', ')}`;
}
