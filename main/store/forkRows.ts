// Copies the rows of a fork under new ids, a few at a time, into a conversation that nobody sees until it is whole (T9). Content is shared.
import type { AgentId, ConversationId, MessageId, NewId, StepId, TurnId } from '../../shared/model/ids';
import { DamagedTree } from '../../shared/tree/links';
import { change, connectionOf, type ReadableDb, select, type WritableDb } from './database';
import { type ScopeArgs, type ScopeSink, scopeOf } from './forkScope';
import { parseJson } from './json';
import { notTrashed } from './trashed';

/** What a fork is made of, once its messages are counted: old ids and their new ones. */
export type ForkPlan = ScopeArgs & {
  forkId: ConversationId;
  ids: Map<string, MessageId>;
  turns: Map<string, TurnId>;
  /** Before the number of each turn. */
  turnPrefix: TurnId;
  /** From the root to the chosen message. */
  path: ReadonlySet<string>;
  /** In order of creation. */
  seqs: Float64Array;
  newId: NewId;
};

/** Reads which messages are in scope, and gives each its new id. Throws `DamagedTree`. */
export function* planFork(db: ReadableDb, args: ScopeArgs & { forkId: ConversationId; newId: NewId }): Generator<void, ForkPlan, void> {
  const ids = new Map<string, MessageId>();
  const path = new Set<string>();
  const seqs: number[] = [];
  const nextId = idsUnder(args.newId('msg'));
  const sink: ScopeSink = {
    path,
    has: (id) => ids.has(id),
    add(id, seq) {
      ids.set(id, nextId());
      seqs.push(seq);
    },
  };
  yield* scopeOf(db, args, sink);
  return { ...args, ids, path, turns: new Map(), turnPrefix: args.newId('trn'), seqs: Float64Array.from(seqs).sort() };
}

const seen = notTrashed('m');
/** One id and a number behind it, for each message: a hundred thousand ids of their own would take longer to make than their rows to write. */
function idsUnder(first: MessageId): () => MessageId {
  let made = 0;
  return () => `${first}-${(made++).toString(36).padStart(4, '0')}` as MessageId;
}

/** Rows copied by one statement. */
const batch = 48;
const seqsOf = 'FROM json_each(?) j CROSS JOIN messages m ON m.seq = j.value';
/** A recovered root becomes a plain one: what damage made is not made again. What was deleted meanwhile is missing, which is found at the end. */
const insertCopies = `INSERT INTO messages
  (id, conversation_id, parent_id, role, status, agent_id, turn_id, model, usage, meta, created_at, ordinal, depth, jump_id, content_seq)
  SELECT fork_message(m.id), ?, iif(m.recovered = 1, NULL, fork_message(m.parent_id)), m.role, m.status, m.agent_id, fork_turn(m.turn_id), m.model, m.usage,
  iif(m.role = 'digest', fork_meta(m.meta), m.meta), m.created_at, fork_place(iif(m.recovered = 1, NULL, m.parent_id)), m.depth,
  fork_message(iif(m.recovered = 1 OR m.parent_id IS NULL, m.id, coalesce(m.jump_id, ''))), coalesce(m.content_seq, m.seq)
  ${seqsOf} WHERE ${seen} ORDER BY j.key`;
const insertSteps = `INSERT INTO transcript_steps (step_id, message_id, conversation_id, agent_id, file, stored_as)
  SELECT fork_step(m.id), fork_message(m.id), ?, t.agent_id, t.file, coalesce(t.stored_as, t.step_id)
  ${seqsOf} CROSS JOIN transcript_steps t ON t.message_id = m.id WHERE ${seen} ORDER BY j.key`;

/** Of the fork whose rows are being copied right now: its ids are given to SQLite by functions, which is quicker than bringing each row here. */
type Mapping = { plan: ForkPlan; places: Map<string | null, number> };
const mappings = new WeakMap<WritableDb, { now: Mapping | null }>();

function mappingIn(db: WritableDb): { now: Mapping | null } {
  const known = mappings.get(db);
  if (known) return known;
  const slot: { now: Mapping | null } = { now: null };
  const named = (name: string, give: (mapping: Mapping, value: string | null) => string | number | null) =>
    connectionOf(db).function(name, { directOnly: true }, (value: unknown) =>
      slot.now === null ? null : give(slot.now, typeof value === 'string' ? value : null),
    );
  named('fork_message', ({ plan }, id) => (id === null ? null : mapped(plan, id)));
  named('fork_step', ({ plan }, id) => (id === null ? null : stepIdOf(mapped(plan, id))));
  named('fork_turn', ({ plan }, id) => turnOf(plan, id));
  named('fork_meta', ({ plan }, meta) => digestMeta(plan, meta));
  named('fork_place', ({ places }, under) => {
    const place = (places.get(under) ?? 0) + 1;
    places.set(under, place);
    return place;
  });
  mappings.set(db, slot);
  return slot;
}

