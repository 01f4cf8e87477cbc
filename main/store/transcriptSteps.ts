// Where the steps behind messages are: the number of the file in the agent's transcript (X3, X5).
import type { AgentId, ConversationId, MessageId, StepId } from '../../shared/model/ids';
import type { Message } from '../../shared/model/message';
import { change, type ReadableDb, select, type WritableDb } from './database';

export type TranscriptStep = { stepId: StepId; messageId: MessageId; conversationId: ConversationId; agentId: AgentId; file: number };
/** `copied`: a fork's copy, whose line still has the id it was written with; here it is the step of `messageId` (T9). */
export type TranscriptPlace = { stepId: StepId; file: number; copied?: { as: StepId; messageId: MessageId } | undefined };

/** Inside the transaction that appends the message. */
export function addTranscriptStep(db: WritableDb, step: TranscriptStep): void {
  change(db, 'INSERT INTO transcript_steps (step_id, message_id, conversation_id, agent_id, file) VALUES (?, ?, ?, ?, ?)').run(
    step.stepId,
    step.messageId,
    step.conversationId,
    step.agentId,
    step.file,
  );
}

/** Whether an agent has a transcript in this conversation at all. */
export function hasSteps(db: ReadableDb, { conversationId, agentId }: { conversationId: ConversationId; agentId: AgentId }): boolean {
  return (
    select<{ one: number }>(db, 'SELECT 1 AS one FROM transcript_steps WHERE conversation_id = ? AND agent_id = ? LIMIT 1').get(
      conversationId,
      agentId,
    ) !== undefined
  );
}

type StepRow = { step_id: string; agent_id: string; file: number; stored_as: string | null };

/** The step a message shows; undefined where no transcript has it, or that of another agent (X7). */
export function transcriptStepOf(db: ReadableDb, args: { messageId: MessageId; agentId: AgentId }): TranscriptPlace | undefined {
  const row = select<StepRow>(db, 'SELECT step_id, agent_id, file, stored_as FROM transcript_steps WHERE message_id = ?').get(
    args.messageId,
  );
  return row?.agent_id === args.agentId ? placeOf(args.messageId, row) : undefined;
}

function placeOf(messageId: MessageId, { step_id, file, stored_as }: StepRow): TranscriptPlace {
  const place: TranscriptPlace = { stepId: step_id as StepId, file };
  if (stored_as !== null) place.copied = { as: stored_as as StepId, messageId };
  return place;
}

/** The same for many messages, by one query: those that no transcript has, or that of another agent, are left out. */
export function transcriptStepsOf(
  db: ReadableDb,
  { messageIds, agentId }: { messageIds: readonly MessageId[]; agentId: AgentId },
): (TranscriptPlace & { messageId: MessageId })[] {
  if (messageIds.length === 0) return [];
  const rows = select<StepRow & { message_id: MessageId }>(
    db,
    `SELECT t.message_id, t.step_id, t.agent_id, t.file, t.stored_as
      FROM json_each(?) j CROSS JOIN transcript_steps t ON t.message_id = j.value`,
  ).all(JSON.stringify(messageIds));
  return rows.flatMap((row) => (row.agent_id === agentId ? [{ messageId: row.message_id, ...placeOf(row.message_id, row) }] : []));
}

/**
 * Those of the messages that the transcript of their agent should have and lacks (X7): answers that an agent gave here. Imported ones have no agent,
 * and what a person wrote in an answer's place was never a step. One query for a slice.
 */
export function lackingSteps(db: ReadableDb, messages: readonly Message[]): Set<MessageId> {
  const wanted = messages.filter(({ role, agentId, edited }) => role === 'assistant' && agentId !== undefined && edited !== true);
  if (wanted.length === 0) return new Set();
  const rows = select<{ message_id: string; agent_id: string }>(
    db,
    'SELECT t.message_id, t.agent_id FROM json_each(?) j CROSS JOIN transcript_steps t ON t.message_id = j.value',
  ).all(JSON.stringify(wanted.map(({ id }) => id)));
  const known = new Map(rows.map((row) => [row.message_id, row.agent_id]));
  return new Set(wanted.flatMap(({ id, agentId }) => (known.get(id) === agentId ? [] : [id])));
}

/** Agents with a transcript in the conversation. */
export function agentsWithSteps(db: ReadableDb, conversationId: ConversationId): AgentId[] {
  return select<{ agent_id: AgentId }>(db, 'SELECT DISTINCT agent_id FROM transcript_steps WHERE conversation_id = +? ORDER BY agent_id')
    .all(conversationId)
    .map((row) => row.agent_id);
}
