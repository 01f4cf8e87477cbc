// Running steps and failed turns (X8, X9): one row each, no message, no tip, until a step ends.
import * as z from 'zod/mini';
import type { Checkpoint } from '../../shared/model/checkpoint';
import { FailureError, makeFailure } from '../../shared/model/failure';
import { failureSchema } from '../../shared/model/failureSchema';
import type { AgentId, ConversationId, FailedTurnId, MessageId, QueuedId, StepId, TurnId } from '../../shared/model/ids';
import type { CallState, FailedTurn, LiveCall, LiveStep } from '../../shared/model/live';
import type { Message } from '../../shared/model/message';
import { type ToolNeed, type ToolResult, toolNeedSchema, toolResultSchema } from '../../shared/model/tool';
import { type StepPart, shownPart } from '../../shared/model/transcript';
import { addCheckpoint } from './checkpointRows';
import { change, type ReadableDb, select, transaction, type WritableDb } from './database';
import { readJson } from './json';
import { appendMessage } from './messages';
import { parseContent } from './parts';
import { removeQueued } from './queuedMessages';
import { currentTip, moveTip } from './tips';
import { addTranscriptStep } from './transcriptSteps';

/** A tool call of a running step, as far as it has come, with all of its result (X9). */
export type StoredCall = {
  callId: string;
  name: string;
  arguments: string;
  state: CallState;
  /** Asked of the user (A4). */
  needs?: ToolNeed[] | undefined;
  /** What it would change, as the user is shown it. */
  preview?: string | undefined;
  startedAt?: number | undefined;
  durationMs?: number | undefined;
  result?: ToolResult | undefined;
};
const callsSchema: z.ZodMiniType<StoredCall[]> = z.array(
  z.object({
    callId: z.string(),
    name: z.string(),
    arguments: z.string(),
    state: z.enum(['waiting', 'approved', 'running', 'done']),
    needs: z.optional(z.array(toolNeedSchema)),
    preview: z.optional(z.string()),
    startedAt: z.optional(z.number()),
    durationMs: z.optional(z.number()),
    result: z.optional(toolResultSchema),
  }),
);

/** What windows see of a call: its content is asked for when it is unfolded. */
export function toLiveCall({ callId, state, needs, preview, startedAt, durationMs, result }: StoredCall): LiveCall {
  const call: LiveCall = { callId, state };
  if (needs) call.needs = needs;
  if (preview !== undefined) call.preview = preview;
  if (startedAt !== undefined) call.startedAt = startedAt;
  if (durationMs !== undefined) call.durationMs = durationMs;
  if (result) {
    call.summary = result.summary;
    if (result.isError === true) call.isError = true;
    if (result.outcome) call.outcome = result.outcome;
  }
  return call;
}

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
  const calls = row.calls === '[]' ? [] : callsOf(row.calls);
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

/**
 * The end of a step in one transaction: its row goes, the message comes, the tip follows by compare-and-set (T3), and failures under the same message go.
 * Also for an interrupted step. Throws `notFound` when the step has ended already, and appendMessage's failures.
 */
export function finishStep(db: WritableDb, end: StepFinish): { moved: boolean } {
  return transaction(db, () => {
    removeLive(db, end.stepId);
    const { message, transcript } = end;
    const { conversationId } = message;
    if (message.parentId !== null) removeFailed(db, { conversationId, parentId: message.parentId });
    const appended = appendMessage(db, { message, tip: end.tip });
    if (transcript) addTranscriptStep(db, { stepId: end.stepId, messageId: message.id, conversationId, ...transcript });
    for (const checkpoint of end.checkpoints ?? []) addCheckpoint(db, checkpoint);
    if (end.rewindTo !== undefined && currentTip(db, conversationId) === message.id) moveTip(db, { conversationId, to: end.rewindTo });
    for (const follower of end.after ?? []) appendMessage(db, { message: follower, tip: 'follow' });
    for (const id of end.sent ?? []) removeQueued(db, id);
    if (end.failed) putFailedTurn(db, end.failed);
    if (end.next) startStep(db, end.next);
    return appended;
  });
}

