// Messages: appended, read along the path, never changed (T1). Children are found by their parent (T2); the tip moves by compare-and-set (T3).
import { FailureError, makeFailure } from '../../shared/model/failure';
import type { AgentId, ConversationId, MessageId, TurnId } from '../../shared/model/ids';
import type { Message, MessageStatus, Role } from '../../shared/model/message';
import type { MessageView, PathSlice } from '../../shared/model/talkView';
import { ancestorAtDepth, DamagedTree, isOnPath, jumpOfChild, type Link } from '../../shared/tree/links';
import { change, type ReadableDb, select, snapshot, transaction, type WritableDb } from './database';
import { endingsByParent } from './endings';
import { type MessageRow, messageColumns, type PathRow, selectMessage, toMessage, toView, type ViewRow } from './messageRow';
import { withTree } from './repair';
import { isTrash, notTrashed } from './trashed';
import { lastOrdinal, type StoredTree } from './tree';

const insertMessage = `INSERT INTO messages
  (id, conversation_id, parent_id, role, status, agent_id, turn_id, model, text, parts, usage, meta, created_at, ordinal, depth, jump_id)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

/**
 * Appends a complete message and, on `follow`, moves the tip to it if the tip still is its parent (T3); says whether it moved.
 * Throws `notFound` (no such conversation), `conflict` (id taken, parent missing or of another conversation), `wouldCloseRing` (its own parent).
 */
export function appendMessage(db: WritableDb, args: { message: Message; tip: 'follow' | 'stay' }): { moved: boolean } {
  const { message } = args;
  return transaction(db, () => {
    if (message.parentId === message.id) throw new FailureError(makeFailure('wouldCloseRing', 'A message cannot hang under itself.'));
    if (select(db, 'SELECT 1 FROM conversations WHERE id = ?').get(message.conversationId) === undefined) {
      throw new FailureError(makeFailure('notFound', 'This conversation does not exist.'));
    }
    if (select(db, 'SELECT 1 FROM messages WHERE id = ?').get(message.id) !== undefined) {
      throw new FailureError(makeFailure('conflict', 'A message with this id exists already.'));
    }
    const place = withTree(db, message.conversationId, (tree) => placeOf(db, tree, message));
    change(db, insertMessage).run(...messageColumns(message), place.ordinal, place.depth, place.jumpId);
    const touched = 'UPDATE conversations SET updated_at = max(updated_at, ?) WHERE id = ?';
    const followed = 'UPDATE conversations SET updated_at = max(updated_at, ?), tip_id = ? WHERE id = ? AND tip_id IS ?';
    const moved =
      args.tip === 'follow' &&
      change(db, followed).run(message.createdAt, message.id, message.conversationId, message.parentId).changes === 1;
    if (!moved) change(db, touched).run(message.createdAt, message.conversationId);
    return { moved };
  });
}

function placeOf(db: WritableDb, tree: StoredTree, message: Message): { ordinal: number; depth: number; jumpId: string } {
  const ordinal = lastOrdinal(db, message.conversationId, message.parentId) + 1;
  if (message.parentId === null) return { ordinal, depth: 0, jumpId: message.id };
  const parent = tree.link(message.parentId);
  if (parent === undefined) throw new FailureError(makeFailure('conflict', 'The message it should hang under does not exist.'));
  const jump = linkAt(tree, parent.jumpId);
  return { ordinal, depth: parent.depth + 1, jumpId: jumpOfChild(parent, jump, linkAt(tree, jump.jumpId)) };
}

function linkAt(tree: StoredTree, id: string): Link {
  const link = tree.link(id);
  if (link === undefined) throw new DamagedTree(id, 'is missing');
  return link;
}

export function getMessage(db: ReadableDb, id: MessageId): Message | undefined {
  const row = select<MessageRow & { conversation_id: string; trash_id: string | null }>(db, selectMessage).get(id);
  if (row === undefined || isTrash(db, row.trash_id)) return undefined;
  return toMessage(id, row.conversation_id as ConversationId, row);
}

const selectConversation = `SELECT m.conversation_id FROM messages m JOIN conversations c ON c.id = m.conversation_id AND c.trash_id IS NULL
  WHERE m.id = ? AND ${notTrashed('m')}`;

function conversationOf(db: ReadableDb, id: MessageId): ConversationId {
  const row = select<{ conversation_id: string }>(db, selectConversation).get(id);
  if (row === undefined) throw new FailureError(makeFailure('notFound', 'This message does not exist.'));
  return row.conversation_id as ConversationId;
}

type PathArgs<Row extends PathRow, T> = {
  read: (id: string) => Row | undefined;
  from: string;
  count: number;
  make: (id: string, row: Row) => T;
};

/** What `make` makes of each row from `from` upwards, at most `count`, root side first. Each must be one level above the last: that bounds the walk (T7). */
function pathUp<Row extends PathRow, T>(tree: StoredTree, { read, from, count, make }: PathArgs<Row, T>): T[] {
  const made: T[] = [];
  let id = from;
  let depth = Number.NaN;
  while (made.length < count) {
    const row = read(id);
    if (row === undefined || row.depth === null) throw new DamagedTree(id, 'is missing');
    if (made.length > 0 && row.depth !== depth - 1) throw new DamagedTree(id, `has depth ${row.depth} above depth ${depth}`);
    made.push(make(id, row));
    depth = row.depth;
    if (depth === 0 || row.parent_id === null) {
      if (tree.link(id)?.underId !== null || depth !== 0) throw new DamagedTree(id, `is no root at depth ${depth}`);
      break;
    }
    id = row.parent_id;
  }
  return made.reverse();
}

export type SliceArgs = { conversationId: ConversationId; tip: Link; offset: number | 'tail'; count: number };

/** A slice of the path to `tip` inside an open snapshot. `endings`: messages with a running or failed answer under them. */
export function sliceOf(tree: StoredTree, args: SliceArgs, endings: ReadonlySet<string>): PathSlice & { length: number } {
  const { tip } = args;
  const length = tip.depth + 1;
  const offset = args.offset === 'tail' ? Math.max(0, length - args.count) : Math.max(0, args.offset);
  const last = Math.min(length, offset + args.count) - 1;
  if (last < offset) return { offset, items: [], length };
  const from = last === tip.depth ? tip : ancestorAtDepth(tree.link, tip, last);
  if (from === undefined) throw new DamagedTree(tip.id, `has no ancestor at depth ${last}`);
  const make = (id: string, row: ViewRow): MessageView => {
    if (row.depth === 0) return toView(id, args.conversationId, row, tree.childCount(null));
    const ending = row.parent_id !== null && endings.has(row.parent_id) ? 1 : 0;
    return toView(id, args.conversationId, row, (row.versions ?? 1) + ending);
  };
  const items = pathUp(tree, { read: tree.view, from: from.id, count: last - offset + 1, make });
  return { offset, items, length };
}

/** Position on its path, 0 at the root; undefined when there is no such message. */
export function depthOf(db: ReadableDb, id: MessageId): number | undefined {
  const row = select<{ conversation_id: string }>(db, selectConversation).get(id);
  return row && snapshot(db, () => withTree(db, row.conversation_id as ConversationId, (tree) => tree.link(id)?.depth));
}

/** The last `count` messages of the path to `tipId`, root side first. */
export function readTail(db: ReadableDb, args: { conversationId: ConversationId; tipId: MessageId; count: number }): MessageView[] {
  return snapshot(db, () =>
    withTree(
      db,
      args.conversationId,
      (tree) => sliceOf(tree, { ...args, tip: linkAt(tree, args.tipId), offset: 'tail' }, endingsByParent(db, args.conversationId)).items,
    ),
  );
}

/** `count` messages of the path to `tipId` from depth `offset` on; as fast anywhere in a deep path as at its end. Throws `notFound`. */
export function readSlice(db: ReadableDb, args: { tipId: MessageId; offset: number; count: number }): PathSlice {
  return snapshot(db, () => {
    const conversationId = conversationOf(db, args.tipId);
    const { offset, items } = withTree(db, conversationId, (tree) =>
      sliceOf(tree, { ...args, conversationId, tip: linkAt(tree, args.tipId) }, endingsByParent(db, conversationId)),
    );
    return { offset, items };
  });
}

/** The whole path, root to `tipId`: what a context is built from. Throws `notFound`. */
export function readPath(db: ReadableDb, tipId: MessageId): Message[] {
  return snapshot(db, () => {
    const conversationId = conversationOf(db, tipId);
    const make = (id: string, row: PathRow): Message => toMessage(id, conversationId, row);
    return withTree(db, conversationId, (tree) => {
      if (tree.link(tipId) === undefined) throw new DamagedTree(tipId, 'has no place');
      return pathUp(tree, { read: tree.message, from: tipId, count: Number.POSITIVE_INFINITY, make });
    });
  });
}

/** Whether `messageId` is on the path to `tipId`, the tip included. */
export function pathHolds(db: ReadableDb, args: { conversationId: ConversationId; tipId: MessageId; messageId: MessageId }): boolean {
  return snapshot(db, () =>
    withTree(db, args.conversationId, (tree) => {
      const [message, tip] = [tree.link(args.messageId), tree.link(args.tipId)];
      return message !== undefined && tip !== undefined && isOnPath(tree.link, message, tip);
    }),
  );
}

/** The message of the user that a turn answers: the first of it. Reads through the conversation: for rare questions. */
export function requestOfTurn(db: ReadableDb, args: { conversationId: ConversationId; turnId: TurnId }): Message | undefined {
  const row = select<{ id: string }>(
    db,
    `SELECT m.id FROM messages m WHERE m.conversation_id = +? AND m.turn_id = +? AND m.role = 'user' AND ${notTrashed('m')} ORDER BY m.seq LIMIT 1`,
  ).get(args.conversationId, args.turnId);
  return row && getMessage(db, row.id as MessageId);
}

/** What a list of versions or branches shows of a child; the text is not read. */
export type ChildRow = { id: MessageId; role: Role; status: MessageStatus; agentId: AgentId | null; createdAt: number; version: number };

/** Children in order of creation; `parentId` null gives the roots, recovered ones among them. */
export function childrenOf(db: ReadableDb, args: { conversationId: ConversationId; parentId: MessageId | null }): ChildRow[] {
  return snapshot(db, () =>
    withTree(db, args.conversationId, (tree) =>
      tree.children(args.parentId).map((row, index) => {
        const { id, role, status, agentId, createdAt } = toMessage(row.id, args.conversationId, { ...row, text: null, parts: null });
        return { id, role, status, agentId: agentId ?? null, createdAt, version: index + 1 };
      }),
    ),
  );
}

/** The newest message of the conversation by order of creation: where a tip that names nothing falls back to. */
export function lastMessageId(db: ReadableDb, conversationId: ConversationId): MessageId | null {
  const row = select<{ id: string }>(
    db,
    `SELECT id FROM messages WHERE seq = (SELECT max(m.seq) FROM messages m WHERE m.conversation_id = ? AND ${notTrashed('m')})`,
  ).get(conversationId);
  return (row?.id as MessageId | undefined) ?? null;
}
