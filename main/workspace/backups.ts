// Daily backups of the database: made in a worker, rotated, and put back on request (R1). What was there before a restore is kept aside.
import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { copyFile, open, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Notice } from '../../shared/model/events';
import { FailureError, makeFailure } from '../../shared/model/failure';
import type { WorkspaceState } from '../../shared/model/workspace';
import { syncFolder } from '../lib/atomicFile';
import type { Now } from '../lib/clock';
import { systemCode, throwFileFailure } from '../lib/systemError';
import type { MaintenanceJob, MaintenanceResult } from '../store/maintenance';
import { type Layout, makeBackupsFolder } from './layout';

export type Backup = WorkspaceState['backups'][number];
/** Runs a job in this thread or in a worker. */
export type RunJob = (job: MaintenanceJob) => Promise<MaintenanceResult>;
/** Bytes free where the folder is; undefined where that cannot be asked. */
export type FreeSpace = (folder: string) => Promise<number | undefined>;

export const day = 24 * 60 * 60 * 1000;
const kept = 7;
/** Bytes of all backups beyond the newest. */
const room = 2 * 1024 ** 3;
/** Bytes that stay free after a backup. */
const spare = 256 * 1024 ** 2;

const pattern = /^bough-(\d{4})(\d{2})(\d{2})-(\d{2})(\d{2})(\d{2})\.db$/;
const beforeMigration = /^bough-before-[\w.-]+\.db$/;

function stampOf(time: number): string {
  return new Date(time).toISOString().replace(/[-:]/g, '').replace('T', '-').slice(0, 15);
}

function createdAtOf(name: string, changed: number): number {
  const [, year, month, date, hour, minute, second] = pattern.exec(name) ?? [];
  if (year === undefined) return changed;
  return Date.UTC(Number(year), Number(month) - 1, Number(date), Number(hour), Number(minute), Number(second));
}

/** All that can be restored, newest first; copies made before a migration are among them. A folder that cannot be read has none. */
export function listBackups(layout: Layout): Backup[] {
  let names: string[];
  try {
    names = readdirSync(layout.backups);
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return [];
  }
  return names
    .filter((name) => pattern.test(name) || beforeMigration.test(name))
    .flatMap((name) => {
      const found = statSync(join(layout.backups, name), { throwIfNoEntry: false });
      return found?.isFile() === true ? [{ name, createdAt: createdAtOf(name, Math.round(found.mtimeMs)), size: found.size }] : [];
    })
    .sort((a, b) => b.createdAt - a.createdAt || (a.name < b.name ? 1 : -1));
}

const freeSpace: FreeSpace = async (folder) => {
  // Only from Node 18.15 on.
  if (typeof statfs !== 'function') return undefined;
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
};

export type BackupOutcome = { made: string | null; problems: string[]; notice?: Notice | undefined };

/** Makes today's backup unless there is one, then drops what is over seven or over two gigabytes. Skipping is said in a notice. */
export async function backUpDaily(options: { layout: Layout; now: Now; run: RunJob; free?: FreeSpace }): Promise<BackupOutcome> {
  const { layout, now, run } = options;
  // One from the future comes from a clock that was wrong: it must not keep new ones from being made.
  const ages = listBackups(layout).flatMap(({ name, createdAt }) => (pattern.test(name) ? [now() - createdAt] : []));
  if (ages.some((age) => age >= 0 && age < day)) return { made: null, problems: [] };
  try {
    makeBackupsFolder(layout);
    const size = statSync(layout.database).size + (statSync(`${layout.database}-wal`, { throwIfNoEntry: false })?.size ?? 0);
    const left = await (options.free ?? freeSpace)(layout.backups);
    if (left !== undefined && left < size + spare) {
      return { made: null, problems: [], notice: { code: 'backupSkipped', values: { needed: size, free: left }, tone: 'warning' } };
    }
    const name = `bough-${stampOf(now())}.db`;
    const { problems } = await run({ type: 'backup', file: layout.database, target: join(layout.backups, name) });
    if (problems.length > 0) return { made: null, problems };
    await syncFolder(layout.backups);
    rotate(layout);
    return { made: name, problems: [] };
  } catch (error) {
    if (error instanceof FailureError) throw error;
    return throwFileFailure(error, layout.backups);
  }
}

/** The newest always stays; older ones while they are at most seven in all and fit into the room. */
function rotate(layout: Layout): void {
  for (const family of [pattern, beforeMigration]) {
    let used = 0;
    listBackups(layout)
      .filter(({ name }) => family.test(name))
      .forEach(({ name, size }, index) => {
        if (index === 0) return;
        used += size;
        if (index >= kept || used > room) rmSync(join(layout.backups, name), { force: true });
      });
  }
}

/**
 * Puts a backup in the place of the database; the caller holds the lock and has closed the store. The database that was there is kept in
 * `backups` under a `damaged-` name. Throws `backupInvalid` (nothing is changed then), `diskFull`, `workspaceReadOnly`.
 */
export async function restoreBackup(options: {
  layout: Layout;
  name: string;
  now: Now;
  run: RunJob;
}): Promise<{ keptAside: string | null }> {
  const { layout, name, now, run } = options;
  const source = join(layout.backups, name);
  if (!listBackups(layout).some((backup) => backup.name === name)) throw invalid(name, 'It is not there.');
  await requireSound(source, name, run);
  const fresh = restoredFile(layout);
  try {
    const partial = `${fresh}.partial`;
    await copyFile(source, partial);
    await flush(partial);
    renameSync(partial, fresh);
    const aside = putAside(layout, now);
    renameSync(fresh, layout.database);
    await syncFolder(layout.root);
    return { keptAside: aside };
  } catch (error) {
    rmSync(`${fresh}.partial`, { force: true });
    return throwFileFailure(error, layout.database);
  }
}

/** The whole copy that waits to become the database: found at open when the program ended just then. */
export function restoredFile(layout: Layout): string {
  return `${layout.database}.restored`;
}

async function flush(file: string): Promise<void> {
  const handle = await open(file, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function requireSound(source: string, name: string, run: RunJob): Promise<void> {
  let problems: string[];
  try {
    ({ problems } = await run({ type: 'checkBackup', file: source }));
  } catch (error) {
    if (!(error instanceof FailureError)) throw error;
    problems = [error.failure.message];
  }
  if (problems[0] !== undefined) throw invalid(name, problems[0]);
}

function invalid(name: string, why: string): FailureError {
  return new FailureError(makeFailure('backupInvalid', `The backup ${name} cannot be used. ${why}`, { detail: { path: name } }));
}

function putAside(layout: Layout, now: Now): string | null {
  if (!existsSync(layout.database)) return null;
  let name = `damaged-${stampOf(now())}.db`;
  for (let n = 2; existsSync(join(layout.backups, name)); n += 1) name = `damaged-${stampOf(now())}-${n}.db`;
  // The log first: without its database it is nothing, but a restored database must never meet a foreign log.
  for (const end of ['-wal', '-shm', '']) {
    if (existsSync(`${layout.database}${end}`)) renameSync(`${layout.database}${end}`, join(layout.backups, `${name}${end}`));
  }
  return name;
}