/** How a step ends, and what is written in the same transaction. */
export type StepFinish = {
  stepId: StepId;
  message: Message;
  tip: 'follow' | 'stay';
  /** Where its transcript entry is; left out where there is none, and the message is all there is (X7). */
  transcript?: { agentId: AgentId; file: number } | undefined;
  /** Checkpoints that the step set (C2). */
  checkpoints?: readonly Checkpoint[] | undefined;
  /** The checkpoint's message, when the step asked for a rewind (C3): the tip goes there only if it followed this turn. */
  rewindTo?: MessageId | undefined;
  /** The digest of a rewind, and messages steered in, each under the one before. */
  after?: readonly Message[] | undefined;
  /** The steered messages wait no longer. */
  sent?: readonly QueuedId[] | undefined;
  /** The turn ends here for this reason, under the message (X8). */
  failed?: FailedTurn | undefined;
  /** The turn goes on with this one. */
  next?: LiveStep | undefined;
};

/** A step that ended without an answer: its row goes, the failure stays under the same message; a newer failure of the same agent replaces an older one. */
export function failStep(db: WritableDb, args: { stepId: StepId; failed: FailedTurn }): void {
  transaction(db, () => {
    removeLive(db, args.stepId);
    putFailedTurn(db, args.failed);
  });
}

/** Drops a step that left nothing behind (stopped before its first word). */
export function dropStep(db: WritableDb, stepId: StepId): void {
  transaction(db, () => removeLive(db, stepId));
}

function removeLive(db: WritableDb, stepId: StepId): void {
  if (change(db, 'DELETE FROM live_steps WHERE id = ?').run(stepId).changes === 0) {
    throw new FailureError(makeFailure('notFound', 'This step is not running.'));
  }
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

const bySeq = (a: { seq: number }, b: { seq: number }) => a.seq - b.seq;
// Sorted here: setting up a sort in SQL costs more than the query, which nearly always finds nothing and runs with every view of a talk.
const selectLive = `SELECT ${liveColumns} FROM live_steps`;
const selectLiveOf = `${selectLive} WHERE conversation_id = ?`;
const selectFailedOf = `SELECT seq, ${failedColumns} FROM failed_turns WHERE conversation_id = ?`;

/** Steps that run (at start: that ran when the program ended), oldest first. */
export function listLiveSteps(db: ReadableDb, args: { conversationId?: ConversationId | undefined } = {}): LiveStep[] {
  const { conversationId } = args;
  const rows = conversationId === undefined ? select<LiveRow>(db, selectLive).all() : select<LiveRow>(db, selectLiveOf).all(conversationId);
  return rows.sort(bySeq).map(toLiveStep);
}

/** The exact content of a running step and its calls with their results so far (X9); undefined when it does not run. */
export function liveContent(db: ReadableDb, stepId: StepId): { content: StepPart[]; calls: StoredCall[] } | undefined {
  const row = select<{ parts: string; calls: string }>(db, 'SELECT parts, calls FROM live_steps WHERE id = ?').get(stepId);
  return row && { content: parseContent(row.parts), calls: callsOf(row.calls) };
}

function callsOf(json: string): StoredCall[] {
  return readJson(json, callsSchema) ?? [];
}

/** Turns that ended without an answer, oldest failure first. */
export function listFailedTurns(db: ReadableDb, args: { conversationId: ConversationId }): FailedTurn[] {
  return select<FailedRow>(db, selectFailedOf).all(args.conversationId).sort(bySeq).map(toFailedTurn);
}

export function getFailedTurn(db: ReadableDb, id: FailedTurnId): FailedTurn | undefined {
  const row = select<FailedRow>(db, `SELECT seq, ${failedColumns} FROM failed_turns WHERE id = ?`).get(id);
  return row && toFailedTurn(row);
}

export type EndingRow = { type: 'live'; step: LiveStep } | { type: 'failed'; turn: FailedTurn };

/** What stands under a message in the place of an answer: a running step before a failure, the newest of its kind. */
export function endingUnder(db: ReadableDb, args: { conversationId: ConversationId; parentId: MessageId }): EndingRow | null {
  const under = ({ parentId }: { parentId: MessageId }) => parentId === args.parentId;
  return pickEnding(listLiveSteps(db, args).filter(under), listFailedTurns(db, args).filter(under));
}

/** The one that is shown, of those under one message, oldest first. */
export function pickEnding(running: readonly LiveStep[], failed: readonly FailedTurn[]): EndingRow | null {
  const step = running.at(-1);
  if (step !== undefined) return { type: 'live', step };
  const turn = failed.at(-1);
  return turn === undefined ? null : { type: 'failed', turn };
}
