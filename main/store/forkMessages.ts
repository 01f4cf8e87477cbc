// Copies the messages of a fork and where their steps are, a few at a time, into a conversation that nobody sees until it is whole (T9). Content is
// shared.
import type { MessageId } from '../../shared/model/ids';
import { change, connectionOf, type WritableDb } from './database';
import { batchesOf, copyOf, type ForkPlan, hasStepsOf, inBatch, newIdOf } from './forkPlan';
import { notTrashed } from './trashed';

const seen = notTrashed('m');
/** A recovered root becomes a plain one: what damage made is not made again. What was deleted meanwhile is missing, which is found at the end. */
const insertCopies = `INSERT INTO messages
  (id, conversation_id, parent_id, role, status, agent_id, turn_id, model, usage, meta, created_at, ordinal, depth, jump_id, content_seq)
  SELECT ${copyOf('m.id')}, ?, iif(m.recovered = 1, NULL, ${copyOf('m.parent_id')}), m.role, m.status, m.agent_id, ${copyOf('m.turn_id')}, m.model, m.usage,
  iif(m.role = 'digest', fork_digest(m.id, m.meta), m.meta), m.created_at, fork_place(iif(m.recovered = 1, NULL, m.parent_id)), m.depth,
  ${copyOf('iif(m.recovered = 1 OR m.parent_id IS NULL, m.id, m.jump_id)')}, coalesce(m.content_seq, m.seq)
  ${inBatch} WHERE ${seen}`;
const insertSteps = `INSERT INTO transcript_steps (step_id, message_id, conversation_id, agent_id, file, stored_as)
  SELECT ${copyOf('m.id')}, ${copyOf('m.id')}, ?, t.agent_id, t.file, coalesce(t.stored_as, t.step_id)
  ${inBatch} CROSS JOIN transcript_steps t ON t.message_id = m.id WHERE ${seen}`;

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
