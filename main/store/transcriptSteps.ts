// Where the steps behind messages are: the number of the file in the agent's transcript (X3, X5).
import type { AgentId, ConversationId, MessageId, StepId } from '../../shared/model/ids';
import { change, type ReadableDb, select, snapshot, type WritableDb } from './database';

export type TranscriptStep = { stepId: StepId; messageId: MessageId; conversationId: ConversationId; agentId: AgentId; file: number };

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

/** The step a message shows; undefined where no transcript has it, or that of another agent (X7). */
export function transcriptStepOf(
  db: ReadableDb,
  args: { messageId: MessageId; agentId: AgentId },
): { stepId: StepId; file: number } | undefined {
  const row = select<{ step_id: string; agent_id: string; file: number }>(
    db,
    'SELECT step_id, agent_id, file FROM transcript_steps WHERE message_id = ?',
  ).get(args.messageId);
  return row?.agent_id === args.agentId ? { stepId: row.step_id as StepId, file: row.file } : undefined;
}

/** The same for many messages: those that no transcript has, or that of another agent, are left out. */
export function transcriptStepsOf(
  db: ReadableDb,
  args: { messageIds: readonly MessageId[]; agentId: AgentId },
): { messageId: MessageId; stepId: StepId; file: number }[] {
  if (args.messageIds.length === 0) return [];
  return snapshot(db, () =>
    args.messageIds.flatMap((messageId) => {
      const step = transcriptStepOf(db, { messageId, agentId: args.agentId });
      return step ? [{ messageId, ...step }] : [];
    }),
  );
}
