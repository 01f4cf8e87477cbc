// Opens a workspace, or says in which of W4's states it is. Expected trouble is a state, never a throw and never an empty list.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Failure, FailureError, makeFailure } from '../../shared/model/failure';
import type { WorkspaceState } from '../../shared/model/workspace';
import type { Now } from '../lib/clock';
import { fileFailure } from '../lib/systemError';
import { addBlobRow } from '../store/blobRows';
import { copyForReading } from '../store/maintenance';
import { openStore, type ReadStore, type WriteStore } from '../store/open';
import { failureOfSqlite } from '../store/sqliteFailure';
import { keepCheckpointing } from '../store/walCheckpoint';
import { type BlobStore, createBlobStore } from '../transcript/blobs';
import { createTranscripts, type Transcripts } from '../transcript/transcripts';
import { type Backup, listBackups, restoreBackup as putBack, type RunJob, restoredFile } from './backups';
import { type Layout, layoutOf, makeLayout, nameOf } from './layout';
import { type Lock, takeLock } from './lock';
import { type MaintenanceReport, maintain } from './maintain';
import { openWorkspaceSettings, type WorkspaceSettingsFile } from './settings';

export type OpenWorkspaceOptions = {
  folder: string;
  now: Now;
  /** Runs the check and the backup: in a worker in the program, in this thread in tests. */
  run: RunJob;
  readOnly?: boolean | undefined;
  /** Makes the folder itself: for the default workspace of a first start only. */
  create?: boolean | undefined;
  /** Where the copy of a read-only workspace goes; the system's temporary folder when left out. */
  temporary?: string | undefined;
};

type Common = { folder: string; name: string; state: WorkspaceState; layout: Layout };

export type OpenedWorkspace = Common & {
  status: 'open';
  store: WriteStore;
  blobs: BlobStore;
  transcripts: Transcripts;
  settings: WorkspaceSettingsFile;
  /** Check and daily backup, as they are due; after the first paint. Never rejects for expected trouble. */
  maintain(): Promise<MaintenanceReport>;
  close(): void;
};
export type ReadOnlyWorkspace = Common & {
  status: 'readOnly';
  store: ReadStore;
  blobs: BlobStore;
  transcripts: Transcripts;
  settings: WorkspaceSettingsFile;
  close(): void;
};
export type FailedWorkspace = Common & { status: 'failed'; failure: Failure; close(): void };
export type Workspace = OpenedWorkspace | ReadOnlyWorkspace | FailedWorkspace;

/** Opens for writing; a folder that cannot be written is opened for reading, when there is a database in it. */
export async function openWorkspace(options: OpenWorkspaceOptions): Promise<Workspace> {
  const layout = layoutOf(options.folder);
  try {
    if (options.create === true) mkdirSync(layout.folder, { recursive: true });
    requireFolder(layout);
    if (options.readOnly === true) return await openForReading(options, layout, undefined);
    return openForWriting(options, layout);
  } catch (error) {
    const failure = fileFailure(error, layout.folder);
    if (failure === undefined) throw error;
    if (failure.code !== 'workspaceReadOnly' || !existsSync(layout.database)) return failed(layout, failure);
    return openForReading(options, layout, failure).catch((second: unknown) => {
      const why = fileFailure(second, layout.folder);
      if (why === undefined) throw second;
      return failed(layout, why);
    });
  }
}

function requireFolder(layout: Layout): void {
  if (statSync(layout.folder, { throwIfNoEntry: false })?.isDirectory() === true) return;
  throw new FailureError(
    makeFailure('workspaceGone', 'The folder of this workspace cannot be found.', { retryable: true, detail: { path: layout.folder } }),
  );
}

function common(layout: Layout, status: WorkspaceState['status'], failure?: Failure): Common {
  const name = nameOf(layout.folder);
  const backups: Backup[] = listBackups(layout);
  return { folder: layout.folder, name, layout, state: { folder: layout.folder, name, status, backups, ...(failure ? { failure } : {}) } };
}

function failed(layout: Layout, failure: Failure): FailedWorkspace {
  return { ...common(layout, 'failed', failure), status: 'failed', failure, close: () => undefined };
}

/** For what nobody expected: a window says that its workspace does not open, and why, and is not left empty. */
export function unopened(folder: string, cause: unknown): FailedWorkspace {
  const layout = layoutOf(folder);
  const known = failureOfSqlite(cause, layout.database);
  const detail = { path: layout.folder };
  const failure =
    fileFailure(known, layout.folder) ?? makeFailure('internal', cause instanceof Error ? cause.message : String(cause), { detail });
  return failed(layout, failure);
}

