// Exact counts of what a call does to the database: statements run, rows read and changed, commits, checkpoints, bytes written to the log.
import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { connectionOf, type WritableDb } from '../../../main/store/database';

export type Counts = {
  /** Statements run, BEGIN and COMMIT included. */
  statements: number;
  rowsRead: number;
  rowsChanged: number;
  /** Transactions that reached the log: under `synchronous=FULL` each is one fsync, and nothing else syncs. */
  commits: number;
  /** Whether the database file itself was written, which only a checkpoint does. */
  checkpoints: number;
  logBytes: number;
};

type Counted = 'run' | 'get' | 'all';
const methods: readonly Counted[] = ['run', 'get', 'all'];

/** Counts what `work` does on this connection. The statements of better-sqlite3 are watched while it runs. */
export function countWork(db: WritableDb, file: string, work: () => void): Counts {
  const connection = connectionOf(db);
  if (connection.pragma('synchronous', { simple: true }) !== 2) throw new Error('The database is not at synchronous=FULL.');
  const prototype = Object.getPrototypeOf(connection.prepare('SELECT 1'));
  const kept = methods.map((name) => [name, prototype[name]] as const);
  const counts = { statements: 0, rowsRead: 0 };
  const before = stateOf(file);
  const changes = () => Number(connection.prepare('SELECT total_changes()').pluck().get());
  const changed = changes();
  for (const [name, original] of kept) prototype[name] = watched(name, original, counts);
  try {
    work();
  } finally {
    for (const [name, original] of kept) prototype[name] = original;
  }
  const after = stateOf(file);
  return {
    ...counts,
    rowsChanged: changes() - changed,
    commits: commitsBetween(`${file}-wal`, before.logSize, after.logSize),
    checkpoints: after.changed === before.changed && after.size === before.size ? 0 : 1,
    logBytes: after.logSize - before.logSize,
  };
}

type Method = (this: unknown, ...values: unknown[]) => unknown;

function watched(name: Counted, original: Method, counts: { statements: number; rowsRead: number }): Method {
  return function (this: unknown, ...values: unknown[]) {
    const result = original.apply(this, values);
    counts.statements++;
    if (name === 'all' && Array.isArray(result)) counts.rowsRead += result.length;
    if (name === 'get' && result !== undefined) counts.rowsRead++;
    return result;
  };
}

function stateOf(file: string) {
  const { mtimeNs, size } = statSync(file, { bigint: true });
  return { changed: mtimeNs, size, logSize: statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0 };
}

const logHeader = 32;
const frameHeader = 24;

/** Frames of the log that end a transaction: their header names the size of the database after it (SQLite's file format, 4.1). */
function commitsBetween(log: string, from: number, to: number): number {
  if (to <= from) return 0;
  const handle = openSync(log, 'r');
  try {
    const head = Buffer.alloc(logHeader);
    readSync(handle, head, 0, logHeader, 0);
    const frame = frameHeader + head.readUInt32BE(8);
    const header = Buffer.alloc(8);
    let commits = 0;
    for (let at = Math.max(from, logHeader); at + frame <= to; at += frame) {
      readSync(handle, header, 0, header.length, at);
      if (header.readUInt32BE(4) !== 0) commits++;
    }
    return commits;
  } finally {
    closeSync(handle);
  }
}
