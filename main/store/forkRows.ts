// Copies the rows of a fork under new ids, a few at a time, into a conversation that nobody sees until it is whole (T9). Content is shared.
import type { AgentId, ConversationId, MessageId, NewId, TurnId } from '../../shared/model/ids';
import { change, connectionOf, type ReadableDb, select, type WritableDb } from './database';
import { type ScopeArgs, type ScopeSink, scopeOf } from './forkScope';
import { parseJson } from './json';
import { notTrashed } from './trashed';

/** What a fork is made of, once its messages are counted. */
export type ForkPlan = ScopeArgs & {
  forkId: ConversationId;
  /** Behind `msg_`, `stp_` and `trn_` in every id of the fork: no other id begins like that. */
  mark: string;
  /** From the root to the chosen message; not read for the whole conversation. */
  path: ReadonlySet<string>;
  /** In order of creation. */
  seqs: Float64Array;
  /** Turns of the source that have a message in the fork; known when its facts are copied. */
  turns: Set<string>;
  /** Copies that tell of a branch. */
  digests: { id: MessageId; meta: string | null }[];
  newId: NewId;
};

/** Reads which messages are in scope. Throws `DamagedTree`. */
export function* planFork(db: ReadableDb, args: ScopeArgs & { forkId: ConversationId; newId: NewId }): Generator<void, ForkPlan, void> {
  const ids = new Set<string>();
  const path = new Set<string>();
  const seqs: number[] = [];
  const sink: ScopeSink = {
    path,
    has: (id) => ids.has(id),
    add(id, seq) {
      ids.add(id);
      seqs.push(seq);
    },
    addWhole: (more) => void seqs.push(...more),
  };
  yield* scopeOf(db, args, sink);
  return { ...args, mark: freeMark(db, args.newId), path, turns: new Set(), digests: [], seqs: Float64Array.from(seqs).sort() };
}

const seen = notTrashed('m');

/** Eight characters by chance that no message of the workspace has behind `msg_`. */
function freeMark(db: ReadableDb, newId: NewId): string {
  for (;;) {
    const mark = newId('msg').slice(-8);
    if (select(db, 'SELECT 1 FROM messages WHERE id >= ? AND id < ? LIMIT 1').get(`msg_${mark}`, `msg_${mark}~`) === undefined) return mark;
  }
}

/**
 * What of an old id stands in the new one: a ULID, or the end of what the id of a copy has behind its own mark. It tells the messages of a
 * conversation apart, and so needs no table from old to new.
 */
const tailLength = 26;
const copyOf = (id: string) => `? || substr(${id}, -${tailLength})`;
const newIdOf = <T extends string>(prefix: string, { mark }: ForkPlan, id: T) => `${prefix}_${mark}${id.slice(-tailLength)}` as T;

/** The copy of a message; undefined where it is not in the fork. To be asked once the messages are copied. */
export function copyIn(db: ReadableDb, plan: ForkPlan, id: string): MessageId | undefined {
  const copy = newIdOf('msg', plan, id as MessageId);
  return select(db, 'SELECT 1 FROM messages WHERE id = ?').get(copy) === undefined ? undefined : copy;
}

/** The turn of the copies; undefined where none of its messages is in the fork. To be asked once the facts are copied. */
export function turnIn(plan: ForkPlan, id: TurnId): TurnId | undefined {
  return plan.turns.has(id) ? copyOfTurn(plan, id) : undefined;
}

export const copyOfTurn = (plan: ForkPlan, id: TurnId): TurnId => newIdOf('trn', plan, id);

/** Rows copied by one statement. */
const batch = 128;
// One loop in the order of the list: an ORDER BY would sort whole rows once more.
const seqsOf = 'FROM json_each(?) j CROSS JOIN messages m ON m.seq = j.value';
/** A recovered root becomes a plain one: what damage made is not made again. What was deleted meanwhile is missing, which is found at the end. */
const insertCopies = `INSERT INTO messages
  (id, conversation_id, parent_id, role, status, agent_id, turn_id, model, usage, meta, created_at, ordinal, depth, jump_id, content_seq)
  SELECT ${copyOf('m.id')}, ?, iif(m.recovered = 1, NULL, ${copyOf('m.parent_id')}), m.role, m.status, m.agent_id, ${copyOf('m.turn_id')}, m.model, m.usage,
  iif(m.role = 'digest', fork_digest(m.id, m.meta), m.meta), m.created_at, fork_place(iif(m.recovered = 1, NULL, m.parent_id)), m.depth,
  ${copyOf('iif(m.recovered = 1 OR m.parent_id IS NULL, m.id, m.jump_id)')}, coalesce(m.content_seq, m.seq)
  ${seqsOf} WHERE ${seen}`;
