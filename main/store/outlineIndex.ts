// The tree of the conversation that the navigator looks at, kept between its questions: an answer that ends costs a look at the new rows alone (N6).
import type { ConversationId } from '../../shared/model/ids';
import { type OutlineBone, OutlineIndex } from '../../shared/tree/outline';
import { type ReadableDb, select } from './database';
import { notTrashed } from './trashed';

type Kept = {
  conversationId: ConversationId;
  index: OutlineIndex;
  /** Answers that broke off. */
  interrupted: Set<string>;
  lastSeq: number;
  /** What tells that rows went, came back or were put in the trash. */
  sign: string;
};

type BoneRow = OutlineBone & { status: string };
const columns = 'm.seq, m.id, m.parent_id AS parentId, m.role, m.turn_id AS turnId, m.status';
const selectBones = `SELECT ${columns} FROM messages m WHERE m.conversation_id = ?`;
// The mark stands behind the text of a row, which is read only where there is a trash.
const selectKept = `${selectBones} AND ${notTrashed('m')}`;
const selectNew = `SELECT ${columns} FROM messages m WHERE m.seq > +? AND +m.conversation_id = +? AND ${notTrashed('m')} ORDER BY m.seq`;
const selectSign = `SELECT (SELECT count(*) FROM messages WHERE conversation_id = ?) AS rows, count(*) AS deletions, max(seq) AS last
  FROM trash WHERE conversation_id = ?`;

const kept = new WeakMap<ReadableDb, Kept>();

export function outlineIndexOf(db: ReadableDb, conversationId: ConversationId): Pick<Kept, 'index' | 'interrupted'> {
  const sign = select<{ rows: number; deletions: number; last: number | null }>(db, selectSign).get(conversationId, conversationId);
  const { rows = 0, deletions = 0, last = null } = sign ?? {};
  const trash = `${deletions}:${last}`;
  const known = kept.get(db);
  if (known?.conversationId === conversationId && known.sign.startsWith(`${trash}:`)) {
    const before = Number(known.sign.slice(trash.length + 1));
    const added = rows < before ? null : addNew(db, known);
    if (added !== null && before + added === rows) {
      known.sign = `${trash}:${rows}`;
      return known;
    }
  }
  const made = make(db, conversationId, deletions > 0);
  const fresh: Kept = { ...made, conversationId, sign: `${trash}:${rows}` };
  kept.set(db, fresh);
  return fresh;
}

/** How many were added; null when they do not fit. */
function addNew(db: ReadableDb, known: Kept): number | null {
  const rows = select<BoneRow>(db, selectNew).all(known.lastSeq, known.conversationId);
  for (const { status, ...bone } of rows) {
    if (!known.index.add(bone)) return null;
    if (status === 'interrupted') known.interrupted.add(bone.id);
    known.lastSeq = bone.seq;
  }
  return rows.length;
}

function make(db: ReadableDb, conversationId: ConversationId, hasTrash: boolean): Pick<Kept, 'index' | 'interrupted' | 'lastSeq'> {
  const rows = select<BoneRow>(db, hasTrash ? selectKept : selectBones).all(conversationId);
  rows.sort((a, b) => a.seq - b.seq);
  const interrupted = new Set<string>();
  for (const row of rows) if (row.status === 'interrupted') interrupted.add(row.id);
  return { index: OutlineIndex.of(rows), interrupted, lastSeq: rows.at(-1)?.seq ?? 0 };
}
