// Labels and pins (T10): marks of a person on a message. Each belongs to the paths that hold its message; one in the trash shows nowhere.
import { FailureError, makeFailure } from '../../shared/model/failure';
import type { ConversationId, MessageId } from '../../shared/model/ids';
import type { MessageLabel } from '../../shared/model/mark';
import { isOnPath } from '../../shared/tree/links';
import { requireConversation } from './conversations';
import { change, type ReadableDb, select, snapshot, transaction, type WritableDb } from './database';
import { withTree } from './repair';
import { notTrashed } from './trashed';
import type { StoredTree } from './tree';

type Place = { conversationId: ConversationId; messageId: MessageId };

/** Throws `notFound` for what is not there or in the trash. */
function requirePlace(db: ReadableDb, { conversationId, messageId }: Place): void {
  requireConversation(db, conversationId);
  const sql = `SELECT 1 FROM messages m WHERE m.id = ? AND m.conversation_id = ? AND ${notTrashed('m')}`;
  if (select(db, sql).get(messageId, conversationId) === undefined)
    throw new FailureError(makeFailure('notFound', 'This message is no longer there.'));
}

/** One a message: another one takes its place. Throws `notFound`. */
export function setLabel(db: WritableDb, args: Place & { label: string; now: number }): void {
  transaction(db, () => {
    requirePlace(db, args);
    change(
      db,
      'INSERT INTO labels (message_id, conversation_id, label, created_at) VALUES (?, ?, ?, ?) ON CONFLICT (message_id) DO UPDATE SET label = excluded.label',
    ).run(args.messageId, args.conversationId, args.label, args.now);
  });
}

export function removeLabel(db: WritableDb, { conversationId, messageId }: Place): void {
  transaction(db, () => change(db, 'DELETE FROM labels WHERE message_id = ? AND conversation_id = ?').run(messageId, conversationId));
}

/** A second time changes nothing. Throws `notFound`. */
export function setPin(db: WritableDb, args: Place & { now: number }): void {
  transaction(db, () => {
    requirePlace(db, args);
    change(db, 'INSERT INTO pins (message_id, conversation_id, created_at) VALUES (?, ?, ?) ON CONFLICT (message_id) DO NOTHING').run(
      args.messageId,
      args.conversationId,
      args.now,
    );
  });
}

export function removePin(db: WritableDb, { conversationId, messageId }: Place): void {
  transaction(db, () => change(db, 'DELETE FROM pins WHERE message_id = ? AND conversation_id = ?').run(messageId, conversationId));
}

const selectLabels = 'SELECT message_id AS messageId, label FROM labels WHERE conversation_id = +? ORDER BY created_at, rowid';
const selectPins = 'SELECT message_id AS messageId FROM pins WHERE conversation_id = +? ORDER BY created_at, rowid';

/** All labels of a conversation that can be seen, on whatever branch, in the order they were set. */
export function listLabels(db: ReadableDb, conversationId: ConversationId): MessageLabel[] {
  return snapshot(db, () => {
    requireConversation(db, conversationId);
    const labels = select<MessageLabel>(db, selectLabels).all(conversationId);
    if (labels.length === 0) return [];
    return withTree(db, conversationId, (tree) => labels.filter(({ messageId }) => tree.link(messageId) !== undefined));
  });
}

/** All pins of a conversation that can be seen, in the order they were set. */
export function listPins(db: ReadableDb, conversationId: ConversationId): MessageId[] {
  return snapshot(db, () => {
    requireConversation(db, conversationId);
    const pins = select<{ messageId: MessageId }>(db, selectPins).all(conversationId);
    if (pins.length === 0) return [];
    return withTree(db, conversationId, (tree) => pins.flatMap(({ messageId }) => (tree.link(messageId) === undefined ? [] : [messageId])));
  });
}

type PathArgs = { conversationId: ConversationId; tipId: MessageId | null };

/** Those on the path that ends at the tip, from the root on. Inside a reading that holds the tree already. */
export function labelsIn(db: ReadableDb, tree: StoredTree, args: PathArgs): MessageLabel[] {
  return onPath(tree, select<MessageLabel>(db, selectLabels).all(args.conversationId), args.tipId);
}

export function pinsIn(db: ReadableDb, tree: StoredTree, args: PathArgs): MessageId[] {
  const pins = select<{ messageId: MessageId }>(db, selectPins).all(args.conversationId);
  return onPath(tree, pins, args.tipId).map(({ messageId }) => messageId);
}

function onPath<T extends { messageId: MessageId }>(tree: StoredTree, marks: readonly T[], tipId: MessageId | null): T[] {
  const tip = tipId === null || marks.length === 0 ? undefined : tree.link(tipId);
  if (tip === undefined) return [];
  return marks
    .flatMap((mark) => {
      const link = tree.link(mark.messageId);
      return link !== undefined && isOnPath(tree.link, link, tip) ? [{ mark, depth: link.depth }] : [];
    })
    .sort((a, b) => a.depth - b.depth)
    .map(({ mark }) => mark);
}
