// What a fork is made of: the messages in scope, and the ids that their copies get (T9).
import type { ConversationId, MessageId, NewId, TurnId } from '../../shared/model/ids';
import { type ReadableDb, select } from './database';
import { type ScopeArgs, type ScopeSink, scopeOf } from './forkScope';

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
export const copyOf = (id: string) => `? || substr(${id}, -${tailLength})`;
export const newIdOf = <T extends string>(prefix: string, { mark }: ForkPlan, id: T) => `${prefix}_${mark}${id.slice(-tailLength)}` as T;

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

/** Whether a failed turn under this message is in scope: what stands beside the path is a sibling, what hangs under a sibling is not in scope. */
export function holdsEnding({ scope, path, messageId }: Pick<ForkPlan, 'scope' | 'path' | 'messageId'>, parentId: string): boolean {
  if (scope === 'all') return true;
  return scope === 'path' ? parentId === messageId : path.has(parentId);
}

/** Messages copied by one statement. */
const batch = 128;
/** The seqs of a few messages, for `inBatch`. */
export function* batchesOf({ seqs }: ForkPlan): Generator<string> {
  for (let from = 0; from < seqs.length; from += batch) yield JSON.stringify([...seqs.subarray(from, from + batch)]);
}

// One loop in the order of the list: an ORDER BY would sort whole rows once more.
export const inBatch = 'FROM json_each(?) j CROSS JOIN messages m ON m.seq = j.value';

export function hasStepsOf(db: ReadableDb, { conversationId }: ForkPlan): boolean {
  return select(db, 'SELECT 1 FROM transcript_steps WHERE conversation_id = ? LIMIT 1').get(conversationId) !== undefined;
}
