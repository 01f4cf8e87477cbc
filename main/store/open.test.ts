// Opening: new, known, older, newer and damaged databases, and every trouble with the disk as its own failure.
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AgentId } from '../../shared/model/ids';
import { getConversation } from './conversations';
import { connectionOf } from './database';
import { finishStep } from './endStep';
import { startStep } from './liveSteps';
import { runMaintenance } from './maintenance';
import { appendMessage, getMessage, readPath } from './messages';
import { applicationId, newestVersion } from './migrate';
import { firstSchema } from './migrations/0010-firstSchema';
import { migrations } from './migrations/list';
import { openStore } from './open';
import { cnv, codeOf, makeMessage, makeStep, makeStore, msg, plant, type TestStore } from './storeFixture';
import { transcriptStepOf } from './transcriptSteps';
import { keepCheckpointing } from './walCheckpoint';

let test: TestStore;
beforeEach(() => {
  test = makeStore();
});
afterEach(() => test.remove());

const now = () => Date.UTC(2026, 10, 30, 7, 0, 0);
const open = (file = test.file, more = {}) => openStore({ file, mode: 'write', now, ...more });
const at = (name: string) => join(test.folder, name);

describe('the connection', () => {
  it('R1: WAL, FULL, foreign keys, no exclusive lock, no checkpoint inside a call', () => {
    const pragma = (name: string) => connectionOf(test.db).pragma(name, { simple: true });
    expect([
      pragma('journal_mode'),
      pragma('synchronous'),
      pragma('foreign_keys'),
      pragma('locking_mode'),
      pragma('wal_autocheckpoint'),
    ]).toEqual(['wal', 2, 1, 'normal', 0]);
    expect(codeOf(() => appendMessage(test.db, { message: makeMessage('x', null), tip: 'stay' }))).toBe('notFound');
    expect(() => connectionOf(test.db).exec("INSERT INTO messages (id, conversation_id, role) VALUES ('m', 'nowhere', 'user')")).toThrow(
      /FOREIGN KEY/,
    );
  });

  it('R1: every table is STRICT with a rowid', () => {
    const tables = connectionOf(test.db)
      .prepare<[], { name: string; strict: number; wr: number }>(
        "SELECT name, strict, wr FROM pragma_table_list WHERE schema = 'main' AND name NOT LIKE 'sqlite_%'",
      )
      .all();
    expect(tables.length).toBeGreaterThan(8);
    expect(tables.filter(({ strict, wr }) => strict !== 1 || wr !== 0)).toEqual([]);
  });

  it('R1: others read while Bough has it open, also in the middle of a write', () => {
    plant(test.db, ['a']);
    const other = new Database(test.file, { readonly: true });
    connectionOf(test.db).exec("BEGIN IMMEDIATE; UPDATE conversations SET title = 'new'");
    expect(other.prepare('SELECT count(*) FROM messages').pluck().get()).toBe(1);
    expect(other.prepare('SELECT title FROM conversations').pluck().get()).toBe('');
    connectionOf(test.db).exec('COMMIT');
    expect(other.prepare('SELECT title FROM conversations').pluck().get()).toBe('new');
    other.close();
  });

  it('R3: another writer makes a write fail as busy, which can be tried again', () => {
    plant(test.db, ['a']);
    const quick = open(test.file, { busyTimeout: 20 });
    connectionOf(test.db).exec('BEGIN IMMEDIATE');
    expect(codeOf(() => appendMessage(quick.db, { message: makeMessage('b', 'a'), tip: 'follow' }))).toBe('databaseBusy');
    connectionOf(test.db).exec('COMMIT');
    expect(appendMessage(quick.db, { message: makeMessage('b', 'a'), tip: 'follow' })).toEqual({ moved: true });
    quick.close();
  });

  it('R1: a reader cannot write', () => {
    plant(test.db, ['a']);
    const reader = openStore({ file: test.file, mode: 'read', now });
    expect(() => connectionOf(reader.db).exec('DELETE FROM messages')).toThrow(/readonly/);
    reader.close();
  });
});

