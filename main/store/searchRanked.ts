// Rows by how well they fit (Q1): those the index has, best first, as its bm25 tells; a frequent word is ranked among its newest rows alone.
import { type ReadableDb, select } from './database';
import type { Covered } from './searchIndex';

/** Rows that one question ranks at most: the time it takes grows with them, here to some 30 ms. */
export const mostRanked = 20_000;

const selectFloor = `SELECT rowid AS seq FROM search_index WHERE search_index MATCH ? AND rowid >= ? AND rowid <= ?
  ORDER BY rowid DESC LIMIT 1 OFFSET ?`;
const selectRanked = `SELECT rowid AS seq FROM search_index WHERE search_index MATCH ? AND rowid >= ? AND rowid <= ?
  ORDER BY bm25(search_index), rowid DESC LIMIT -1 OFFSET ?`;
const selectIsStale = 'SELECT 1 FROM search_stale WHERE seq = ?';

type Seq = { seq: number };

/** The oldest row that is ranked. */
export function rankedFrom(db: ReadableDb, query: string, { low, high }: Covered, most: number): number {
  return select<Seq>(db, selectFloor).get(query, low, high, most - 1)?.seq ?? low;
}

/** From the place `skip` on, with the place behind each. Entries that are out of date rank nothing. */
export function* rankedRows(
  db: ReadableDb,
  query: string,
  rows: { from: number; to: number },
  skip: number,
): Iterable<Seq & { place: number }> {
  let place = skip;
  for (const { seq } of select<Seq>(db, selectRanked).iterate(query, rows.from, rows.to, skip)) {
    place++;
    if (select(db, selectIsStale).get(seq) === undefined) yield { seq, place };
  }
}
