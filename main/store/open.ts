// Opens the database: a cheap probe first, then pragmas, then migrations. Every expected trouble is a failure with a code (W4, R1).
import { closeSync, copyFileSync, existsSync, mkdirSync, openSync, readSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { FailureError, makeFailure } from '../../shared/model/failure';
import type { Now } from '../lib/clock';
import { fileFailure } from '../lib/systemError';
import { asReadable, asWritable, type ReadableDb, type WritableDb } from './database';
import { applicationId, migrate, newestVersion, versionOf } from './migrate';
import type { Migration } from './migrations/list';
import { failureOfSqlite } from './sqliteFailure';

export type OpenOptions<Mode extends 'write' | 'read'> = {
  file: string;
  mode: Mode;
  now: Now;
  /** Where the copy made before a migration goes; beside the file when left out. */
  backupsFolder?: string | undefined;
  /** Milliseconds to wait for another program's lock. */
  busyTimeout?: number | undefined;
  /** For tests of migrations only. */
  steps?: readonly Migration[] | undefined;
};
type AnyStore<Db extends ReadableDb, Mode> = {
  db: Db;
  mode: Mode;
  file: string;
  /** Copies what the write-ahead log holds into the database as far as nobody is in the way; never inside a user's call. */
  checkpoint(): void;
  close(): void;
};
export type WriteStore = AnyStore<WritableDb, 'write'>;
export type ReadStore = AnyStore<ReadableDb, 'read'>;
export type Store = WriteStore | ReadStore;

const magic = 'SQLite format 3\0';
const tables = [
  'meta',
  'conversations',
  'messages',
  'branch_tips',
  'live_steps',
  'failed_turns',
  'drafts',
  'conversation_agents',
  'blobs',
  'transcript_steps',
  'checkpoints',
  'queued_messages',
  'labels',
  'pins',
  'trash',
  'search_state',
  'search_stale',
  'import_sources',
];

/**
 * Opens for reading and writing (creating the file where there is none) or for reading only. Throws `FailureError` with `databaseNewer`,
 * `databaseCorrupt`, `databaseBusy`, `diskFull`, `workspaceReadOnly` or `workspaceGone`.
 */
export function openStore(options: OpenOptions<'write'>): WriteStore;
export function openStore(options: OpenOptions<'read'>): ReadStore;
export function openStore(options: OpenOptions<'write' | 'read'>): Store {
  const { file, mode } = options;
  let connection: Database.Database | undefined;
  try {
    probeHeader(file, mode);
    connection = new Database(file, { readonly: mode === 'read', fileMustExist: mode === 'read', timeout: options.busyTimeout ?? 5000 });
    prepare(connection, options);
    return storeOf(connection, mode);
  } catch (error) {
    connection?.close();
    throw expected(error, file);
  }
}

function expected(error: unknown, file: string): unknown {
  const failure = fileFailure(error, file);
  if (failure !== undefined && !(error instanceof FailureError)) return new FailureError(failure, { cause: error });
  return failureOfSqlite(error, file);
}

/** A file that does not begin like a database is damaged, whatever SQLite would make of it; an empty one is new. */
function probeHeader(file: string, mode: 'write' | 'read'): void {
  if (!existsSync(file)) {
    if (mode === 'read')
      throw new FailureError(makeFailure('workspaceGone', 'There is no database.', { retryable: true, detail: { path: file } }));
    return;
  }
  const found = statSync(file);
  if (!found.isFile()) throw corrupt(file);
  if (found.size === 0) return;
  const header = Buffer.alloc(magic.length);
  const handle = openSync(file, 'r');
  try {
    readSync(handle, header, 0, header.length, 0);
  } finally {
    closeSync(handle);
  }
  if (header.toString('latin1') !== magic) throw corrupt(file);
}

function corrupt(file: string): FailureError {
  return new FailureError(makeFailure('databaseCorrupt', 'The database is damaged.', { detail: { path: file } }));
}

function prepare(db: Database.Database, options: OpenOptions<'write' | 'read'>): void {
  // Before anything is added to it: a file of another program stays as it is.
  if (versionOf(db) > 0 && db.pragma('application_id', { simple: true }) !== applicationId) throw corrupt(db.name);
  const steps = options.steps;
  if (versionOf(db) > newestVersion(steps)) migrate(db, { steps, before: () => undefined });
  db.pragma('foreign_keys = ON');
  if (options.mode === 'read') {
    if (versionOf(db) !== newestVersion(steps))
      throw new FailureError(
        makeFailure('databaseNewer', 'This workspace was written by another version of Bough.', { detail: { path: options.file } }),
      );
    checkSchema(db);
    return;
  }
  if (db.pragma('journal_mode = WAL', { simple: true }) !== 'wal') {
    throw new FailureError(
      makeFailure('workspaceReadOnly', 'This folder does not support the database’s log.', { detail: { path: options.file } }),
    );
  }
  db.pragma('synchronous = FULL');
  // Checkpoints are made when nobody waits (checkpoint.ts).
  db.pragma('wal_autocheckpoint = 0');
  db.pragma('journal_size_limit = 16777216');
  db.pragma('trusted_schema = OFF');
  migrate(db, { steps, before: (version) => copyBefore(db, options, version) });
  checkSchema(db);
}

/** The schema is as it should be: read from the first page, so it costs next to nothing and finds a file that is not ours. */
function checkSchema(db: Database.Database): void {
  const found = new Set(db.prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all());
  if (!tables.every((table) => found.has(table))) throw corrupt(db.name);
}

/** Everything is in the main file after a full checkpoint, so a plain copy of it is whole. */
function copyBefore(db: Database.Database, options: OpenOptions<'write' | 'read'>, version: number): void {
  const folder = options.backupsFolder ?? dirname(options.file);
  mkdirSync(folder, { recursive: true });
  const stamp = new Date(options.now()).toISOString().replace(/[-:]/g, '').slice(0, 15);
  const target = join(folder, `${basename(options.file, '.db')}-before-v${newestVersion(options.steps)}-from-v${version}-${stamp}.db`);
  db.pragma('wal_checkpoint(TRUNCATE)');
  copyFileSync(options.file, target);
}

function storeOf(connection: Database.Database, mode: 'write' | 'read'): Store {
  const common = {
    file: connection.name,
    checkpoint: () => {
      if (mode === 'write' && connection.open && !connection.inTransaction) connection.pragma('wal_checkpoint(PASSIVE)');
    },
    close: () => connection.close(),
  };
  if (mode === 'write') return { ...common, mode, db: asWritable(connection) };
  return { ...common, mode, db: asReadable(connection) };
}