describe('checkpoints', () => {
  it('N3, R1: the log is moved only when it is big or idle, and not again without a new write', () => {
    plant(test.db, ['a']);
    const pages = () => existsSync(`${test.file}-wal`) && readFileSync(`${test.file}-wal`).length;
    expect(pages()).toBeGreaterThan(0);
    const never = keepCheckpointing(test.store, { every: 1e6, idleBytes: 1e9, maxBytes: 1e9 });
    expect([never.look(), never.look()]).toEqual([false, false]);
    never.stop();
    const idle = keepCheckpointing(test.store, { every: 1e6, idleBytes: 1, maxBytes: 1e9 });
    expect([idle.look(), idle.look(), idle.look()]).toEqual([false, true, false]);
    idle.stop();
    const big = keepCheckpointing(test.store, { every: 1e6, idleBytes: 1e9, maxBytes: 1 });
    expect([big.look(), big.look()]).toEqual([true, false]);
    appendMessage(test.db, { message: makeMessage('b', 'a'), tip: 'follow' });
    expect(big.look()).toBe(true);
    big.stop();
    copyFileSync(test.file, at('alone.db'));
    const alone = new Database(at('alone.db'), { readonly: true });
    expect(alone.prepare('SELECT count(*) FROM messages').pluck().get()).toBe(2);
    alone.close();
  });
});

describe('migrations', () => {
  const second = {
    version: newestVersion() + 10,
    sql: "ALTER TABLE conversations ADD COLUMN note TEXT; INSERT INTO meta VALUES ('added', 'yes')",
  };
  const broken = { version: newestVersion() + 20, sql: 'CREATE TABLE half (id TEXT) STRICT; INSERT INTO nowhere VALUES (1)' };
  const backups = () => (existsSync(at('backups')) ? readdirSync(at('backups')).filter((name) => name.endsWith('.db')) : []);

  it('R1: numbers grow by ten and are never used twice', () => {
    expect(migrations.map(({ version }) => version)).toEqual(migrations.map((_, index) => (index + 1) * 10));
  });

  it('R1: an older database is brought up to date with its content, after a copy of it', () => {
    plant(test.db, ['a']);
    test.store.close();
    const store = open(test.file, { steps: [...migrations, second], backupsFolder: at('backups') });
    expect(getMessage(store.db, msg('a'))).toEqual(makeMessage('a', null));
    expect(connectionOf(store.db).prepare("SELECT value FROM meta WHERE key = 'added'").pluck().get()).toBe('yes');
    store.close();
    expect(backups()).toEqual([`bough-before-v${newestVersion() + 10}-from-v${newestVersion()}-20261130T070000.db`]);
    const copy = new Database(join(at('backups'), backups()[0] ?? ''), { readonly: true });
    expect([copy.pragma('user_version', { simple: true }), copy.prepare('SELECT count(*) FROM messages').pluck().get()]).toEqual([
      newestVersion(),
      1,
    ]);
    copy.close();
    test.store = open(test.file, { steps: [...migrations, second], backupsFolder: at('backups') });
    expect(backups()).toHaveLength(1);
  });

  it('R1, X5, X7: a database of version 10 gets its table of steps, and its messages stay, without a step', () => {
    const old = new Database(at('old.db'));
    old.exec(firstSchema.sql);
    old.pragma(`application_id = ${applicationId}`);
    old.pragma('user_version = 10');
    old.exec(`INSERT INTO conversations (id, tip_id) VALUES ('cnv_1', 'msg_a');
      INSERT INTO messages (id, conversation_id, role, text, created_at) VALUES ('msg_a', 'cnv_1', 'user', 'kept', 5)`);
    old.close();
    const store = open(at('old.db'), { backupsFolder: at('backups') });
    expect(readPath(store.db, msg('a'))).toMatchObject([{ id: 'msg_a', parts: [{ type: 'text', text: 'kept' }] }]);
    const agentId = 'demo' as AgentId;
    expect(transcriptStepOf(store.db, { messageId: msg('a'), agentId })).toBeUndefined();
    startStep(store.db, makeStep('s', 'a'));
    const transcript = { agentId, file: 3 };
    finishStep(store.db, {
      stepId: makeStep('s', 'a').id,
      message: makeMessage('s', 'a', { role: 'assistant' }),
      tip: 'follow',
      transcript,
    });
    expect(transcriptStepOf(store.db, { messageId: msg('s'), agentId })).toEqual({ stepId: 'stp_s', file: 3 });
    expect(transcriptStepOf(store.db, { messageId: msg('s'), agentId: 'other' as AgentId })).toBeUndefined();
    store.close();
    expect(backups()).toEqual([`old-before-v${newestVersion()}-from-v10-20261130T070000.db`]);
  });

  it('R1: a step that fails leaves the database as it was', () => {
    plant(test.db, ['a']);
    test.store.close();
    expect(() => open(test.file, { steps: [...migrations, second, broken], backupsFolder: at('backups') })).toThrow(/nowhere/);
    test.store = open();
    test.db = test.store.db;
    expect(getMessage(test.db, msg('a'))).toBeDefined();
    expect(connectionOf(test.db).pragma('user_version', { simple: true })).toBe(newestVersion());
    expect(connectionOf(test.db).prepare("SELECT name FROM sqlite_schema WHERE name = 'half'").get()).toBeUndefined();
  });

  it('R1: no copy is made of a new database', () => {
    open(at('new.db'), { backupsFolder: at('backups') }).close();
    expect(backups()).toEqual([]);
  });

  it('W4, R1: a newer database is refused and not touched', () => {
    plant(test.db, ['a']);
    connectionOf(test.db).pragma('user_version = 999');
    test.store.close();
    const before = readFileSync(test.file);
    expect(codeOf(() => open())).toBe('databaseNewer');
    expect(codeOf(() => openStore({ file: test.file, mode: 'read', now }))).toBe('databaseNewer');
    expect(readFileSync(test.file).equals(before)).toBe(true);
  });
});

