// Opening a workspace: what it makes, and each of W4's states with what can be done in it.
import { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FailureError } from '../../shared/model/failure';
import type { AgentId } from '../../shared/model/ids';
import { getBlobRow } from '../store/blobRows';
import { listConversations } from '../store/conversations';
import { connectionOf } from '../store/database';
import { runMaintenance } from '../store/maintenance';
import { appendMessage, readPath } from '../store/messages';
import { newestVersion } from '../store/migrate';
import { cnv, makeMessage, msg, plant } from '../store/storeFixture';
import { readTalk } from '../store/talkView';
import { restoreBackup } from './openWorkspace';
import { makeWorkspace, type TestWorkspace } from './workspaceFixture';

let test: TestWorkspace;
beforeEach(() => {
  test = makeWorkspace();
});
afterEach(() => test.remove());

const retried = { type: 'retried', parentId: msg('a'), createdAt: 0 } as const;

const codeOfRejection = async (work: Promise<unknown>) => {
  try {
    await work;
  } catch (error) {
    if (error instanceof FailureError) return error.failure.code;
    throw error;
  }
  return undefined;
};
const restore = (name: string) => restoreBackup({ folder: test.folder, name, now: test.now, run: runMaintenance });

/** A workspace with messages a and b, a backup of that, and then a message c. */
async function withBackup(): Promise<string> {
  const workspace = await test.opened();
  plant(workspace.store.db, ['a', 'b<a']);
  const { backup } = await workspace.maintain();
  appendMessage(workspace.store.db, { message: makeMessage('c', 'b'), tip: 'follow' });
  workspace.close();
  if (backup === null) throw new Error('no backup was made');
  return backup;
}
const damage = () => {
  const bytes = readFileSync(test.layout.database);
  bytes.fill(0x5a, 0, 4096);
  writeFileSync(test.layout.database, bytes);
};

describe('a workspace', () => {
  it('W1, W2: is made in `.bough` alone, kept out of git, and is there again after a restart', async () => {
    writeFileSync(join(test.folder, 'mine.txt'), 'mine');
    const workspace = await test.opened();
    expect(workspace.state).toEqual({ folder: test.folder, name: workspace.name, status: 'open', backups: [] });
    plant(workspace.store.db, ['a', 'b<a']);
    const hash = await workspace.blobs.write(Buffer.from('bytes'), 'text/plain');
    expect(getBlobRow(workspace.store.db, hash)).toEqual({ hash, size: 5, mime: 'text/plain', createdAt: test.time });
    await workspace.settings.change((old) => ({ ...old, interface: { sidebarOpen: true } }));
    expect(readdirSync(test.folder).sort()).toEqual(['.bough', 'mine.txt']);
    expect(readFileSync(test.layout.gitignore, 'utf8')).toBe('*\n');
    workspace.close();
    workspace.close();
    expect(readdirSync(test.layout.root).sort()).toEqual(['.gitignore', 'blobs', 'bough.db', 'settings.json']);
    const again = await test.opened();
    expect(readPath(again.store.db, msg('b'))).toHaveLength(2);
    expect(again.settings.get().interface).toEqual({ sidebarOpen: true });
    expect(await again.blobs.read(hash)).toHaveLength(5);
  });

  it('W2: a copied folder carries everything', async () => {
    const workspace = await test.opened();
    plant(workspace.store.db, ['a', 'b<a']);
    workspace.close();
    const other = makeWorkspace();
    cpSync(test.folder, other.folder, { recursive: true });
    const copy = await other.opened();
    expect(readTalk(copy.store.db, { conversationId: cnv('1'), count: 9 }).length).toBe(2);
    other.remove();
  });

  it('W1: the default one makes its folder; another folder that is gone is not made', async () => {
    const folder = join(test.folder, 'Documents', 'Bough');
    const gone = await test.open({ folder });
    expect([gone.status, gone.state.failure?.code, existsSync(folder)]).toEqual(['failed', 'workspaceGone', false]);
    const made = await test.open({ folder, create: true });
    expect([made.status, made.name]).toEqual(['open', 'Bough']);
  });

  it('W1: open twice in one process is refused, and lets go when closed', async () => {
    const first = await test.opened();
    const second = await test.open();
    expect([second.status, second.state.failure]).toMatchObject(['failed', { code: 'workspaceLocked', detail: { pid: process.pid } }]);
    first.close();
    expect((await test.open()).status).toBe('open');
  });
});

