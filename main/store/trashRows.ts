// The rows of the trash: one a deletion. What it took out of other tables is kept beside it, so that undo finds it (T8).
import * as z from 'zod/mini';
import { attachmentSchema } from '../../shared/model/draft';
import { FailureError, makeFailure } from '../../shared/model/failure';
import { type ConversationId, conversationId, type MessageId, queuedId, type TrashId, turnId } from '../../shared/model/ids';
import type { QueuedMessage } from '../../shared/model/queue';
import type { TrashEntry } from '../../shared/model/trash';
import { change, type ReadableDb, select, snapshot, type WritableDb } from './database';
import { readJson } from './json';
import { loadParts } from './parts';
import { isTrash } from './trashed';

/** Remembered tips (T6) as they were, and messages that waited for a turn of it (A6). */
export type Kept = { remembered: { childId: string; tipId: string; turnId: string | null }[]; queued: QueuedMessage[] };

const keptSchema: z.ZodMiniType<Kept> = z.object({
  remembered: z.array(z.object({ childId: z.string(), tipId: z.string(), turnId: z.nullable(z.string()) })),
  queued: z.array(
    z.object({
      id: queuedId,
      conversationId,
      turnId,
      mode: z.enum(['queue', 'steer']),
      text: z.string(),
      attachments: z.array(attachmentSchema),
      held: z.boolean(),
      createdAt: z.number(),
    }),
  ),
});

/** `tipId`: where the tip was; `movedTip`: where the deletion put it. The same where it stayed. */
export type TrashRow = {
  id: TrashId;
  conversationId: ConversationId;
  messageId: MessageId | null;
  parentId: MessageId | null;
  tipId: MessageId | null;
  movedTip: MessageId | null;
  messages: number;
  deletedAt: number;
  emptying: boolean;
};
type Row = {
  id: string;
  conversation_id: string;
  message_id: string | null;
  parent_id: string | null;
  tip_id: string | null;
  moved_tip: string | null;
  messages: number;
  deleted_at: number;
  emptying: number;
};
const columns = 'id, conversation_id, message_id, parent_id, tip_id, moved_tip, messages, deleted_at, emptying';

function toRow(row: Row): TrashRow {
  return {
    id: row.id as TrashId,
    conversationId: row.conversation_id as ConversationId,
    messageId: row.message_id as MessageId | null,
    parentId: row.parent_id as MessageId | null,
    tipId: row.tip_id as MessageId | null,
    movedTip: row.moved_tip as MessageId | null,
    messages: row.messages,
    deletedAt: row.deleted_at,
    emptying: row.emptying === 1,
  };
}

export function addTrash(db: WritableDb, row: TrashRow, kept: Kept): void {
  change(db, `INSERT INTO trash (${columns}, kept) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`).run(
    row.id,
    row.conversationId,
    row.messageId,
    row.parentId,
    row.tipId,
    row.movedTip,
    row.messages,
    row.deletedAt,
    row.emptying ? 1 : 0,
    JSON.stringify(kept),
  );
}

/** Throws `notFound` once it is restored or deleted for good. */
export function requireTrash(db: ReadableDb, id: TrashId): TrashRow {
  const row = select<Row>(db, `SELECT ${columns} FROM trash WHERE id = ?`).get(id);
  if (row === undefined) throw new FailureError(makeFailure('notFound', 'This is no longer in the trash.'));
  return toRow(row);
}

export function keptOf(db: ReadableDb, id: TrashId): Kept {
  const row = select<{ kept: string | null }>(db, 'SELECT kept FROM trash WHERE id = ?').get(id);
  return readJson(row?.kept ?? null, keptSchema) ?? { remembered: [], queued: [] };
}

export function removeTrash(db: WritableDb, id: TrashId): void {
  change(db, 'DELETE FROM trash WHERE id = ?').run(id);
}

/** All of it, the oldest first. */
export function trashRows(db: ReadableDb): TrashRow[] {
  return select<Row>(db, `SELECT ${columns} FROM trash ORDER BY seq`).all().map(toRow);
}

/** Characters of a message that tell which it was. */
const shownText = 160;

/** What the trash shows, newest first. */
export function listTrash(db: ReadableDb): TrashEntry[] {
  return snapshot(db, () =>
    trashRows(db)
      .reverse()
      .map((row) => {
        const conversation = select<{ title: string; trash_id: string | null }>(
          db,
          'SELECT title, trash_id FROM conversations WHERE id = ?',
        ).get(row.conversationId);
        return {
          id: row.id,
          conversationId: row.conversationId,
          title: conversation?.title ?? '',
          messageId: row.messageId,
          text: row.messageId === null ? '' : textOfRow(db, row.messageId),
          messages: row.messages,
          deletedAt: row.deletedAt,
          blocked: isBlocked(db, row),
          emptying: row.emptying,
        };
      }),
  );
}

/** What it would come back to is in the trash itself. */
export function isBlocked(db: ReadableDb, row: Pick<TrashRow, 'messageId' | 'parentId' | 'conversationId'>): boolean {
  if (row.messageId === null) return false;
  const conversation = select<{ trash_id: string | null }>(db, 'SELECT trash_id FROM conversations WHERE id = ?').get(row.conversationId);
  if (conversation?.trash_id !== null) return true;
  const parent = row.parentId && select<{ trash_id: string | null }>(db, 'SELECT trash_id FROM messages WHERE id = ?').get(row.parentId);
  return parent ? isTrash(db, parent.trash_id) : false;
}

function textOfRow(db: ReadableDb, id: MessageId): string {
  const row = select<{ text: string | null; parts: string | null }>(
    db,
    `SELECT substr(text, 1, ${shownText * 4}) AS text, parts FROM messages WHERE id = ?`,
  ).get(id);
  const words = row ? loadParts(row).flatMap((part) => (part.type === 'text' ? [part.text] : 'name' in part ? [part.name] : [])) : [];
  return words.join(' ').replaceAll(/\s+/gu, ' ').trim().slice(0, shownText);
}