describe('damage', () => {
  it('W4, R1: a file that is no database, one cut short and one of another program are damaged, and stay as they are', () => {
    plant(
      test.db,
      Array.from({ length: 300 }, (_, index) => (index === 0 ? 'm0' : `m${index}<m${index - 1}`)),
    );
    test.store.close();
    writeFileSync(at('text.db'), 'this is not a database at all, just some text that is long enough');
    copyFileSync(test.file, at('short.db'));
    truncateSync(at('short.db'), 700);
    const foreign = new Database(at('foreign.db'));
    foreign.exec('CREATE TABLE other (x); PRAGMA user_version = 10');
    foreign.close();
    for (const name of ['text.db', 'short.db', 'foreign.db']) {
      const before = readFileSync(at(name));
      expect([name, codeOf(() => open(at(name)))]).toEqual([name, 'databaseCorrupt']);
      expect([name, codeOf(() => openStore({ file: at(name), mode: 'read', now }))]).toEqual([name, 'databaseCorrupt']);
      expect(readFileSync(at(name)).subarray(100).equals(before.subarray(100))).toBe(true);
    }
  });

  it('R1, R3: pages written over are found by the check', async () => {
    plant(
      test.db,
      Array.from({ length: 300 }, (_, index) => (index === 0 ? 'm0' : `m${index}<m${index - 1}`)),
    );
    test.store.close();
    expect(await runMaintenance({ type: 'check', file: test.file })).toEqual({ problems: [] });
    const bytes = readFileSync(test.file);
    bytes.fill(0x5a, 4096 * 12, 4096 * 16);
    writeFileSync(test.file, bytes);
    const { problems } = await runMaintenance({ type: 'check', file: test.file });
    expect(problems.length).toBeGreaterThan(0);
  });

  it('R3: a log cut in the middle keeps what was committed before the cut', () => {
    plant(test.db, ['a', 'b<a', 'c<b']);
    mkdirSync(at('copy'));
    copyFileSync(test.file, at('copy/bough.db'));
    const log = readFileSync(`${test.file}-wal`);
    const seen = new Set<number>();
    for (let end = log.length; end > 4096; end -= 1777) {
      writeFileSync(at('copy/bough.db-wal'), log.subarray(0, end));
      rmSync(at('copy/bough.db-shm'), { force: true });
      const copy = new Database(at('copy/bough.db'));
      if (copy.pragma('user_version', { simple: true }) === newestVersion())
        seen.add(Number(copy.prepare('SELECT count(*) FROM messages').pluck().get()));
      expect(copy.pragma('integrity_check', { simple: true })).toBe('ok');
      copy.close();
      copyFileSync(test.file, at('copy/bough.db'));
    }
    expect([...seen].sort()).toEqual([0, 1, 2, 3]);
  });
});

