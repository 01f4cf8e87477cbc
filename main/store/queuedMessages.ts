// Messages that wait for a turn (A6): edited and removed until they are sent, kept over a restart.
import * as z from 'zod/mini';
import { type Attachment, attachmentSchema } from '../../shared/model/draft';
import { FailureError, makeFailure } from '../../shared/model/failure';
import type { ConversationId, QueuedId, TurnId } from '../../shared/model/ids';
import type { QueuedMessage, QueueMode } from '../../shared/model/queue';
import { change, type ReadableDb, select, transaction, type WritableDb } from './database';
import { readJson } from './json';

type Row = {
  id: string;
  conversation_id: string;
  turn_id: string;
  mode: QueueMode;
  text: string;
  attachments: string;
  held: number;
  created_at: number;
};
const columns = 'id, conversation_id, turn_id, mode, text, attachments, held, created_at';
const attachmentsSchema = z.array(attachmentSchema) as z.ZodMiniType<Attachment[]>;

function toQueued(row: Row): QueuedMessage {
  return {
    id: row.id as QueuedId,
    conversationId: row.conversation_id as ConversationId,
    turnId: row.turn_id as TurnId,
    mode: row.mode,
    text: row.text,
    attachments: readJson(row.attachments, attachmentsSchema) ?? [],
    held: row.held === 1,
    createdAt: row.created_at,
  };
}

/** Oldest first. */
export function listQueued(db: ReadableDb, conversationId: ConversationId): QueuedMessage[] {
  return select<Row>(db, `SELECT ${columns} FROM queued_messages WHERE conversation_id = +? ORDER BY seq`)
    .all(conversationId)
    .map(toQueued);
}

/** Throws `notFound` once it is sent or removed. */
export function requireQueued(db: ReadableDb, id: QueuedId): QueuedMessage {
  const row = select<Row>(db, `SELECT ${columns} FROM queued_messages WHERE id = ?`).get(id);
  if (row === undefined) throw new FailureError(makeFailure('notFound', 'This message is no longer waiting: it was sent or removed.'));
  return toQueued(row);
}

export function addQueued(db: WritableDb, message: QueuedMessage): void {
  transaction(db, () =>
    change(db, `INSERT INTO queued_messages (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`).run(
      message.id,
      message.conversationId,
      message.turnId,
      message.mode,
      message.text,
      JSON.stringify(message.attachments),
      message.held ? 1 : 0,
      message.createdAt,
    ),
  );
}

export function changeQueued(db: WritableDb, message: Pick<QueuedMessage, 'id' | 'mode' | 'text' | 'attachments'>): void {
  transaction(db, () =>
    change(db, 'UPDATE queued_messages SET mode = ?, text = ?, attachments = ? WHERE id = ?').run(
      message.mode,
      message.text,
      JSON.stringify(message.attachments),
      message.id,
    ),
  );
}

export function removeQueued(db: WritableDb, id: QueuedId): void {
  transaction(db, () => change(db, 'DELETE FROM queued_messages WHERE id = ?').run(id));
}

/** What waited for a turn waits for the one that follows it. */
export function passQueued(db: WritableDb, args: { from: TurnId; to: TurnId }): void {
  transaction(db, () => change(db, 'UPDATE queued_messages SET turn_id = ? WHERE turn_id = ? AND held = 0').run(args.to, args.from));
}

/** What waits for this turn waits for the user from now on. */
export function holdQueued(db: WritableDb, turnId: TurnId): void {
  transaction(db, () => change(db, 'UPDATE queued_messages SET held = 1 WHERE turn_id = ? AND held = 0').run(turnId));
}

/** At open: whatever waits for a turn that does not run any more waits for the user. */
export function holdOrphaned(db: WritableDb): void {
  transaction(db, () =>
    change(db, 'UPDATE queued_messages SET held = 1 WHERE held = 0 AND turn_id NOT IN (SELECT turn_id FROM live_steps)').run(),
  );
}
