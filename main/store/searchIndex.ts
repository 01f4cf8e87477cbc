// The index of words (Q1): made beside the messages, never in the transaction that writes one (N3). Rows of messages from `low` to `high` are in it,
// from the oldest to the newest: row after row in order fills its pages, where the way back would leave half of some empty. What it lacks is read
// instead, the newest first, so that nothing is missed meanwhile. One that began at its newest row also grows down.
import { foldForSearch } from '../../shared/text/foldForSearch';
import { indexStarts, indexWords } from '../../shared/text/searchWords';
import { change, connectionOf, type ReadableDb, select, transaction, type WritableDb } from './database';
import type { StoredContent } from './parts';
import { searchableOf } from './searchText';

/** Raised when words are cut or folded in another way than before: then the index is made anew. */
const rules = 1;
/** Characters above which a message is read at each search rather than indexed: it would hold up everything else for too long. */
const longest = 200_000;

/** Rows `low` to `high` are indexed; none when `high < low`. */
export type Covered = { low: number; high: number };
type Row = StoredContent & { seq: number };

const table = 'search_index';
const startsTable = 'search_starts';
const createTable = `CREATE VIRTUAL TABLE ${table} USING fts5(words, reasoning, content='', contentless_delete=1, tokenize='ascii')`;
// Beginnings of two letters, each once a message: as prefixes of the table above, they would double its size for scripts that have no use for them.
const createStarts = `CREATE VIRTUAL TABLE ${startsTable} USING fts5(starts, content='', contentless_delete=1, tokenize='ascii', detail=none)`;
/** At row 0, where no message is. */
const firstEntry = 'boughs';
const insertWords = `INSERT INTO ${table} (rowid, words, reasoning) VALUES (?, ?, ?)`;
const insertStarts = `INSERT INTO ${startsTable} (rowid, starts) VALUES (?, ?)`;
const selectBounds = 'SELECT (SELECT min(seq) FROM messages) AS first, (SELECT max(seq) FROM messages) AS last';
const selectNew = 'SELECT seq, text, parts FROM messages WHERE seq > ? ORDER BY seq LIMIT ?';
const selectOld = 'SELECT seq, text, parts FROM messages WHERE seq < ? ORDER BY seq DESC LIMIT ?';
const selectStale = 'SELECT seq FROM search_stale WHERE kept = 0 LIMIT ?';

/** What the index holds; null when there is none that can be used. */
export function coveredBy(db: ReadableDb): Covered | null {
  const state = select<Covered & { version: number }>(db, 'SELECT version, low, high FROM search_state WHERE id = 1').get();
  if (state?.version !== rules) return null;
  const found = select<{ count: number }>(db, 'SELECT count(*) AS count FROM sqlite_schema WHERE sql IN (?, ?)').get(
    createTable,
    createStarts,
  );
  return found?.count !== 2 || !isAlive(db) ? null : { low: state.low, high: state.high };
}

/** Damage of the index shows as an error of SQLite that names neither a lock nor the disk. */
export function isDamage(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && (code.startsWith('SQLITE_CORRUPT') || code === 'SQLITE_ERROR');
}

/** Whether the entry that every index begins with is still found: one that lost its data may look sound and empty. */
function isAlive(db: ReadableDb): boolean {
  try {
    return [table, startsTable].every((name) => {
      return select(db, `SELECT 1 FROM ${name} WHERE ${name} MATCH ? AND rowid = 0`).get(firstEntry) !== undefined;
    });
  } catch (error) {
    if (isDamage(error)) return false;
    throw error;
  }
}

/** Rows from first to last; both 0 when there are none. */
export function boundsOf(db: ReadableDb): { first: number; last: number } {
  const { first, last } = select<{ first: number | null; last: number | null }>(db, selectBounds).get() ?? { first: null, last: null };
  return { first: first ?? 0, last: last ?? 0 };
}

/** How many rows are covered of how many, by their numbers; null when all are. */
export function indexingOf(db: ReadableDb): { done: number; total: number } | null {
  const { first, last } = boundsOf(db);
  if (last === 0) return null;
  const { low, high } = coveredBy(db) ?? { low: last + 1, high: last };
  if (low <= first && high >= last) return null;
  const total = last - first + 1;
  return { done: Math.max(0, Math.min(total, Math.min(high, last) - Math.max(low, first) + 1)), total };
}