describe('the disk', () => {
  it('W4, R3: no folder, a folder in the place of the file, no file to read', () => {
    expect(codeOf(() => open(at('nowhere/bough.db')))).toBe('workspaceGone');
    expect(codeOf(() => openStore({ file: at('missing.db'), mode: 'read', now }))).toBe('workspaceGone');
    expect(existsSync(at('missing.db'))).toBe(false);
  });

  it('R3: a database at its size limit refuses the write whole and goes on', () => {
    plant(test.db, ['a']);
    const db = connectionOf(test.db);
    db.pragma(`max_page_count = ${Number(db.pragma('page_count', { simple: true })) + 2}`);
    const long = makeMessage('b', 'a', { parts: [{ type: 'text', text: 'x'.repeat(100_000) }] });
    expect(codeOf(() => appendMessage(test.db, { message: long, tip: 'follow' }))).toBe('diskFull');
    expect(getMessage(test.db, msg('b'))).toBeUndefined();
    expect(getConversation(test.db, cnv('1'))?.tipId).toBe(msg('a'));
    db.pragma('max_page_count = 1000000');
    expect(appendMessage(test.db, { message: long, tip: 'follow' })).toEqual({ moved: true });
  });

  it('W4, R3: a file deleted under the program takes no more writes, and what was read stays readable', () => {
    plant(test.db, ['a']);
    renameSync(test.file, at('moved.db'));
    expect(codeOf(() => appendMessage(test.db, { message: makeMessage('b', 'a'), tip: 'follow' }))).toBe('workspaceGone');
    expect(getMessage(test.db, msg('a'))).toBeDefined();
    renameSync(at('moved.db'), test.file);
    expect(appendMessage(test.db, { message: makeMessage('b', 'a'), tip: 'follow' })).toEqual({ moved: true });
  });

  it('R3: a file made read-only under the program', () => {
    plant(test.db, ['a']);
    connectionOf(test.db).pragma('query_only = ON');
    expect(codeOf(() => appendMessage(test.db, { message: makeMessage('b', 'a'), tip: 'follow' }))).toBe('workspaceReadOnly');
  });
});

describe('sqlite3 itself', () => {
  it('T7, R1: another program with foreign keys off may write half rows, and Bough copes', () => {
    plant(test.db, ['a']);
    const script =
      "import sqlite3,sys; c=sqlite3.connect(sys.argv[1]); c.execute(\"INSERT INTO messages (id, conversation_id, parent_id, role) VALUES ('msg_z','cnv_1','msg_a','assistant')\"); c.commit()";
    execFileSync('python3', ['-c', script, test.file]);
    expect(getMessage(test.db, msg('z'))).toMatchObject({ role: 'assistant', status: 'complete', parts: [] });
  });
});
