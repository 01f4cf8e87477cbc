// Walks what a deletion would take, a slice at a time, so that nothing else waits however large it is (T8, R4): to count it, and to mark its rows.
import { FailureError, makeFailure } from '../../shared/model/failure';
import type { ConversationId, MessageId, TrashId } from '../../shared/model/ids';
import type { DeleteCounts } from '../../shared/model/trash';
import { isOnPath } from '../../shared/tree/links';
import { requireConversation } from './conversations';
import { change, flushLog, looseTransaction, type ReadableDb, select, snapshot, type WritableDb } from './database';
import { withTree } from './repair';
import { effectiveTip } from './tips';

/** Lets others go first. `sliceMs`: how long a slice may work. */
export type Pace = { now(): number; pause(): Promise<void>; sliceMs: number };
const usualPace: Pace = {
  now: () => performance.now(),
  pause: () => new Promise((resolve) => setImmediate(resolve)),
  sliceMs: 6,
};

type Node = { seq: number; id: string; turnId: string | null };
const columns = 'seq, id, turn_id AS turnId';
const selectBelow = `SELECT ${columns} FROM messages WHERE conversation_id = ? AND recovered = 0 AND parent_id = ?`;
const selectTop = `SELECT ${columns} FROM messages WHERE id = ? AND conversation_id = ?`;
const selectRoots = `SELECT ${columns} FROM messages WHERE conversation_id = ? AND recovered = 0 AND parent_id IS NULL
  UNION ALL SELECT ${columns} FROM messages WHERE conversation_id = ? AND recovered = 1`;

/** The topmost message of what is deleted; null for the whole conversation. */
export type DeleteArgs = { conversationId: ConversationId; messageId: MessageId | null };
type Visit = (node: Node, children: number) => void;

/** Visits all of it, each once, a parent before what is below it; `slice` wraps each slice. */
async function walk(db: ReadableDb, args: DeleteArgs, visit: Visit, pace: Pace, slice: (work: () => void) => void): Promise<void> {
  const { conversationId, messageId } = args;
  const open =
    messageId === null
      ? select<Node>(db, selectRoots).all(conversationId, conversationId)
      : select<Node>(db, selectTop).all(messageId, conversationId);
  const below = select<Node>(db, selectBelow);
  while (open.length > 0) {
    slice(() => {
      const until = pace.now() + pace.sliceMs;
      for (let node = open.pop(); node !== undefined; node = open.pop()) {
        const children = below.all(conversationId, node.id);
        visit(node, children.length);
        for (const child of children) open.push(child);
        if (pace.now() >= until) break;
      }
    });
    if (open.length > 0) await pace.pause();
  }
}

/** What the dialog says. Throws `notFound`. */
export async function countDeletion(db: ReadableDb, args: DeleteArgs, pace: Pace = usualPace): Promise<DeleteCounts> {
  const shown = requireTop(db, args);
  const counts = { messages: 0, branches: 0 };
  const visit: Visit = (_, children) => {
    counts.messages += 1;
    if (children === 0) counts.branches += 1;
  };
  await walk(db, args, visit, pace, (work) => snapshot(db, work));
  return { ...counts, hidden: Math.max(0, counts.branches - (shown ? 1 : 0)) };
}

/** Whether the path shown goes through it. Also repairs the tree first, where that is needed: the walk goes down its index. */
function requireTop(db: ReadableDb, { conversationId, messageId }: DeleteArgs): boolean {
  return snapshot(db, () =>
    withTree(db, conversationId, (tree) => {
      const { tip } = effectiveTip(db, tree, requireConversation(db, conversationId));
      if (messageId === null) return tip !== null;
      const top = tree.link(messageId);
      if (top === undefined) throw new FailureError(makeFailure('notFound', 'This message is no longer there.'));
      return tip !== null && isOnPath(tree.link, top, tip);
    }),
  );
}

/** What was marked: the turns it is part of, and the newest row there was before, so that what came since can be told. */
export type Marked = { messages: number; turnIds: Set<string>; lastSeq: number };

/**
 * Marks the rows of a subtree as those of a deletion that is not there yet: nothing is changed by that (trashed.ts), so they need
 * not be flushed one by one. Throws `notFound`.
 */
export async function markSubtree(
  db: WritableDb,
  args: DeleteArgs & { messageId: MessageId; trashId: TrashId },
  pace: Pace = usualPace,
): Promise<Marked> {
  requireTop(db, args);
  const last = select<{ seq: number | null }>(db, 'SELECT max(seq) AS seq FROM messages').get();
  const marked: Marked = { messages: 0, turnIds: new Set(), lastSeq: last?.seq ?? 0 };
  const mark = change(db, 'UPDATE messages SET trash_id = ? WHERE seq = ?');
  const visit: Visit = ({ seq, turnId }) => {
    mark.run(args.trashId, seq);
    marked.messages += 1;
    if (turnId !== null) marked.turnIds.add(turnId);
  };
  await walk(db, args, visit, pace, (work) => looseTransaction(db, work));
  await flushLog(db);
  return marked;
}

/** Takes marks away that count no more; what a crash or a failure leaves of them does no harm. */
export async function clearMarks(db: WritableDb, trashId: TrashId, pace: Pace = usualPace): Promise<void> {
  for (;;) {
    const until = pace.now() + pace.sliceMs;
    let cleared = 0;
    looseTransaction(db, () => {
      do cleared = clearSome(db, trashId, 100);
      while (cleared > 0 && pace.now() < until);
    });
    if (cleared === 0) return;
    await pace.pause();
  }
}

export function clearSome(db: WritableDb, trashId: TrashId, count: number): number {
  return change(
    db,
    'UPDATE messages SET trash_id = NULL WHERE seq IN (SELECT seq FROM messages INDEXED BY messages_trashed WHERE trash_id = ? LIMIT ?)',
  ).run(trashId, count).changes;
}
