// Finds in the data what the benchmarks need: conversations and messages of certain depths.
import { connectionOf, type ReadableDb } from '../../../main/store/database';
import { readSlice } from '../../../main/store/messages';
import type { ConversationId, MessageId } from '../../../shared/model/ids';

export type Target = { conversationId: ConversationId; tipId: MessageId; length: number };

const selectTip =
  'SELECT c.id AS conversationId, c.tip_id AS tipId, m.depth + 1 AS length FROM conversations c JOIN messages m ON m.id = c.tip_id';

export function conversationNamed(db: ReadableDb, id: string): Target {
  const found = connectionOf(db).prepare<[string], Target>(`${selectTip} WHERE c.id = ?`).get(id);
  if (!found) throw new Error(`The data has no conversation ${id}.`);
  return found;
}

/** The `count` usual conversations whose paths are nearest to `length`. */
export function conversationsOfLength(db: ReadableDb, length: number, count: number): Target[] {
  const found = connectionOf(db)
    .prepare<[number, number], Target>(`${selectTip} WHERE c.id NOT GLOB 'cnv_bench_[a-z]*' ORDER BY abs(m.depth + 1 - ?) LIMIT ?`)
    .all(length, count);
  if (found.length < count) throw new Error('The data has too few usual conversations.');
  return found;
}

/** The message that ends the first `length` messages of a path. */
export function messageAtLength(db: ReadableDb, target: Target, length: number): MessageId {
  const item = readSlice(db, { tipId: target.tipId, offset: length - 1, count: 1 }).items[0];
  if (!item) throw new Error(`The path of ${target.conversationId} is shorter than ${length}.`);
  return item.id;
}
