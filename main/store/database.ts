// The database as the rest of main sees it: readers cannot write, by type; statements are prepared once; expected SQLite errors become failures.
import { existsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import type Database from 'better-sqlite3';
import { FailureError, makeFailure } from '../../shared/model/failure';
import { failureOfSqlite } from './sqliteFailure';

declare const readable: unique symbol;
declare const writable: unique symbol;
/** A database one may only read. */
export type ReadableDb = { readonly [readable]: true };
/** The one writing connection. */
export type WritableDb = ReadableDb & { readonly [writable]: true };

export type Value = string | number | bigint | Buffer | null;
/** Columns are what SQLite gives: checked where they become model types (rows.ts), since another program may have written them. */
export type ReadStatement<Row> = {
  get(...values: Value[]): Row | undefined;
  all(...values: Value[]): Row[];
  iterate(...values: Value[]): IterableIterator<Row>;
};
export type WriteStatement = { run(...values: Value[]): { changes: number } };

const prepared = new WeakMap<Database.Database, Map<string, Database.Statement<Value[]>>>();

/** Gives a connection its type. Only the code that opens databases may call these two. */
export function asReadable(db: Database.Database): ReadableDb {
  return db as unknown as ReadableDb;
}
export function asWritable(db: Database.Database): WritableDb {
  return db as unknown as WritableDb;
}

/** The connection itself: for pragmas, backup and transactions inside `main/store`. */
export function connectionOf(db: ReadableDb): Database.Database {
  return db as unknown as Database.Database;
}

/** The file a connection reads: for a thread that reads it too. */
export const fileOf = (db: ReadableDb): string => connectionOf(db).name;

/** The writing face of a connection that was opened for writing, else null: derived columns are repaired where that is possible. */
export function writableOf(db: ReadableDb): WritableDb | null {
  return connectionOf(db).readonly ? null : (db as WritableDb);
}

function statement(db: ReadableDb, sql: string): Database.Statement<Value[]> {
  const connection = connectionOf(db);
  let cache = prepared.get(connection);
  if (cache === undefined) {
    cache = new Map();
    prepared.set(connection, cache);
  }
  let found = cache.get(sql);
  if (found === undefined) {
    found = connection.prepare<Value[]>(sql);
    cache.set(sql, found);
  }
  return found;
}

/**
 * A prepared SELECT; `Row` states its columns. A constant text is found by its identity: no text is put together for a call.
 * With ORDER BY, parameters are written `+?`: the planner looks at the value of a bare one there, and SQLite then prepares the statement anew at
 * each bind, which costs five times the query.
 */
export function select<Row>(db: ReadableDb, sql: string): ReadStatement<Row> {
  return statement(db, sql) as ReadStatement<Row>;
}

/** A prepared INSERT, UPDATE or DELETE. Several of them go into one `transaction`. */
export function change(db: WritableDb, sql: string): WriteStatement {
  return statement(db, sql);
}

/** Runs `work` in one write transaction, or within the one already open. Nothing of it stays when it throws; SQLite errors become `FailureError`s. */
export function transaction<T>(db: WritableDb, work: () => T): T {
  const connection = connectionOf(db);
  // A file deleted under an open connection takes writes to nowhere without a complaint.
  if (!connection.inTransaction && !connection.memory && !existsSync(connection.name)) throw gone(connection.name);
  return within(db, 'BEGIN IMMEDIATE', work);
}

/**
 * The same for what may be lost in a power cut, because nothing names it yet: the log is not flushed at its end, but with the next transaction that is,
 * and never out of order. A flush for each few milliseconds of a long copy would take longer than the copy.
 */
export function looseTransaction<T>(db: WritableDb, work: () => T): T {
  const connection = connectionOf(db);
  if (connection.inTransaction) return work();
  connection.pragma('synchronous = NORMAL');
  try {
    return transaction(db, work);
  } finally {
    connection.pragma('synchronous = FULL');
  }
}

/**
 * Has the disk take what such transactions wrote, while others work: the flushed one that follows then has little left to wait for. Where that fails,
 * it is the one that says so.
 */
export async function flushLog(db: WritableDb): Promise<void> {
  const handle = await open(`${fileOf(db)}-wal`, 'r+').catch(() => null);
  try {
    await handle?.datasync().catch(() => undefined);
  } finally {
    await handle?.close();
  }
}

function gone(path: string): FailureError {
  return new FailureError(makeFailure('workspaceGone', 'The database file was moved or deleted.', { retryable: true, detail: { path } }));
}

/** One view of the data for several reads: also far cheaper than a lock for each of them. */
export function snapshot<T>(db: ReadableDb, work: () => T): T {
  return within(db, 'BEGIN', work);
}

function within<T>(db: ReadableDb, begin: string, work: () => T): T {
  const connection = connectionOf(db);
  if (connection.inTransaction) return work();
  try {
    statement(db, begin).run();
    const result = work();
    statement(db, 'COMMIT').run();
    return result;
  } catch (error) {
    // SQLite itself rolls back after some errors (a full disk, for one).
    if (connection.inTransaction) statement(db, 'ROLLBACK').run();
    throw failureOfSqlite(error, connection.name);
  }
}
