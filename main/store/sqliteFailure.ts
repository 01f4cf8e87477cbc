// SQLite's result codes that a user can meet, as failures with a code; everything else is a bug.
import { type FailureCode, FailureError, makeFailure } from '../../shared/model/failure';

function sqliteCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return undefined;
  return error.code.startsWith('SQLITE_') ? error.code : undefined;
}

const exact: Record<string, [FailureCode, string]> = {
  SQLITE_FULL: ['diskFull', 'There is no space left for the database.'],
  // The shared memory beside the database could not grow: on a full disk this comes before SQLITE_FULL.
  SQLITE_IOERR_SHMSIZE: ['diskFull', 'There is no space left for the database.'],
  SQLITE_READONLY_DBMOVED: ['workspaceGone', 'The database file was moved or deleted.'],
  SQLITE_NOTADB: ['databaseCorrupt', 'The file is not a database.'],
};
const byPrefix: [string, FailureCode, string][] = [
  ['SQLITE_BUSY', 'databaseBusy', 'Another program is using the database.'],
  ['SQLITE_LOCKED', 'databaseBusy', 'Another program is using the database.'],
  ['SQLITE_READONLY', 'workspaceReadOnly', 'The database cannot be written.'],
  ['SQLITE_PERM', 'workspaceReadOnly', 'The database cannot be opened with these permissions.'],
  ['SQLITE_CORRUPT', 'databaseCorrupt', 'The database is damaged.'],
  ['SQLITE_CANTOPEN', 'workspaceGone', 'The database file cannot be opened.'],
  ['SQLITE_IOERR', 'workspaceGone', 'The database file cannot be read or written.'],
];

/** A `FailureError` for an expected SQLite error; the error itself when it is none. */
export function failureOfSqlite(error: unknown, path: string): unknown {
  // better-sqlite3's own check of the folder, before SQLite is asked.
  if (error instanceof TypeError && error.message.includes('directory does not exist')) {
    const gone = makeFailure('workspaceGone', 'The folder of the database does not exist.', { retryable: true, detail: { path } });
    return new FailureError(gone, { cause: error });
  }
  const code = sqliteCode(error);
  if (code === undefined) return error;
  const found = exact[code] ?? byPrefix.find(([prefix]) => code.startsWith(prefix))?.slice(1);
  if (found === undefined) return error;
  const [failure, message] = found as [FailureCode, string];
  const retryable = failure !== 'databaseCorrupt';
  return new FailureError(makeFailure(failure, message, { retryable, detail: { path } }), { cause: error });
}