function openForWriting(options: OpenWorkspaceOptions, layout: Layout): OpenedWorkspace {
  makeLayout(layout);
  const lock = takeLock({ file: layout.lock, now: options.now });
  try {
    finishRestore(layout);
    requireDatabaseOrNew(layout);
    const store = openStore({ file: layout.database, mode: 'write', now: options.now, backupsFolder: layout.backups });
    return opened(options, layout, lock, store);
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** The program ended between putting the old database aside and the restored one in its place. */
function finishRestore(layout: Layout): void {
  if (!existsSync(layout.database) && existsSync(restoredFile(layout))) renameSync(restoredFile(layout), layout.database);
}

/** A database that is missing, or empty, beside its backups or transcripts was lost: a new one would look as if nothing had ever been. */
function requireDatabaseOrNew(layout: Layout): void {
  const found = statSync(layout.database, { throwIfNoEntry: false });
  const isNew = !found?.isDirectory() && listBackups(layout).length === 0 && !hasEntries(layout.transcripts);
  if (isNew || isFilled(layout.database) || isFilled(`${layout.database}-wal`)) return;
  throw new FailureError(
    makeFailure('databaseCorrupt', 'The database of this workspace is missing.', { detail: { path: layout.database } }),
  );
}

function isFilled(file: string): boolean {
  const found = statSync(file, { throwIfNoEntry: false });
  return found?.isFile() === true && found.size > 0;
}

function hasEntries(folder: string): boolean {
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true && readdirSync(folder).length > 0;
}

function opened(options: OpenWorkspaceOptions, layout: Layout, lock: Lock, store: WriteStore): OpenedWorkspace {
  const { now, run } = options;
  const checkpoints = keepCheckpointing(store);
  const blobs = createBlobStore({ folder: layout.blobs, record: (blob) => addBlobRow(store.db, { ...blob, createdAt: now() }) });
  let closed = false;
  return {
    ...common(layout, 'open'),
    status: 'open',
    store,
    blobs,
    transcripts: createTranscripts({ folder: layout.transcripts, blobs }),
    settings: openWorkspaceSettings({ file: layout.settings, readOnly: false }),
    maintain: () => maintain({ layout, store, now, run, unclean: lock.takenOver, closed: () => closed }),
    close() {
      if (closed) return;
      closed = true;
      checkpoints.stop();
      try {
        store.close();
      } finally {
        lock.release();
      }
    },
  };
}

async function openForReading(options: OpenWorkspaceOptions, layout: Layout, why: Failure | undefined): Promise<ReadOnlyWorkspace> {
  requireDatabase(layout);
  const folder = mkdtempSync(join(options.temporary ?? tmpdir(), 'bough-read-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    const file = join(folder, 'bough.db');
    await copyForReading(layout.database, file);
    // Once for writing: the log is taken in and an older schema brought up to date, on the copy.
    openStore({ file, mode: 'write', now: options.now, backupsFolder: folder }).close();
    const store = openStore({ file, mode: 'read', now: options.now });
    const blobs = createBlobStore({ folder: layout.blobs, record: null });
    return {
      ...common(layout, 'readOnly', why),
      status: 'readOnly',
      store,
      blobs,
      transcripts: createTranscripts({ folder: layout.transcripts, blobs, readOnly: true }),
      settings: openWorkspaceSettings({ file: layout.settings, readOnly: true }),
      close() {
        store.close();
        remove();
      },
    };
  } catch (error) {
    remove();
    throw error;
  }
}

function requireDatabase(layout: Layout): void {
  requireDatabaseOrNew(layout);
  if (existsSync(layout.database)) return;
  throw new FailureError(
    makeFailure('workspaceReadOnly', 'There is no conversation here yet, and the folder cannot be written.', {
      detail: { path: layout.folder },
    }),
  );
}

/** Puts a backup in the place of the database of a workspace that is not open here; then it can be opened. Throws what `backups.restoreBackup` and `takeLock` throw. */
export async function restoreBackup(options: {
  folder: string;
  name: string;
  now: Now;
  run: RunJob;
}): Promise<{ keptAside: string | null }> {
  const layout = layoutOf(options.folder);
  const lock = takeLock({ file: layout.lock, now: options.now });
  try {
    return await putBack({ layout, name: options.name, now: options.now, run: options.run });
  } finally {
    lock.release();
  }
}
