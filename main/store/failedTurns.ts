// Turns that ended without an answer (X8): one row each under the message they answered.
import { makeFailure } from '../../shared/model/failure';
import { failureSchema } from '../../shared/model/failureSchema';
import type { AgentId, ConversationId, FailedTurnId, MessageId, TurnId } from '../../shared/model/ids';
import type { FailedTurn } from '../../shared/model/live';
import { change, type ReadableDb, select, transaction, type WritableDb } from './database';
import { readJson } from './json';

type FailedRow = {
  seq: number;
  id: string;
  conversation_id: string;
  parent_id: string;
  turn_id: string;
  agent_id: string;
  model: string | null;
  failure: string;
  created_at: number;
};
const failedColumns = 'id, conversation_id, parent_id, turn_id, agent_id, model, failure, created_at';

function toFailedTurn(row: FailedRow): FailedTurn {
  return {
    id: row.id as FailedTurnId,
    conversationId: row.conversation_id as ConversationId,
    parentId: row.parent_id as MessageId,
    turnId: row.turn_id as TurnId,
    agentId: row.agent_id as AgentId,
    ...(row.model === null ? {} : { model: row.model }),
    failure:
      readJson(row.failure, failureSchema) ?? makeFailure('internal', 'The reason of this failure cannot be read.', { retryable: true }),
    createdAt: row.created_at,
  };
}

export function putFailedTurn(db: WritableDb, failed: FailedTurn): void {
  transaction(db, () =>
    change(db, `INSERT OR REPLACE INTO failed_turns (${failedColumns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`).run(
      failed.id,
      failed.conversationId,
      failed.parentId,
      failed.turnId,
      failed.agentId,
      failed.model ?? null,
      JSON.stringify(failed.failure),
      failed.createdAt,
    ),
  );
}

/** Removes the failures under a message: those of one agent, or all. */
export function removeFailed(
  db: WritableDb,
  args: { conversationId: ConversationId; parentId: MessageId; agentId?: AgentId | undefined },
): void {
  transaction(db, () => {
    if (args.agentId === undefined)
      change(db, 'DELETE FROM failed_turns WHERE conversation_id = ? AND parent_id = ?').run(args.conversationId, args.parentId);
    else
      change(db, 'DELETE FROM failed_turns WHERE conversation_id = ? AND parent_id = ? AND agent_id = ?').run(
        args.conversationId,
        args.parentId,
        args.agentId,
      );
  });
}

const selectFailedOf = `SELECT seq, ${failedColumns} FROM failed_turns WHERE conversation_id = ?`;

/** Turns that ended without an answer, oldest failure first. */
export function listFailedTurns(db: ReadableDb, args: { conversationId: ConversationId }): FailedTurn[] {
  return select<FailedRow>(db, selectFailedOf)
    .all(args.conversationId)
    .sort((a, b) => a.seq - b.seq)
    .map(toFailedTurn);
}

export function getFailedTurn(db: ReadableDb, id: FailedTurnId): FailedTurn | undefined {
  const row = select<FailedRow>(db, `SELECT seq, ${failedColumns} FROM failed_turns WHERE id = ?`).get(id);
  return row && toFailedTurn(row);
}
