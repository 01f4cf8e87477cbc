// Daily backups, their rotation, and the check of the database.
import { existsSync, mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FailureError, makeFailure } from '../../shared/model/failure';
import { runInWorker } from '../lib/runInWorker';
import { connectionOf } from '../store/database';
import { type MaintenanceJob, runMaintenance } from '../store/maintenance';
import { appendMessage } from '../store/messages';
import { getMeta } from '../store/meta';
import { makeMessage, plant } from '../store/storeFixture';
import { backUpDaily, day, listBackups } from './backups';
import { isCheckDue } from './checkDatabase';
import { buildEntry } from './childFixture';
import type { OpenedWorkspace } from './openWorkspace';
import { makeWorkspace, noon, type TestWorkspace } from './workspaceFixture';

let test: TestWorkspace;
let workspace: OpenedWorkspace;
beforeEach(async () => {
  test = makeWorkspace();
  workspace = await test.opened();
  plant(workspace.store.db, ['a']);
});
afterEach(() => test.remove());

const backUp = (free?: number) =>
  backUpDaily({ layout: test.layout, now: test.now, run: runMaintenance, ...(free === undefined ? {} : { free: async () => free }) });
const names = () => listBackups(test.layout).map(({ name }) => name);
const messagesIn = (name: string) => {
  const db = new Database(join(test.layout.backups, name), { readonly: true });
  const count = db.prepare('SELECT count(*) FROM messages').pluck().get();
  db.close();
  return count;
};

describe('backups', () => {
  it('R1: one a day, each a whole database in one file, while the workspace is open', async () => {
    expect(await backUp()).toEqual({ made: 'bough-20261130-120000.db', problems: [] });
    appendMessage(workspace.store.db, { message: makeMessage('b', 'a'), tip: 'follow' });
    test.time += day - 1;
    expect((await backUp()).made).toBeNull();
    test.time += 1;
    expect((await backUp()).made).toBe('bough-20261201-120000.db');
    expect(readdirSync(test.layout.backups).sort()).toEqual(['bough-20261130-120000.db', 'bough-20261201-120000.db']);
    expect([messagesIn('bough-20261130-120000.db'), messagesIn('bough-20261201-120000.db')]).toEqual([1, 2]);
    expect(listBackups(test.layout)[0]).toMatchObject({
      createdAt: noon + day,
      size: readFileSync(join(test.layout.backups, 'bough-20261201-120000.db')).length,
    });
  });

  it('R1: seven are kept, the newest ones; files of others are left alone', async () => {
    mkdirSync(test.layout.backups);
    writeFileSync(join(test.layout.backups, 'notes.txt'), 'mine');
    writeFileSync(join(test.layout.backups, 'damaged-20260101-000000.db'), 'kept');
    for (let n = 0; n < 10; n += 1) {
      await backUp();
      test.time += day;
    }
    expect(names()).toHaveLength(7);
    expect(names()[0]).toBe('bough-20261209-120000.db');
    expect(readdirSync(test.layout.backups)).toEqual(expect.arrayContaining(['notes.txt', 'damaged-20260101-000000.db']));
  });

  it('R1: at most two gigabytes beyond the newest', async () => {
    for (let n = 0; n < 3; n += 1) {
      await backUp();
      // A sparse file: its size counts, its blocks do not.
      truncateSync(join(test.layout.backups, names()[0] ?? ''), 1.5 * 1024 ** 3);
      test.time += day;
    }
    await backUp();
    expect(names()).toEqual(['bough-20261203-120000.db', 'bough-20261202-120000.db']);
  });

  it('R1, R3: skipped aloud when space is short', async () => {
    expect(await backUp(100_000_000)).toMatchObject({
      made: null,
      notice: { code: 'backupSkipped', tone: 'warning', values: { free: 100_000_000 } },
    });
    expect(names()).toEqual([]);
    expect((await backUp(10 ** 12)).made).not.toBeNull();
  });

  it('R3: a clock that was wrong does not keep new ones from being made', async () => {
    test.time = Date.UTC(2031, 0, 1);
    await backUp();
    test.time = noon;
    expect((await backUp()).made).toBe('bough-20261130-120000.db');
    expect((await backUp()).made).toBeNull();
  });

  it('R3: a copy that fails leaves no half file', async () => {
    await expect(
      backUpDaily({
        layout: test.layout,
        now: test.now,
        run: async (job) => runMaintenance({ ...job, file: join(test.folder, 'gone.db') }),
      }),
    ).rejects.toMatchObject({ failure: { code: 'workspaceGone' } });
    expect(readdirSync(test.layout.backups)).toEqual([]);
  });
});

