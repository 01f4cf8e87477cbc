// Content that several rows share because forks copied it: it belongs to one row, and to the next when that one is deleted for good (T9).
import { change, type ReadableDb, select, transaction, type WritableDb } from './database';

const selectHeirs = 'SELECT seq FROM messages WHERE content_seq = +? ORDER BY seq';
const selectIsOwner = 'SELECT 1 FROM messages WHERE content_seq = ? LIMIT 1';

/**
 * To be called in the transaction that deletes these rows, before it does: what others share with one of them goes to the first of those others.
 */
export function handOverContent(db: WritableDb, seqs: readonly number[]): void {
  const leaving = new Set(seqs);
  transaction(db, () => {
    for (const seq of seqs) if (isShared(db, seq)) handOver(db, seq, leaving);
  });
}

function isShared(db: ReadableDb, seq: number): boolean {
  return select(db, selectIsOwner).get(seq) !== undefined;
}

function handOver(db: WritableDb, seq: number, leaving: ReadonlySet<number>): void {
  const heir = select<{ seq: number }>(db, selectHeirs)
    .all(seq)
    .find((row) => !leaving.has(row.seq))?.seq;
  if (heir === undefined) return;
  change(
    db,
    `UPDATE messages SET content_seq = NULL, text = o.text, parts = o.parts FROM (SELECT text, parts FROM messages WHERE seq = ?) AS o
     WHERE messages.seq = ?`,
  ).run(seq, heir);
  change(db, 'UPDATE messages SET content_seq = ? WHERE content_seq = ?').run(heir, seq);
}
