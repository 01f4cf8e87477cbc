// Steps that run (X8, X9): one row each, no message, no tip, until the step ends.
import { FailureError, makeFailure } from '../../shared/model/failure';
import type { AgentId, ConversationId, MessageId, StepId, TurnId } from '../../shared/model/ids';
import type { LiveStep } from '../../shared/model/live';
import { type StepPart, shownPart } from '../../shared/model/transcript';
import { change, type ReadableDb, select, transaction, type WritableDb } from './database';
import { parseCalls, type StoredCall, toLiveCall } from './liveCalls';
import { parseContent } from './parts';

type LiveRow = {
  seq: number;
  id: string;
  conversation_id: string;
  parent_id: string;
  turn_id: string;
  agent_id: string;
  model: string;
  local: number;
  parts: string;
  calls: string;
  started_at: number;
};
const liveColumns = 'seq, id, conversation_id, parent_id, turn_id, agent_id, model, local, parts, calls, started_at';

/** The phase is not stored: what main runs now it knows better, and after a restart nothing runs. */
function toLiveStep(row: LiveRow): LiveStep {
  const parts = parseContent(row.parts).flatMap(shownPart);
  const calls = row.calls === '[]' ? [] : parseCalls(row.calls);
  return {
    id: row.id as StepId,
    conversationId: row.conversation_id as ConversationId,
    parentId: row.parent_id as MessageId,
    turnId: row.turn_id as TurnId,
    agentId: row.agent_id as AgentId,
    model: row.model,
    parts,
    calls: calls.map(toLiveCall),
    phase: calls.length > 0 ? 'tools' : parts.length === 0 ? 'connecting' : 'streaming',
    ...(row.local === 1 ? { local: true } : {}),
    startedAt: row.started_at,
  };
}

/** Writes the row of a step that begins. Throws `turnRunning` when one runs under the same message already (T12), `conflict` when the id is taken. */
export function startStep(db: WritableDb, step: LiveStep): void {
  transaction(db, () => {
    if (
      select(db, 'SELECT 1 FROM live_steps WHERE conversation_id = ? AND parent_id = ?').get(step.conversationId, step.parentId) !==
      undefined
    ) {
      throw new FailureError(makeFailure('turnRunning', 'An answer is already being written here.'));
    }
    if (select(db, 'SELECT 1 FROM live_steps WHERE id = ?').get(step.id) !== undefined)
      throw new FailureError(makeFailure('conflict', 'A step with this id exists already.'));
    change(
      db,
      `INSERT INTO live_steps (id, conversation_id, parent_id, turn_id, agent_id, model, local, parts, started_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ).run(
      step.id,
      step.conversationId,
      step.parentId,
      step.turnId,
      step.agentId,
      step.model,
      step.local === true ? 1 : 0,
      JSON.stringify(step.parts),
      step.startedAt,
      step.startedAt,
    );
  });
}

/** Writes the exact content so far; at most once a second while text streams (X9). A step that has ended meanwhile is left alone. */
export function saveStep(
  db: WritableDb,
  args: { stepId: StepId; content: readonly StepPart[]; calls?: readonly StoredCall[] | undefined; now: number },
): void {
  transaction(db, () => {
    change(db, 'UPDATE live_steps SET parts = ?, updated_at = ? WHERE id = ?').run(JSON.stringify(args.content), args.now, args.stepId);
    if (args.calls !== undefined) change(db, 'UPDATE live_steps SET calls = ? WHERE id = ?').run(JSON.stringify(args.calls), args.stepId);
  });
}

/** Writes the calls alone: before one runs, and after each result (X9). */
export function saveCalls(db: WritableDb, args: { stepId: StepId; calls: readonly StoredCall[]; now: number }): void {
  transaction(db, () =>
    change(db, 'UPDATE live_steps SET calls = ?, updated_at = ? WHERE id = ?').run(JSON.stringify(args.calls), args.now, args.stepId),
  );
}

// Sorted here: setting up a sort in SQL costs more than the query, which nearly always finds nothing and runs with every view of a talk.
const selectLive = `SELECT ${liveColumns} FROM live_steps`;
const selectLiveOf = `${selectLive} WHERE conversation_id = ?`;

/** Steps that run (at start: that ran when the program ended), oldest first. */
export function listLiveSteps(db: ReadableDb, args: { conversationId?: ConversationId | undefined } = {}): LiveStep[] {
  const { conversationId } = args;
  const rows = conversationId === undefined ? select<LiveRow>(db, selectLive).all() : select<LiveRow>(db, selectLiveOf).all(conversationId);
  return rows.sort((a, b) => a.seq - b.seq).map(toLiveStep);
}

/** The exact content of a running step and its calls with their results so far (X9); undefined when it does not run. */
export function liveContent(db: ReadableDb, stepId: StepId): { content: StepPart[]; calls: StoredCall[] } | undefined {
  const row = select<{ parts: string; calls: string }>(db, 'SELECT parts, calls FROM live_steps WHERE id = ?').get(stepId);
  return row && { content: parseContent(row.parts), calls: parseCalls(row.calls) };
}