describe('the work after the first paint', () => {
  it('R1: checks once a day and after an unclean end', async () => {
    const due = (unclean = false) => isCheckDue(workspace.store.db, { now: test.now, unclean });
    expect(due()).toBe(true);
    expect(await workspace.maintain()).toEqual({ problems: [], backup: 'bough-20261130-120000.db', notices: [] });
    expect(getMeta(workspace.store.db, 'checkedAt')).toBe(String(noon));
    expect([due(), due(true)]).toEqual([false, true]);
    test.time += day;
    expect(due()).toBe(true);
    test.time = noon - 5;
    expect(due()).toBe(true);
  });

  it('R1: is due after a lock was taken over, and not after a clean end', async () => {
    const jobs: string[] = [];
    const run = async (job: MaintenanceJob) => {
      jobs.push(job.type);
      return runMaintenance(job);
    };
    await workspace.maintain();
    workspace.close();
    writeFileSync(test.layout.lock, JSON.stringify({ pid: process.pid, start: 'long ago', host: 'x' }));
    test.time += 3600_000;
    const after = await test.open({ run });
    if (after.status !== 'open') throw new Error(after.status);
    await after.maintain();
    after.close();
    const clean = await test.open({ run });
    if (clean.status !== 'open') throw new Error(clean.status);
    await clean.maintain();
    expect(jobs).toEqual(['check']);
  });

  it('R1, W4: damage is found, reported as a failure, and pushes no good backup out', async () => {
    for (let n = 0; n < 300; n += 1) appendMessage(workspace.store.db, { message: makeMessage(`m${n}`, 'a'), tip: 'stay' });
    await workspace.maintain();
    connectionOf(workspace.store.db).pragma('wal_checkpoint(TRUNCATE)');
    const bytes = readFileSync(test.layout.database);
    bytes.fill(0x5a, 4096 * 14, 4096 * 20);
    writeFileSync(test.layout.database, bytes);
    test.time += day;
    const report = await workspace.maintain();
    expect(report).toMatchObject({ failure: { code: 'databaseCorrupt' }, backup: null });
    expect(names()).toEqual(['bough-20261130-120000.db']);
    expect(getMeta(workspace.store.db, 'checkedAt')).toBe(String(noon));
  });

  it('R1: a copy that turns out damaged is not kept', async () => {
    const result = await backUpDaily({ layout: test.layout, now: test.now, run: async () => ({ problems: ['row 1 missing'] }) });
    expect(result).toEqual({ made: null, problems: ['row 1 missing'] });
    expect(names()).toEqual([]);
  });

  it('R3: a full disk during the backup is a notice; closing meanwhile is nothing', async () => {
    workspace.close();
    const full = async (job: MaintenanceJob) => {
      if (job.type === 'backup') throw new FailureError(makeFailure('diskFull', 'full'));
      return runMaintenance(job);
    };
    const second = await test.open({ run: full });
    if (second.status !== 'open') throw new Error(second.status);
    expect(await second.maintain()).toMatchObject({ notices: [{ code: 'backupFailed', values: { why: 'diskFull' } }] });
    second.close();
    test.time += day;
    let close: () => void = () => undefined;
    const closing = await test.open({
      run: async (job) => {
        close();
        return runMaintenance(job);
      },
    });
    if (closing.status !== 'open') throw new Error(closing.status);
    close = () => closing.close();
    expect(await closing.maintain()).toEqual({ problems: [], backup: null, notices: [] });
  });
});

describe('the reader thread', () => {
  it('R1, R4: makes backup and check in a thread of its own, built apart; failures keep their code', async () => {
    const script = await buildEntry('main/workers/reader.ts');
    const run = (job: object) => runInWorker(script, job);
    const target = join(test.folder, 'copy.db');
    expect(await run({ type: 'backup', file: test.layout.database, target })).toEqual({ problems: [] });
    expect(existsSync(target)).toBe(true);
    expect(await run({ type: 'check', file: test.layout.database })).toEqual({ problems: [] });
    expect(await run({ type: 'checkBackup', file: target })).toEqual({ problems: [] });
    await expect(run({ type: 'check', file: join(test.folder, 'none.db') })).rejects.toMatchObject({ failure: { code: 'workspaceGone' } });
    await expect(run({ type: 'other' })).rejects.toThrow();
    await expect(runInWorker(join(test.folder, 'none.cjs'), { type: 'check', file: target })).rejects.toThrow(/Cannot find module/);
  }, 120_000);
});
