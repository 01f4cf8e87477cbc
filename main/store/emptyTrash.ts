// Deleting for good what is in the trash (T8): rows a few at a time, each step within one transaction of its caller. From the mark on there is no way
// back, and whoever opens the workspace next goes on where this was left.
import type { AgentId, ConversationId, MessageId, StepId, TrashId } from '../../shared/model/ids';
import { change, type ReadableDb, select, transaction, type WritableDb } from './database';
import { handOverContent } from './sharedContent';
import { requireTrash, type TrashRow, trashRows } from './trashRows';

/** Marks it, with every deletion that lies inside it and could never come back; gives all of them, the innermost first. Throws `notFound`. */
export function beginEmptying(db: WritableDb, trashId: TrashId): TrashRow[] {
  return transaction(db, () => {
    const all = withInner(db, requireTrash(db, trashId));
    for (const row of all) change(db, 'UPDATE trash SET emptying = 1 WHERE id = ?').run(row.id);
    return all.reverse();
  });
}

function withInner(db: ReadableDb, outer: TrashRow): TrashRow[] {
  const isInside = (row: TrashRow) => {
    if (outer.messageId === null) return row.conversationId === outer.conversationId && row.id !== outer.id;
    const parent = row.parentId && select<{ trash_id: string | null }>(db, 'SELECT trash_id FROM messages WHERE id = ?').get(row.parentId);
    return parent ? parent.trash_id === outer.id : false;
  };
  const inner = trashRows(db).filter(isInside);
  return outer.messageId === null ? [outer, ...inner] : [outer, ...inner.flatMap((row) => withInner(db, row))];
}

/** Those that an earlier process, or a stop, has left half done. */
export const halfEmptied = (db: ReadableDb): TrashRow[] => trashRows(db).filter(({ emptying }) => emptying);

const batch = 16;
type Part = { seq: number; id: MessageId; parts: string | null };
const ofTrash = 'FROM messages INDEXED BY messages_trashed WHERE trash_id = ?';
const ofConversation = 'FROM messages WHERE conversation_id = ?';
const scopeOf = (row: TrashRow) =>
  row.messageId === null ? { from: ofConversation, key: row.conversationId } : { from: ofTrash, key: row.id };

export type Doomed = { messages: Set<MessageId>; steps: Map<AgentId, Set<StepId>> };

/** What has to go from the transcripts: ids as the files have them. */
export function* doomedOf(db: ReadableDb, row: TrashRow): Generator<void, Doomed, void> {
  const doomed: Doomed = { messages: new Set(), steps: new Map() };
  const { from, key } = scopeOf(row);
  const find = select<{ agentId: AgentId; stepId: StepId }>(
    db,
    'SELECT agent_id AS agentId, coalesce(stored_as, step_id) AS stepId FROM transcript_steps WHERE message_id = ?',
  );
  let last = 0;
  for (;;) {
    const rows = select<{ seq: number; id: MessageId }>(db, `SELECT seq, id ${from} AND seq > ? ORDER BY seq LIMIT ${batch}`).all(
      key,
      last,
    );
    for (const { seq, id } of rows) {
      last = seq;
      doomed.messages.add(id);
      const step = find.get(id);
      if (step) doomed.steps.set(step.agentId, (doomed.steps.get(step.agentId) ?? new Set()).add(step.stepId));
    }
    if (rows.length === 0) return doomed;
    yield;
  }
}

const hashPattern = /"([0-9a-f]{64})"/g;

/** Remembers what text that goes referred to: whether anything else does is looked at later. */
export function loosen(db: WritableDb, text: string | null): void {
  for (const [, hash] of (text ?? '').matchAll(hashPattern)) loosenHash(db, hash ?? '');
}
export function loosenHash(db: WritableDb, hash: string): void {
  change(db, 'INSERT INTO loose_blobs (hash) VALUES (?) ON CONFLICT (hash) DO NOTHING').run(hash);
}

const byMessage = ['labels', 'pins', 'checkpoints', 'transcript_steps'] as const;
const byParent = ['failed_turns', 'live_steps'] as const;

/** Removes the messages of one deletion with all that hangs on them; `done` is told how many went. Each step is one batch. */
export function* removeMessages(db: WritableDb, row: TrashRow, done: (count: number) => void): Generator<void, void, void> {
  const { from, key } = scopeOf(row);
  for (;;) {
    const rows = select<Part>(db, `SELECT seq, id, parts ${from} ORDER BY seq DESC LIMIT ${batch}`).all(key);
    if (rows.length === 0) return;
    handOverContent(
      db,
      rows.map(({ seq }) => seq),
    );
    for (const message of rows) removeMessage(db, row.conversationId, message);
    done(rows.length);
    yield;
  }
}

function removeMessage(db: WritableDb, conversationId: ConversationId, { seq, id, parts }: Part): void {
  loosen(db, parts);
  for (const table of byMessage) change(db, `DELETE FROM ${table} WHERE message_id = ?`).run(id);
  for (const live of select<{ parts: string; calls: string }>(
    db,
    'SELECT parts, calls FROM live_steps WHERE conversation_id = ? AND parent_id = ?',
  ).all(conversationId, id))
    loosen(db, live.parts + live.calls);
  for (const table of byParent) change(db, `DELETE FROM ${table} WHERE conversation_id = ? AND parent_id = ?`).run(conversationId, id);
  change(db, 'DELETE FROM branch_tips WHERE conversation_id = ? AND child_id = ?').run(conversationId, id);
  change(db, 'DELETE FROM messages WHERE seq = ?').run(seq);
}

const byConversation = [
  'labels',
  'pins',
  'checkpoints',
  'branch_tips',
  'failed_turns',
  'live_steps',
  'transcript_steps',
  'conversation_agents',
];

/** The last of it: its row, and for a whole conversation whatever else names that. In one transaction. */
export function endEmptying(db: WritableDb, row: TrashRow): void {
  transaction(db, () => {
    loosen(db, select<{ kept: string | null }>(db, 'SELECT kept FROM trash WHERE id = ?').get(row.id)?.kept ?? null);
    change(db, 'DELETE FROM trash WHERE id = ?').run(row.id);
    if (row.messageId === null) removeConversation(db, row.conversationId);
  });
}

function removeConversation(db: WritableDb, conversationId: ConversationId): void {
  for (const { attachments } of select<{ attachments: string }>(
    db,
    'SELECT attachments FROM queued_messages WHERE conversation_id = ?',
  ).all(conversationId))
    loosen(db, attachments);
  loosen(db, select<{ draft: string }>(db, 'SELECT draft FROM drafts WHERE key = ?').get(conversationId)?.draft ?? null);
  change(db, 'DELETE FROM drafts WHERE key = ?').run(conversationId);
  for (const table of [...byConversation, 'queued_messages', 'trash'])
    change(db, `DELETE FROM ${table} WHERE conversation_id = ?`).run(conversationId);
  change(db, 'DELETE FROM conversations WHERE id = ?').run(conversationId);
}
