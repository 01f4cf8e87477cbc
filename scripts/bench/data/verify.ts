// Checks that generated data is what the program itself would have written: the derived columns of a sample against the real functions.

import { connectionOf, type ReadableDb, select } from '../../../main/store/database';
import { readTalk } from '../../../main/store/talkView';
import type { ConversationId } from '../../../shared/model/ids';
import { type Bone, derive } from '../../../shared/tree/derive';
import type { Scale } from './sizes';

type Row = { id: string; ordinal: number; depth: number; jump_id: string; recovered: number };
const selectBones = 'SELECT seq, id, parent_id AS parentId FROM messages WHERE conversation_id = +? ORDER BY seq';
const selectDerived = 'SELECT id, ordinal, depth, jump_id, recovered FROM messages WHERE conversation_id = ?';

/** Throws with what is wrong. */
export function verify(db: ReadableDb, scale: Scale): void {
  const count = (table: string) => connectionOf(db).prepare<[], number>(`SELECT count(*) FROM ${table}`).pluck().get() ?? 0;
  expectEqual('messages', count('messages'), scale.messages);
  expectEqual('conversations', count('conversations'), scale.conversations);
  const all = select<{ id: string }>(db, 'SELECT id FROM conversations ORDER BY seq')
    .all()
    .map(({ id }) => id);
  const usual = all.filter((_, at) => at % Math.ceil(all.length / 25) === 0);
  for (const id of new Set(['cnv_bench_wide', 'cnv_bench_deep', 'cnv_bench_long0', 'cnv_bench_short0', ...usual]))
    verifyConversation(db, id);
}

function verifyConversation(db: ReadableDb, id: string): void {
  const derived = derive(select<Bone>(db, selectBones).all(id));
  for (const row of select<Row>(db, selectDerived).all(id)) {
    const node = derived.get(row.id);
    const stored = `${row.ordinal} ${row.depth} ${row.jump_id} ${row.recovered}`;
    expectEqual(`${id}, ${row.id}`, stored, node && `${node.ordinal} ${node.depth} ${node.jumpId} ${node.recovered ? 1 : 0}`);
  }
  const view = readTalk(db, { conversationId: id as ConversationId, count: 50 });
  expectEqual(`${id}, messages shown`, view.slice.items.length, Math.min(50, view.length));
  expectEqual(`${id}, tip shown`, view.slice.items.at(-1)?.id ?? null, view.tipId);
  expectEqual(`${id}, notice`, view.notice, undefined);
}

function expectEqual(what: string, found: unknown, expected: unknown): void {
  if (found !== expected) throw new Error(`The generated data is wrong: ${what} is ${String(found)}, not ${String(expected)}.`);
}