/** Begins an empty index; the next slices fill it, from the first row on. */
export function startIndex(db: WritableDb): void {
  transaction(db, () => {
    const connection = connectionOf(db);
    dropIndex(db);
    connection.exec(createTable);
    connection.exec(createStarts);
    change(db, insertWords).run(0, firstEntry, null);
    change(db, insertStarts).run(0, firstEntry);
    const { first } = boundsOf(db);
    change(db, 'DELETE FROM search_stale').run();
    change(db, 'INSERT OR REPLACE INTO search_state (id, version, low, high) VALUES (1, ?, ?, ?)').run(rules, first, first - 1);
  });
}

function dropIndex(db: WritableDb): void {
  const connection = connectionOf(db);
  for (const name of [table, startsTable]) connection.exec(`DROP TABLE IF EXISTS ${name}`);
}

/** Whether a slice would find anything to do. */
export function hasWork(db: ReadableDb): boolean {
  if (indexingOf(db) !== null) return true;
  return coveredBy(db) !== null && select(db, 'SELECT 1 FROM search_stale WHERE kept = 0 LIMIT 1').get() !== undefined;
}

export type Slice = { rows: number; done: boolean };

/**
 * Indexes up to `rows` rows in one transaction: those out of date, else new ones, else the next older ones. Not flushed to the disk by itself: after
 * a crash the index and what it says it covers are older together.
 */
export function indexSlice(db: WritableDb, rows: number): Slice {
  const connection = connectionOf(db);
  const covered = coveredBy(db);
  if (covered === null) {
    startIndex(db);
    return { rows: 0, done: false };
  }
  const patience = Number(connection.pragma('busy_timeout', { simple: true }));
  connection.pragma('synchronous = NORMAL');
  // Another program's lock is no reason to hold up this one: the next slice tries again.
  connection.pragma('busy_timeout = 0');
  try {
    return transaction(db, () => {
      const count = renewStale(db, covered, rows) || addNew(db, covered, rows) || addOld(db, covered, rows);
      return { rows: count, done: count === 0 };
    });
  } finally {
    connection.pragma('synchronous = FULL');
    connection.pragma(`busy_timeout = ${patience}`);
  }
}

function renewStale(db: WritableDb, { low, high }: Covered, limit: number): number {
  const stale = select<{ seq: number }>(db, selectStale).all(limit);
  for (const { seq } of stale) {
    change(db, `DELETE FROM ${table} WHERE rowid = ?`).run(seq);
    change(db, `DELETE FROM ${startsTable} WHERE rowid = ?`).run(seq);
    change(db, 'DELETE FROM search_stale WHERE seq = ?').run(seq);
    const row = seq < low || seq > high ? undefined : select<Row>(db, 'SELECT seq, text, parts FROM messages WHERE seq = ?').get(seq);
    if (row) add(db, row);
  }
  return stale.length;
}

function addNew(db: WritableDb, { high }: Covered, limit: number): number {
  const rows = select<Row>(db, selectNew).all(high, limit);
  const last = rows.at(-1);
  if (last === undefined) return 0;
  for (const row of rows) add(db, row);
  change(db, 'UPDATE search_state SET high = ? WHERE id = 1').run(last.seq);
  return rows.length;
}

function addOld(db: WritableDb, { low }: Covered, limit: number): number {
  const rows = select<Row>(db, selectOld).all(low, limit).reverse();
  const first = rows[0];
  if (first === undefined) return 0;
  for (const row of rows) add(db, row);
  change(db, 'UPDATE search_state SET low = ? WHERE id = 1').run(first.seq);
  return rows.length;
}

function add(db: WritableDb, row: Row): void {
  if ((row.text?.length ?? 0) + (row.parts?.length ?? 0) > longest) {
    change(db, 'INSERT OR REPLACE INTO search_stale (seq, kept) VALUES (?, 1)').run(row.seq);
    return;
  }
  const { words, reasoning } = searchableOf(row);
  const said = foldForSearch(words);
  const thought = reasoning === '' ? null : foldForSearch(reasoning);
  change(db, insertWords).run(row.seq, indexWords(said), thought === null ? null : indexWords(thought));
  change(db, insertStarts).run(row.seq, indexStarts(thought === null ? said : `${said}\n${thought}`));
}