const insertSteps = `INSERT INTO transcript_steps (step_id, message_id, conversation_id, agent_id, file, stored_as)
  SELECT ${copyOf('m.id')}, ${copyOf('m.id')}, ?, t.agent_id, t.file, coalesce(t.stored_as, t.step_id)
  ${seqsOf} CROSS JOIN transcript_steps t ON t.message_id = m.id WHERE ${seen}`;
const selectTurns = `SELECT DISTINCT m.turn_id ${seqsOf} WHERE m.turn_id IS NOT NULL`;

/** Of the fork whose rows are being copied right now: what SQL cannot tell of a row is asked by functions. */
type Copying = { plan: ForkPlan; places: Map<unknown, number> };
const copyings = new WeakMap<WritableDb, { now: Copying | null }>();

function copyingIn(db: WritableDb): { now: Copying | null } {
  const known = copyings.get(db);
  if (known) return known;
  const slot: { now: Copying | null } = { now: null };
  const connection = connectionOf(db);
  connection.function('fork_digest', { directOnly: true }, (id: unknown, meta: unknown) => {
    const plan = slot.now?.plan;
    plan?.digests.push({ id: newIdOf('msg', plan, id as MessageId), meta: meta as string | null });
    return meta;
  });
  connection.function('fork_place', { directOnly: true }, (under: unknown) => {
    const place = (slot.now?.places.get(under) ?? 0) + 1;
    slot.now?.places.set(under, place);
    return place;
  });
  copyings.set(db, slot);
  return slot;
}

/** Copies the messages and where their steps are; gives how many. To be run within transactions. `done` is told of each few. */
export function* copyMessages(db: WritableDb, plan: ForkPlan, done: (count: number) => void): Generator<void, number, void> {
  const slot = copyingIn(db);
  const copying: Copying = { plan, places: new Map() };
  const { forkId } = plan;
  const [msg, stp, trn] = [`msg_${plan.mark}`, `stp_${plan.mark}`, `trn_${plan.mark}`];
  const hasSteps = hasStepsOf(db, plan);
  let copied = 0;
  for (const seqs of batchesOf(plan)) {
    slot.now = copying;
    const { changes } = change(db, insertCopies).run(msg, forkId, msg, trn, msg, seqs);
    if (hasSteps) change(db, insertSteps).run(stp, msg, forkId, seqs);
    copied += changes;
    done(changes);
    yield;
  }
  return copied;
}

function* batchesOf({ seqs }: ForkPlan): Generator<string> {
  for (let from = 0; from < seqs.length; from += batch) yield JSON.stringify([...seqs.subarray(from, from + batch)]);
}

function hasStepsOf(db: ReadableDb, { conversationId }: ForkPlan): boolean {
  return select(db, 'SELECT 1 FROM transcript_steps WHERE conversation_id = ? LIMIT 1').get(conversationId) !== undefined;
}

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

/** Whether a failed turn under this message is in scope: what stands beside the path is a sibling, what hangs under a sibling is not in scope. */
export function holdsEnding({ scope, path, messageId }: Pick<ForkPlan, 'scope' | 'path' | 'messageId'>, parentId: string): boolean {
  if (scope === 'all') return true;
  return scope === 'path' ? parentId === messageId : path.has(parentId);
}

