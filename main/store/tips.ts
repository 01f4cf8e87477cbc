// The tip: where a conversation goes on from. Moves by the user, what they remember (T6), and where they lead (T12).
import type { Conversation } from '../../shared/model/conversation';
import { FailureError, makeFailure } from '../../shared/model/failure';
import type { ConversationId, MessageId, TurnId } from '../../shared/model/ids';
import { DamagedTree, isOnPath, type Link } from '../../shared/tree/links';
import { forwardOf, leftBranch, type SiblingTarget, siblingOf } from '../../shared/tree/switching';
import { requireConversation } from './conversations';
import { change, type ReadableDb, select, snapshot, transaction, type WritableDb } from './database';
import { lastMessageId } from './messages';
import { withTree } from './repair';
import { notTrashed } from './trashed';
import type { StoredTree } from './tree';

/** The tip as it stands, or, when it names no message of this conversation though there are some, the newest one (`lost`). */
export function effectiveTip(db: ReadableDb, tree: StoredTree, conversation: Conversation): { tip: Link | null; lost: boolean } {
  const stored = conversation.tipId === null ? undefined : tree.link(conversation.tipId);
  if (stored !== undefined) return { tip: stored, lost: false };
  // Empty, or emptied: what is in the trash has no root.
  const newest = conversation.tipId === null && tree.childCount(null) === 0 ? null : lastMessageId(db, conversation.id);
  if (newest === null) return { tip: null, lost: conversation.tipId !== null };
  const tip = tree.link(newest);
  if (tip === undefined) throw new DamagedTree(newest, 'has no place');
  return { tip, lost: true };
}

const idOf = (tip: Link | null) => (tip?.id ?? null) as MessageId | null;

/** The message the conversation goes on from; null when it is empty. Throws `notFound` when there is no such conversation. */
export function currentTip(db: ReadableDb, conversationId: ConversationId): MessageId | null {
  return snapshot(db, () =>
    withTree(db, conversationId, (tree) => idOf(effectiveTip(db, tree, requireConversation(db, conversationId)).tip)),
  );
}

/**
 * Moves the tip as the user asked: one pointer update and, where a branch is left behind, the one row that remembers its tip (T4, T6).
 * `to` null goes before the first message. Throws `notFound` when `to` is no message of this conversation.
 */
export function moveTip(db: WritableDb, args: { conversationId: ConversationId; to: MessageId | null }): void {
  transaction(db, () => withTree(db, args.conversationId, (tree) => moveTipWithin(db, tree, args)));
}

/**
 * Inside the transaction of a send, edit or regenerate (T3): sets the tip to the parent of what is to come and gives it back. `parentId` left out
 * means the tip as it stands; one that was lost is set to the message that stands in for it.
 */
export function setTipForSend(
  db: WritableDb,
  args: { conversationId: ConversationId; parentId?: MessageId | null | undefined },
): MessageId | null {
  const { conversationId } = args;
  return withTree(db, conversationId, (tree) => {
    const to = args.parentId === undefined ? idOf(effectiveTip(db, tree, requireConversation(db, conversationId)).tip) : args.parentId;
    moveTipWithin(db, tree, { conversationId, to });
    return to;
  });
}

function moveTipWithin(db: WritableDb, tree: StoredTree, args: { conversationId: ConversationId; to: MessageId | null }): void {
  const { tipId } = requireConversation(db, args.conversationId);
  const target = args.to === null ? undefined : tree.link(args.to);
  if (args.to !== null && target === undefined)
    throw new FailureError(makeFailure('notFound', 'This message does not exist in this conversation.'));
  if (tipId === args.to) return;
  const left = tipId === null ? undefined : tree.link(tipId);
  const row = leftBranch(tree.link, left, target);
  if (row !== null) {
    const running = select<{ turn_id: string }>(
      db,
      'SELECT turn_id FROM live_steps WHERE conversation_id = +? AND parent_id = +? ORDER BY seq DESC LIMIT 1',
    ).get(args.conversationId, row.tipId);
    // Replaced rather than updated, so that the order of rows is the order of leaving.
    change(db, 'INSERT OR REPLACE INTO branch_tips (conversation_id, child_id, tip_id, turn_id) VALUES (?, ?, ?, ?)').run(
      args.conversationId,
      row.childId,
      row.tipId,
      running?.turn_id ?? null,
    );
  }
  change(db, 'UPDATE conversations SET tip_id = ? WHERE id = ?').run(args.to, args.conversationId);
}

/**
 * Who left a branch while a turn ran, and had a message wait for it there, comes back to that message and its answer (A6, T12): what is remembered
 * of the turn goes on to the one that the message began at `tipId`. Within its transaction.
 */
export function followWaiting(db: WritableDb, args: { conversationId: ConversationId; from: TurnId; to: TurnId; tipId: MessageId }): void {
  const { conversationId, from, to, tipId } = args;
  const rows = branchTipsOf(db, conversationId).filter(({ turnId }) => turnId === from);
  if (rows.length === 0) return;
  withTree(db, conversationId, (tree) => {
    const tip = tree.link(tipId);
    for (const { childId } of rows) {
      const child = tree.link(childId);
      if (!tip || !child || !isOnPath(tree.link, child, tip)) continue;
      change(db, 'UPDATE branch_tips SET tip_id = ?, turn_id = ? WHERE conversation_id = ? AND child_id = ?').run(
        tipId,
        to,
        conversationId,
        childId,
      );
    }
  });
}

export type BranchTip = { childId: MessageId; tipId: MessageId; turnId?: TurnId | undefined };

/** The tips that moves remember, in the order in which their branches were left. */
export function branchTipsOf(db: ReadableDb, conversationId: ConversationId): BranchTip[] {
  return select<{ child_id: MessageId; tip_id: MessageId; turn_id: TurnId | null }>(
    db,
    'SELECT child_id, tip_id, turn_id FROM branch_tips WHERE conversation_id = +? ORDER BY rowid',
  )
    .all(conversationId)
    .map((row) => ({ childId: row.child_id, tipId: row.tip_id, ...(row.turn_id === null ? {} : { turnId: row.turn_id }) }));
}

/** `from` null: from the running or failed answer under `parentId`. */
export type SiblingArgs = {
  conversationId: ConversationId;
  parentId: MessageId | null;
  from: MessageId | null;
  direction: 'previous' | 'next';
};

/**
 * Where the tip goes for the previous or next version (T6, T12). `slot` is `ending` when that version is the running or failed answer: the tip is
 * then its parent. Throws `notFound` when there is no version that way.
 */
export function siblingTarget(db: ReadableDb, args: SiblingArgs): { to: MessageId; slot: SiblingTarget['slot'] } {
  const found = snapshot(db, () => withTree(db, args.conversationId, (tree) => siblingOf(tree, args)));
  if (found === undefined) throw new FailureError(makeFailure('notFound', 'There is no other version that way.'));
  return { to: found.to as MessageId, slot: found.slot };
}

/** The end of the branch that was left last below `tipId`, else of the newest; null when nothing goes on from there. Throws `notFound`. */
export function forwardTarget(db: ReadableDb, tipId: MessageId): MessageId | null {
  return snapshot(db, () => {
    const row = select<{ conversation_id: string }>(
      db,
      `SELECT m.conversation_id FROM messages m WHERE m.id = ? AND ${notTrashed('m')}`,
    ).get(tipId);
    if (row === undefined) throw new FailureError(makeFailure('notFound', 'This message does not exist.'));
    const found = withTree(db, row.conversation_id, (tree) => forwardOf(tree, tipId));
    return (found as MessageId | undefined) ?? null;
  });
}
