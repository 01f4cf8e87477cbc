// The conversation a fork is copied into: hidden until it is whole, shown by one transaction, and removed where that never comes (T9).
import type { Conversation } from '../../shared/model/conversation';
import { FailureError, makeFailure } from '../../shared/model/failure';
import type { AgentId, ConversationId, MessageId, StepId } from '../../shared/model/ids';
import { type ConversationRow, conversationColumns, requireConversation, toConversation } from './conversations';
import { change, type ReadableDb, select, transaction, type WritableDb } from './database';
import { copyIn, type ForkPlan } from './forkPlan';
import { handOverContent } from './sharedContent';
import { notTrashed } from './trashed';

/** Stands where the id of a deletion stands: what has it is in nobody's sight and in nobody's trash. */
const unfinished = 'fork';

/** Throws `notFound` without the conversation or a message of it that can be seen. */
export function beginFork(
  db: WritableDb,
  args: { conversationId: ConversationId; messageId: MessageId; forkId: ConversationId; now: number },
): void {
  transaction(db, () => {
    const source = requireConversation(db, args.conversationId);
    requireForkable(db, args, 'notFound');
    change(
      db,
      `INSERT INTO conversations (id, title, title_source, agent_id, forked_from, forked_message, created_at, updated_at, trash_id)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, '${unfinished}')`,
    ).run(args.forkId, source.title, source.titleSource, source.agentId, args.conversationId, args.messageId, args.now, args.now);
  });
}

/** Throws where the message is not there to be seen. */
export function requireForkable(
  db: ReadableDb,
  args: { conversationId: ConversationId; messageId: MessageId },
  code: 'notFound' | 'conflict',
): void {
  const sql = `SELECT 1 FROM messages m JOIN conversations c ON c.id = m.conversation_id
    WHERE m.id = ? AND m.conversation_id = +? AND ${notTrashed('m')} AND c.trash_id IS NULL`;
  if (select(db, sql).get(args.messageId, args.conversationId) !== undefined) return;
  throw new FailureError(makeFailure(code, 'This message is no longer there.', { retryable: code === 'conflict' }));
}

/** Shows it, with the tip at the copy of the chosen message. Throws `conflict` where something was deleted while it was copied. */
export function revealFork(db: WritableDb, plan: ForkPlan, copied: number): Conversation {
  return transaction(db, () => {
    requireForkable(db, plan, 'conflict');
    if (copied !== plan.seqs.length)
      throw new FailureError(makeFailure('conflict', 'Something was deleted while it was copied.', { retryable: true }));
    const tip = copyIn(db, plan, plan.messageId) ?? null;
    change(db, `UPDATE conversations SET trash_id = NULL, tip_id = ? WHERE id = ? AND trash_id = '${unfinished}'`).run(tip, plan.forkId);
    return requireConversation(db, plan.forkId);
  });
}

/** Left by a fork that was not finished. */
export function unfinishedForks(db: ReadableDb): ConversationId[] {
  return select<{ id: ConversationId }>(db, `SELECT id FROM conversations WHERE trash_id = '${unfinished}'`)
    .all()
    .map(({ id }) => id);
}

/** Tables whose rows belong to a conversation, beside its messages. */
export const perConversation = [
  'labels',
  'pins',
  'checkpoints',
  'branch_tips',
  'failed_turns',
  'transcript_steps',
  'conversation_agents',
] as const;

/** Takes such a one away, its row last. To be run within transactions; its folder is looked after by who has it. */
export function* removeUnfinished(db: WritableDb, forkId: ConversationId): Generator<void, void, void> {
  if (!unfinishedForks(db).includes(forkId)) return;
  for (const table of perConversation) {
    const sql = `DELETE FROM ${table} WHERE rowid IN (SELECT rowid FROM ${table} WHERE conversation_id = ? LIMIT 200)`;
    while (change(db, sql).run(forkId).changes > 0) yield;
  }
  for (;;) {
    const seqs = select<{ seq: number }>(db, 'SELECT seq FROM messages WHERE conversation_id = ? LIMIT 100')
      .all(forkId)
      .map(({ seq }) => seq);
    if (seqs.length === 0) break;
    handOverContent(db, seqs);
    for (const seq of seqs) change(db, 'DELETE FROM messages WHERE seq = ?').run(seq);
    yield;
  }
  change(db, 'DELETE FROM conversations WHERE id = ?').run(forkId);
}

/** Those made from a conversation, the oldest first. */
export function forksOf(db: ReadableDb, conversationId: ConversationId): Conversation[] {
  return select<ConversationRow>(
    db,
    `SELECT ${conversationColumns} FROM conversations c WHERE c.forked_from = +? AND c.trash_id IS NULL ORDER BY c.seq`,
  )
    .all(conversationId)
    .map(toConversation);
}

/** The agents that have something in a conversation: a copy of the agent, or steps in a transcript. */
export function agentsWithTranscripts(db: ReadableDb, conversationId: ConversationId): AgentId[] {
  const found = new Set<AgentId>();
  for (const row of select<{ agent_id: AgentId }>(db, 'SELECT agent_id FROM conversation_agents WHERE conversation_id = ?').all(
    conversationId,
  ))
    found.add(row.agent_id);
  // From one agent to the next in the index: there may be a hundred thousand steps.
  const next = 'SELECT min(agent_id) AS agent_id FROM transcript_steps WHERE conversation_id = ? AND agent_id > ?';
  let last = '';
  for (;;) {
    const agentId = select<{ agent_id: AgentId | null }>(db, next).get(conversationId, last)?.agent_id ?? null;
    if (agentId === null) return [...found];
    found.add(agentId);
    last = agentId;
  }
}

type Place = { conversationId: ConversationId; agentId: AgentId };

/** Numbers of the files that hold steps of this agent here, ascending. */
export function filesOf(db: ReadableDb, { conversationId, agentId }: Place): number[] {
  const files: number[] = [];
  for (;;) {
    const next = select<{ file: number | null }>(
      db,
      'SELECT min(file) AS file FROM transcript_steps WHERE conversation_id = ? AND agent_id = ? AND file > ?',
    ).get(conversationId, agentId, files.at(-1) ?? 0);
    if (next === undefined || next.file === null) return files;
    files.push(next.file);
  }
}

/** The ids under which a file has the steps of an agent here; a few at a time. */
export function* stepsInFile(
  db: ReadableDb,
  { conversationId, agentId, file }: Place & { file: number },
): Generator<void, Set<StepId>, void> {
  const ids = new Set<StepId>();
  let after = 0;
  for (;;) {
    const rows = select<{ place: number; id: StepId }>(
      db,
      `SELECT rowid AS place, coalesce(stored_as, step_id) AS id FROM transcript_steps
       WHERE conversation_id = +? AND agent_id = +? AND file = +? AND rowid > +? ORDER BY rowid LIMIT 256`,
    ).all(conversationId, agentId, file, after);
    for (const { id } of rows) ids.add(id);
    yield;
    const last = rows.at(-1);
    if (last === undefined || rows.length < 256) return ids;
    after = last.place;
  }
}

/** Whether this file holds steps that came from another conversation. */
export function isCopiedFile(db: ReadableDb, { conversationId, agentId, file }: Place & { file: number }): boolean {
  const sql = 'SELECT stored_as FROM transcript_steps WHERE conversation_id = ? AND agent_id = ? AND file = ? LIMIT 1';
  return (select<{ stored_as: string | null }>(db, sql).get(conversationId, agentId, file)?.stored_as ?? null) !== null;
}
