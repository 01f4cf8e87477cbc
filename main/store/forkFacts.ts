// Copies what a fork has beside its messages: marks, tips, failures and agents, and what its digests tell of (T9).
import type { AgentId, ConversationId, TurnId } from '../../shared/model/ids';
import { parseJson } from '../lib/parseJson';
import { change, type ReadableDb, select, type WritableDb } from './database';
import { batchesOf, copyIn, copyOfTurn, type ForkPlan, hasStepsOf, holdsEnding, inBatch, turnIn } from './forkPlan';

const selectTurns = `SELECT DISTINCT m.turn_id ${inBatch} WHERE m.turn_id IS NOT NULL`;

/** Only where something may name a turn: a branch that was left, or a record of an agent. */
function* findTurns(db: ReadableDb, plan: ForkPlan): Generator<void, void, void> {
  const left = 'SELECT 1 FROM branch_tips WHERE conversation_id = ? AND turn_id IS NOT NULL LIMIT 1';
  if (!hasStepsOf(db, plan) && select(db, left).get(plan.conversationId) === undefined) return;
  for (const seqs of batchesOf(plan)) {
    for (const { turn_id } of select<{ turn_id: string }>(db, selectTurns).all(seqs)) plan.turns.add(turn_id);
    yield;
  }
}

/** The branch a digest tells of, where the fork has it. */
function* renameDigests(db: WritableDb, plan: ForkPlan): Generator<void, void, void> {
  for (const { id, meta: json } of plan.digests) {
    const meta = json === null ? undefined : parseJson(json);
    if (typeof meta !== 'object' || meta === null || !('digest' in meta)) continue;
    const { digest } = meta;
    if (typeof digest !== 'object' || digest === null || !('from' in digest)) continue;
    const from = typeof digest.from === 'string' ? copyIn(db, plan, digest.from) : undefined;
    change(db, 'UPDATE messages SET meta = ? WHERE id = ?').run(JSON.stringify({ ...meta, digest: { ...digest, from } }), id);
    yield;
  }
}

/** Rows read by one statement. */
const page = 200;
/** Reads the rows of a conversation in order, a page at a time. */
const readerOf = <Row>(table: string, columns: string, order: 'rowid' | 'seq' = 'rowid') => {
  const sql = `SELECT ${order} AS place, ${columns} FROM ${table} WHERE conversation_id = +? AND ${order} > +? ORDER BY ${order} LIMIT ${page}`;
  return function* read(db: ReadableDb, conversationId: ConversationId): Generator<void, Row[], void> {
    const all: Row[] = [];
    let after = 0;
    for (;;) {
      const rows = select<Row & { place: number }>(db, sql).all(conversationId, after);
      all.push(...rows);
      yield;
      const last = rows.at(-1);
      if (last === undefined || rows.length < page) return all;
      after = last.place;
    }
  };
};

type Named = { message_id: string; created_at: number };
type TipRow = { child_id: string; tip_id: string; turn_id: TurnId | null };
type FailedRow = { parent_id: string; turn_id: TurnId; agent_id: AgentId; model: string | null; failure: string; created_at: number };
const readLabels = readerOf<Named & { label: string }>('labels', 'message_id, label, created_at');
const readPins = readerOf<Named>('pins', 'message_id, created_at');
const readCheckpoints = readerOf<Named & { label: string; made_by: string }>(
  'checkpoints',
  'message_id, label, made_by, created_at',
  'seq',
);
const readTips = readerOf<TipRow>('branch_tips', 'child_id, tip_id, turn_id');
const readFailed = readerOf<FailedRow>('failed_turns', 'parent_id, turn_id, agent_id, model, failure, created_at', 'seq');

const insertLabel = 'INSERT INTO labels (message_id, conversation_id, label, created_at) VALUES (?, ?, ?, ?)';
const insertPin = 'INSERT INTO pins (message_id, conversation_id, created_at) VALUES (?, ?, ?)';
const insertCheckpoint = 'INSERT INTO checkpoints (conversation_id, message_id, label, made_by, created_at) VALUES (?, ?, ?, ?, ?)';
const insertTip = 'INSERT INTO branch_tips (conversation_id, child_id, tip_id, turn_id) VALUES (?, ?, ?, ?)';
const insertFailed =
  'INSERT INTO failed_turns (id, conversation_id, parent_id, turn_id, agent_id, model, failure, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)';
const insertAgents =
  'INSERT INTO conversation_agents (conversation_id, agent_id, agent) SELECT ?, agent_id, agent FROM conversation_agents WHERE conversation_id = ? ORDER BY rowid';

/** Everything else that names messages in scope, and the agents. To be run within transactions, after the messages. */
export function* copyFacts(db: WritableDb, plan: ForkPlan): Generator<void, void, void> {
  const { conversationId, forkId } = plan;
  yield* findTurns(db, plan);
  yield* renameDigests(db, plan);
  yield* copyMarks(db, plan);
  for (const row of yield* readTips(db, conversationId)) {
    const [child, tip] = [copyIn(db, plan, row.child_id), copyIn(db, plan, row.tip_id)];
    if (child && tip) change(db, insertTip).run(forkId, child, tip, row.turn_id === null ? null : (turnIn(plan, row.turn_id) ?? null));
    yield;
  }
  yield* copyFailed(db, plan);
  change(db, insertAgents).run(forkId, conversationId);
}

function* copyMarks(db: WritableDb, plan: ForkPlan): Generator<void, void, void> {
  const { conversationId, forkId } = plan;
  for (const row of yield* readLabels(db, conversationId)) {
    const id = copyIn(db, plan, row.message_id);
    if (id) change(db, insertLabel).run(id, forkId, row.label, row.created_at);
    yield;
  }
  for (const row of yield* readPins(db, conversationId)) {
    const id = copyIn(db, plan, row.message_id);
    if (id) change(db, insertPin).run(id, forkId, row.created_at);
    yield;
  }
  for (const row of yield* readCheckpoints(db, conversationId)) {
    const id = copyIn(db, plan, row.message_id);
    if (id) change(db, insertCheckpoint).run(forkId, id, row.label, row.made_by, row.created_at);
    yield;
  }
}

function* copyFailed(db: WritableDb, plan: ForkPlan): Generator<void, void, void> {
  for (const row of yield* readFailed(db, plan.conversationId)) {
    const id = holdsEnding(plan, row.parent_id) ? copyIn(db, plan, row.parent_id) : undefined;
    if (id) {
      const turnId = copyOfTurn(plan, row.turn_id);
      plan.turns.add(row.turn_id);
      change(db, insertFailed).run(plan.newId('fld'), plan.forkId, id, turnId, row.agent_id, row.model, row.failure, row.created_at);
    }
    yield;
  }
}