type Named = { message_id: string };
const pageOf = <Row>(sql: string) => ({
  /** Rows of a conversation in order, a page at a time. */
  *read(db: ReadableDb, conversationId: ConversationId): Generator<void, Row[], void> {
    const all: Row[] = [];
    let after = 0;
    for (;;) {
      const rows = select<Row & { place: number }>(db, sql).all(conversationId, after);
      all.push(...rows);
      yield;
      const last = rows.at(-1);
      if (last === undefined || rows.length < 200) return all;
      after = last.place;
    }
  },
});
const labels = pageOf<Named & { label: string; created_at: number }>(
  'SELECT rowid AS place, message_id, label, created_at FROM labels WHERE conversation_id = +? AND rowid > +? ORDER BY rowid LIMIT 200',
);
const pins = pageOf<Named & { created_at: number }>(
  'SELECT rowid AS place, message_id, created_at FROM pins WHERE conversation_id = +? AND rowid > +? ORDER BY rowid LIMIT 200',
);
const checkpoints = pageOf<Named & { label: string; made_by: string; created_at: number }>(
  'SELECT seq AS place, message_id, label, made_by, created_at FROM checkpoints WHERE conversation_id = +? AND seq > +? ORDER BY seq LIMIT 200',
);
const tips = pageOf<{ child_id: string; tip_id: string; turn_id: TurnId | null }>(
  'SELECT rowid AS place, child_id, tip_id, turn_id FROM branch_tips WHERE conversation_id = +? AND rowid > +? ORDER BY rowid LIMIT 200',
);
const failed = pageOf<{ parent_id: string; turn_id: TurnId; agent_id: AgentId; model: string | null; failure: string; created_at: number }>(
  'SELECT seq AS place, parent_id, turn_id, agent_id, model, failure, created_at FROM failed_turns WHERE conversation_id = +? AND seq > +? ORDER BY seq LIMIT 200',
);

/** Everything else that names messages in scope, and the agents. To be run within transactions, after the messages. */
export function* copyFacts(db: WritableDb, plan: ForkPlan): Generator<void, void, void> {
  const { conversationId, forkId } = plan;
  const copyOfId = (id: string) => copyIn(db, plan, id);
  yield* findTurns(db, plan);
  yield* renameDigests(db, plan);
  for (const row of yield* labels.read(db, conversationId)) {
    const id = copyOfId(row.message_id);
    if (id)
      change(db, 'INSERT INTO labels (message_id, conversation_id, label, created_at) VALUES (?, ?, ?, ?)').run(
        id,
        forkId,
        row.label,
        row.created_at,
      );
    yield;
  }
  for (const row of yield* pins.read(db, conversationId)) {
    const id = copyOfId(row.message_id);
    if (id) change(db, 'INSERT INTO pins (message_id, conversation_id, created_at) VALUES (?, ?, ?)').run(id, forkId, row.created_at);
    yield;
  }
  for (const row of yield* checkpoints.read(db, conversationId)) {
    const id = copyOfId(row.message_id);
    const sql = 'INSERT INTO checkpoints (conversation_id, message_id, label, made_by, created_at) VALUES (?, ?, ?, ?, ?)';
    if (id) change(db, sql).run(forkId, id, row.label, row.made_by, row.created_at);
    yield;
  }
  for (const row of yield* tips.read(db, conversationId)) {
    const [child, tip] = [copyOfId(row.child_id), copyOfId(row.tip_id)];
    const sql = 'INSERT INTO branch_tips (conversation_id, child_id, tip_id, turn_id) VALUES (?, ?, ?, ?)';
    if (child && tip) change(db, sql).run(forkId, child, tip, row.turn_id === null ? null : (turnIn(plan, row.turn_id) ?? null));
    yield;
  }
  yield* copyFailed(db, plan);
  change(
    db,
    'INSERT INTO conversation_agents (conversation_id, agent_id, agent) SELECT ?, agent_id, agent FROM conversation_agents WHERE conversation_id = ? ORDER BY rowid',
  ).run(forkId, conversationId);
}

function* copyFailed(db: WritableDb, plan: ForkPlan): Generator<void, void, void> {
  for (const row of yield* failed.read(db, plan.conversationId)) {
    const id = holdsEnding(plan, row.parent_id) ? copyIn(db, plan, row.parent_id) : undefined;
    const sql =
      'INSERT INTO failed_turns (id, conversation_id, parent_id, turn_id, agent_id, model, failure, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)';
    const turnId = copyOfTurn(plan, row.turn_id);
    if (id) plan.turns.add(row.turn_id);
    if (id) change(db, sql).run(plan.newId('fld'), plan.forkId, id, turnId, row.agent_id, row.model, row.failure, row.created_at);
    yield;
  }
}