describe('states', () => {
  it('W4: a folder that is a file, and one that vanished', async () => {
    writeFileSync(join(test.folder, 'file'), '');
    expect((await test.open({ folder: join(test.folder, 'file') })).state).toMatchObject({
      status: 'failed',
      failure: { code: 'workspaceGone', retryable: true },
    });
    expect((await test.open({ folder: join(test.folder, 'nowhere'), readOnly: true })).state.failure?.code).toBe('workspaceGone');
  });

  it('W4: one that vanished while it was open is not made anew, empty, in its place', async () => {
    const workspace = await test.opened();
    const away = `${test.folder}-away`;
    renameSync(test.folder, away);
    try {
      const gone = { failure: { code: 'workspaceGone' } };
      await expect(workspace.settings.change((old) => ({ ...old, interface: { sidebarOpen: true } }))).rejects.toMatchObject(gone);
      await expect(workspace.blobs.write(Buffer.from('bytes'), 'text/plain')).rejects.toMatchObject(gone);
      expect(() => workspace.blobs.writeNow(Buffer.from('others'), 'text/plain')).toThrow(FailureError);
      expect(() => workspace.transcripts.append({ conversationId: cnv('1'), agentId: 'a' as AgentId }, retried)).toThrow(FailureError);
      expect((await workspace.maintain()).notices).toMatchObject([{ code: 'backupFailed' }]);
      expect(existsSync(test.folder)).toBe(false);
    } finally {
      renameSync(away, test.folder);
    }
    await workspace.settings.change((old) => ({ ...old, interface: { sidebarOpen: true } }));
    expect((await workspace.maintain()).backup).not.toBeNull();
  });

  it('W4, R1: a newer database is refused as it is, and named with both versions', async () => {
    await withBackup();
    const db = new Database(test.layout.database);
    db.pragma('user_version = 990');
    db.close();
    const workspace = await test.open();
    expect(workspace.state).toMatchObject({
      status: 'failed',
      failure: { code: 'databaseNewer', detail: { size: 990, limit: newestVersion() } },
    });
    expect(existsSync(test.layout.lock)).toBe(false);
  });

  it('W4, R1: a corrupt database offers its backups; restoring one keeps the damaged file aside', async () => {
    const backup = await withBackup();
    damage();
    const broken = await test.open();
    expect(broken.state).toMatchObject({
      status: 'failed',
      failure: { code: 'databaseCorrupt' },
      backups: [{ name: backup, createdAt: test.time }],
    });
    const damaged = readFileSync(test.layout.database);
    const { keptAside } = await restore(backup);
    const workspace = await test.opened();
    expect(readTalk(workspace.store.db, { conversationId: cnv('1'), count: 9 })).toMatchObject({ length: 2, tipId: msg('b') });
    expect(readFileSync(join(test.layout.backups, keptAside ?? '')).equals(damaged)).toBe(true);
    expect(workspace.state.backups.map(({ name }) => name)).toEqual([backup]);
  });

  it('W4, R3: a backup that is damaged too is refused and nothing is changed', async () => {
    const backup = await withBackup();
    const path = join(test.layout.backups, backup);
    const good = readFileSync(path);
    const before = readFileSync(test.layout.database);
    const bad = Buffer.from(good);
    bad.fill(0x5a, 8192, 20_000);
    const foreign = new Database(join(test.folder, 'foreign.db'));
    foreign.exec('CREATE TABLE t (x)');
    foreign.close();
    for (const bytes of [
      bad,
      good.subarray(0, 5000),
      Buffer.from('no database'),
      Buffer.alloc(0),
      readFileSync(join(test.folder, 'foreign.db')),
    ]) {
      writeFileSync(path, bytes);
      expect(await codeOfRejection(restore(backup))).toBe('backupInvalid');
    }
    writeFileSync(path, good);
    expect(await codeOfRejection(restore('bough-20200101-000000.db'))).toBe('backupInvalid');
    expect(await codeOfRejection(restore('../bough.db'))).toBe('backupInvalid');
    expect(readFileSync(test.layout.database).equals(before)).toBe(true);
    expect((await test.opened()).state.status).toBe('open');
    expect(await codeOfRejection(restore(backup))).toBe('workspaceLocked');
  });

  it('R2, R3: a restore that was cut off between its two steps is finished at the next opening', async () => {
    const backup = await withBackup();
    renameSync(test.layout.database, join(test.layout.backups, 'damaged-x.db'));
    copyFileSync(join(test.layout.backups, backup), `${test.layout.database}.restored`);
    const workspace = await test.opened();
    expect(readTalk(workspace.store.db, { conversationId: cnv('1'), count: 9 }).length).toBe(2);
    expect(existsSync(`${test.layout.database}.restored`)).toBe(false);
  });

  it('W4: a database that is missing beside its backups is not replaced by an empty one', async () => {
    await withBackup();
    rmSync(test.layout.database);
    expect((await test.open()).state).toMatchObject({ status: 'failed', failure: { code: 'databaseCorrupt' }, backups: [{}] });
    expect(existsSync(test.layout.database)).toBe(false);
  });

  it.each(['missing', 'empty', 'a folder'])('W4: a database that is %s beside transcripts was lost, too', async (how) => {
    const first = await test.opened();
    plant(first.store.db, ['a']);
    first.close();
    rmSync(test.layout.database);
    if (how === 'empty') writeFileSync(test.layout.database, '');
    if (how === 'a folder') mkdirSync(test.layout.database);
    mkdirSync(join(test.layout.transcripts, cnv('1')), { recursive: true });
    const before = readdirSync(test.layout.root);
    for (const readOnly of [false, true])
      expect((await test.open({ readOnly })).state).toMatchObject({ status: 'failed', failure: { code: 'databaseCorrupt' } });
    expect(readdirSync(test.layout.root)).toEqual(before);
  });

  it('R2: a start that ended before its first table is begun anew', async () => {
    mkdirSync(test.layout.root);
    writeFileSync(test.layout.database, '');
    expect((await test.open()).status).toBe('open');
  });

  it('W4: read-only opens a temporary copy, which goes when it is closed, and leaves the folder as it was', async () => {
    await withBackup();
    const temporary = join(test.folder, 'temporary');
    mkdirSync(temporary);
    const before = readdirSync(test.layout.root).sort();
    const workspace = await test.open({ readOnly: true, temporary });
    expect(workspace.status).toBe('readOnly');
    if (workspace.status !== 'readOnly') return;
    expect(listConversations(workspace.store.db, { archived: false })).toHaveLength(1);
    expect(readPath(workspace.store.db, msg('c'))).toHaveLength(3);
    expect(() => connectionOf(workspace.store.db).exec('DELETE FROM messages')).toThrow(/readonly/);
    await expect(workspace.blobs.write(Buffer.from('x'), 'a/b')).rejects.toMatchObject({ failure: { code: 'workspaceReadOnly' } });
    expect(workspace.settings.writable()).toBe(false);
    expect(readdirSync(temporary)).toHaveLength(1);
    workspace.close();
    expect(readdirSync(temporary)).toEqual([]);
    expect(readdirSync(test.layout.root).sort()).toEqual(before);
  });

  it('W4, T7: a read-only copy of a damaged tree is read as well', async () => {
    const first = await test.opened();
    plant(first.store.db, ['a', 'b<a', 'c<b']);
    connectionOf(first.store.db).exec("UPDATE messages SET parent_id = 'msg_c' WHERE id = 'msg_a'");
    first.close();
    const workspace = await test.open({ readOnly: true });
    if (workspace.status !== 'readOnly') throw new Error(workspace.status);
    expect(readTalk(workspace.store.db, { conversationId: cnv('1'), count: 9 }).slice.items[0]).toMatchObject({
      id: msg('a'),
      recovered: true,
    });
  });

  it('W4, R3: nothing expected is thrown: a copy that cannot be made is a state too', async () => {
    await withBackup();
    const read = await test.open({ readOnly: true, temporary: join(test.folder, 'no such folder') });
    expect(read.state).toMatchObject({ status: 'failed', failure: { code: 'workspaceGone' } });
    damage();
    expect((await test.open({ readOnly: true })).state).toMatchObject({
      status: 'failed',
      failure: { code: 'databaseCorrupt' },
      backups: [{}],
    });
    rmSync(test.layout.database);
    expect((await test.open({ readOnly: true })).state.failure?.code).toBe('databaseCorrupt');
    rmSync(test.layout.backups, { recursive: true });
    expect((await test.open({ readOnly: true })).state.failure?.code).toBe('workspaceReadOnly');
  });
});
