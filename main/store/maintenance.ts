// Long readings of a database file, made to run in a worker: backup, check, and a copy to read from (R1, W4).
import { closeSync, copyFileSync, existsSync, fsyncSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import Database from 'better-sqlite3';
import { FailureError } from '../../shared/model/failure';
import { throwFileFailure } from '../lib/systemError';
import { applicationId, newestVersion, versionOf } from './migrate';
import { failureOfSqlite } from './sqliteFailure';

export type MaintenanceJob =
  /** Copies the open database to `target`, checks the copy, and only then gives it its name. */
  { type: 'backup'; file: string; target: string } | { type: 'check'; file: string } | { type: 'checkBackup'; file: string };
/** `problems` in SQLite's words; empty when all is well. A backup with problems was not kept. */
export type MaintenanceResult = { problems: string[] };

/** Throws `FailureError` where the file cannot be read or the copy not be written. */
export async function runMaintenance(job: MaintenanceJob): Promise<MaintenanceResult> {
  try {
    switch (job.type) {
      case 'backup':
        return { problems: await backup(job.file, job.target) };
      case 'check':
        return { problems: withDatabase(job.file, quickCheck) };
      case 'checkBackup':
        return { problems: withDatabase(job.file, (db) => [...foreign(db), ...quickCheck(db)]) };
    }
  } catch (error) {
    const failure = failureOfSqlite(error, job.file);
    return failure === error ? throwFileFailure(error, job.file) : Promise.reject(failure);
  }
}

function withDatabase<T>(file: string, read: (db: Database.Database) => T): T {
  const db = new Database(file, { readonly: true, fileMustExist: true });
  try {
    return read(db);
  } finally {
    db.close();
  }
}

/** Damage may be such that the check itself cannot go on: that is an answer, too. */
function quickCheck(db: Database.Database): string[] {
  try {
    const found = db.prepare<[], string>('PRAGMA quick_check(20)').pluck().all();
    return found.length === 1 && found[0] === 'ok' ? [] : found;
  } catch (error) {
    const failure = failureOfSqlite(error, db.name);
    if (failure instanceof FailureError && failure.failure.code === 'databaseCorrupt') return [failure.message];
    throw error;
  }
}

/** Whether the file is a database of ours that this version can open. */
function foreign(db: Database.Database): string[] {
  if (Number(db.pragma('application_id', { simple: true })) !== applicationId) return ['This is no database of Bough.'];
  const version = versionOf(db);
  return version > newestVersion() ? [`This database is of version ${version}, newer than ${newestVersion()}.`] : [];
}

async function backup(file: string, target: string): Promise<string[]> {
  const partial = `${target}.partial`;
  rmSync(partial, { force: true });
  try {
    await copyPages(file, partial);
    const copy = new Database(partial, { fileMustExist: true });
    let problems: string[];
    try {
      problems = quickCheck(copy);
      // A backup is one file: without this it would want a log beside it.
      copy.pragma('journal_mode = DELETE');
    } finally {
      copy.close();
    }
    if (problems.length > 0) return problems;
    flush(partial);
    renameSync(partial, target);
    return [];
  } finally {
    for (const path of [partial, `${partial}-wal`, `${partial}-shm`, `${partial}-journal`]) rmSync(path, { force: true });
  }
}

/** All pages in one step, hence of one moment: a copy in many steps starts anew whenever the program writes. */
async function copyPages(file: string, target: string): Promise<void> {
  const db = new Database(file, { readonly: true, fileMustExist: true });
  try {
    await db.backup(target, { progress: () => 0x7fffffff });
  } finally {
    db.close();
  }
}

function flush(file: string): void {
  const handle = openSync(file, 'r+');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/**
 * A copy to read from, for a folder that cannot be written (a log cannot be opened there) or that another process has open. Nothing is left
 * beside the file where nobody writes to it; where somebody does, SQLite copies one moment of it.
 */
export async function copyForReading(file: string, target: string): Promise<void> {
  for (let turn = 0; turn < 2; turn += 1) {
    const before = stampOf(file);
    await copyFile(file, target);
    if (existsSync(`${file}-wal`)) copyFileSync(`${file}-wal`, `${target}-wal`);
    if (stampOf(file) === before) return;
  }
  rmSync(`${target}-wal`, { force: true });
  rmSync(target, { force: true });
  try {
    await copyPages(file, target);
  } catch (error) {
    throw failureOfSqlite(error, file);
  }
}

function stampOf(file: string): string {
  return [file, `${file}-wal`]
    .map((path) => {
      const found = statSync(path, { throwIfNoEntry: false });
      return found ? `${found.size}:${found.mtimeMs}` : '';
    })
    .join('|');
}