/** Copies the messages and where their steps are; gives how many. To be run within transactions. `done` is told of each few. */
export function* copyMessages(db: WritableDb, plan: ForkPlan, done: (count: number) => void): Generator<void, number, void> {
  const slot = mappingIn(db);
  const mapping: Mapping = { plan, places: new Map() };
  const hasSteps = select(db, 'SELECT 1 FROM transcript_steps WHERE conversation_id = ? LIMIT 1').get(plan.conversationId) !== undefined;
  let copied = 0;
  for (let from = 0; from < plan.seqs.length; from += batch) {
    const seqs = JSON.stringify([...plan.seqs.subarray(from, from + batch)]);
    slot.now = mapping;
    const { changes } = change(db, insertCopies).run(plan.forkId, seqs);
    if (hasSteps) change(db, insertSteps).run(plan.forkId, seqs);
    copied += changes;
    done(changes);
    yield;
  }
  return copied;
}

/** The step that becomes a message has the same ULID. */
function stepIdOf(id: MessageId): StepId {
  return id.replace(/^msg_/, 'stp_') as StepId;
}

function mapped(plan: ForkPlan, id: string): MessageId {
  const found = plan.ids.get(id);
  if (found === undefined) throw new DamagedTree(id, 'is not in the tree that was read');
  return found;
}

function turnOf({ turns, turnPrefix }: ForkPlan, old: string | null): TurnId | null {
  if (old === null) return null;
  const known = turns.get(old);
  if (known !== undefined) return known;
  const made = `${turnPrefix}-${turns.size.toString(36).padStart(4, '0')}` as TurnId;
  turns.set(old, made);
  return made;
}

/** The branch a digest tells of, where the fork has it. */
function digestMeta({ ids }: ForkPlan, json: string | null): string | null {
  const meta = json === null ? undefined : parseJson(json);
  if (typeof meta !== 'object' || meta === null || !('digest' in meta)) return json;
  const { digest } = meta;
  if (typeof digest !== 'object' || digest === null || !('from' in digest)) return json;
  const from = typeof digest.from === 'string' ? ids.get(digest.from) : undefined;
  return JSON.stringify({ ...meta, digest: { ...digest, from } });
}

/** Whether a failed turn under this message is in scope: what stands beside the path is a sibling, what hangs under a sibling is not in scope. */
export function holdsEnding(
  { scope, path, ids, messageId }: Pick<ForkPlan, 'scope' | 'path' | 'ids' | 'messageId'>,
  parentId: string,
): boolean {
  if (scope === 'all') return ids.has(parentId);
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
const tips = pageOf<{ child_id: string; tip_id: string; turn_id: string | null }>(
  'SELECT rowid AS place, child_id, tip_id, turn_id FROM branch_tips WHERE conversation_id = +? AND rowid > +? ORDER BY rowid LIMIT 200',
);
const failed = pageOf<{ parent_id: string; turn_id: string; agent_id: AgentId; model: string | null; failure: string; created_at: number }>(
  'SELECT seq AS place, parent_id, turn_id, agent_id, model, failure, created_at FROM failed_turns WHERE conversation_id = +? AND seq > +? ORDER BY seq LIMIT 200',
);

/** Everything else that names messages in scope, and the agents. To be run within transactions, after the messages. */
export function* copyFacts(db: WritableDb, plan: ForkPlan): Generator<void, void, void> {
  const { conversationId, forkId, ids } = plan;
  for (const row of yield* labels.read(db, conversationId)) {
    const id = ids.get(row.message_id);
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
    const id = ids.get(row.message_id);
    if (id) change(db, 'INSERT INTO pins (message_id, conversation_id, created_at) VALUES (?, ?, ?)').run(id, forkId, row.created_at);
    yield;
  }
  for (const row of yield* checkpoints.read(db, conversationId)) {
    const id = ids.get(row.message_id);
    const sql = 'INSERT INTO checkpoints (conversation_id, message_id, label, made_by, created_at) VALUES (?, ?, ?, ?, ?)';
    if (id) change(db, sql).run(forkId, id, row.label, row.made_by, row.created_at);
    yield;
  }
  for (const row of yield* tips.read(db, conversationId)) {
    const [child, tip] = [ids.get(row.child_id), ids.get(row.tip_id)];
    const sql = 'INSERT INTO branch_tips (conversation_id, child_id, tip_id, turn_id) VALUES (?, ?, ?, ?)';
    if (child && tip) change(db, sql).run(forkId, child, tip, row.turn_id === null ? null : (plan.turns.get(row.turn_id) ?? null));
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
    const id = holdsEnding(plan, row.parent_id) ? plan.ids.get(row.parent_id) : undefined;
    const sql =
      'INSERT INTO failed_turns (id, conversation_id, parent_id, turn_id, agent_id, model, failure, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)';
    const turnId = turnOf(plan, row.turn_id);
    if (id) change(db, sql).run(plan.newId('fld'), plan.forkId, id, turnId, row.agent_id, row.model, row.failure, row.created_at);
    yield;
  }
}
