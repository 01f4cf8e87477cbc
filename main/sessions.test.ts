import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createModelDirectory } from './agents/modelDirectory';
import { createLogger, createRedactor } from './lib/logger';
import { createNewId } from './lib/newId';
import { openSessions, type Sessions } from './sessions';
import { createConversation, listConversations } from './store/conversations';
import { runMaintenance } from './store/maintenance';
import { searchHere } from './store/searchFixture';
import { openGrants } from './user/grants';
import { nothingLearned } from './user/limitsFixture';
import { emptySettings } from './user/parseSettings';

const quiet = createLogger({ now: Date.now, sink: () => undefined, redactor: createRedactor() });
let root: string;
let sessions: Sessions;
const folder = (name: string) => {
  mkdirSync(join(root, name), { recursive: true });
  return join(root, name);
};
const open = () =>
  openSessions({
    logger: quiet,
    now: Date.now,
    newId: createNewId(Date.now),
    recentFile: join(root, 'recent.json'),
    defaultFolder: join(root, 'default'),
    run: runMaintenance,
    searchThread: searchHere,
    grants: openGrants({ file: join(root, 'approvals.json'), logger: quiet }),
    counter: { countTokens: async (texts) => texts.map(() => 0) },
    makePages: async () => ({ ok: false, refusal: 'reader' }),
    tools: { platform: process.platform, environment: {}, hideKeys: (text) => text, ripgrep: '' },
    models: (inWorkspace) =>
      createModelDirectory({ settings: () => emptySettings(true), keyOf: async () => null, limits: nothingLearned, ...inWorkspace }),
  });
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'bough-sessions-'));
  sessions = open();
});
afterEach(async () => {
  await sessions.closeAll();
  rmSync(root, { recursive: true });
});
const titles = (session: Awaited<ReturnType<Sessions['open']>>) =>
  listConversations(session.access.read().db, { archived: false }).map((row) => row.title);
const addTitle = (session: Awaited<ReturnType<Sessions['open']>>, title: string) =>
  createConversation(session.access.write().db, { id: createNewId(Date.now)('cnv'), now: Date.now(), agentId: null, title });

it('W1: two windows on one folder share one workspace; it closes with the last of them', async () => {
  const first = await sessions.open(folder('a'), {});
  const second = await sessions.open(join(root, 'b', '..', 'a'), {});
  expect(second).toBe(first);
  await sessions.release(first);
  addTitle(second, 'still open');
  await sessions.release(second);
  const again = await sessions.open(folder('a'), {});
  expect(again).not.toBe(first);
  expect(titles(again)).toEqual(['still open']);
});

it('W1: the default workspace is made at the first start; any other folder has to be there', async () => {
  expect((await sessions.open(join(root, 'default'), {})).access.state().status).toBe('open');
  const gone = await sessions.open(join(root, 'nowhere'), {});
  expect(gone.access.state()).toMatchObject({ status: 'failed', failure: { code: 'workspaceGone' } });
  const whyGone = expect.objectContaining({ failure: expect.objectContaining({ code: 'workspaceGone' }) });
  expect(() => gone.access.read()).toThrow(whyGone);
  expect(() => gone.access.memory()).toThrow(whyGone);
});

it('W4: what nobody expected is a state of the window, too, and holds no lock', async () => {
  const first = await sessions.open(folder('a'), {});
  addTitle(first, 'kept');
  await sessions.release(first);
  const file = join(root, 'a', '.bough', 'bough.db');
  const good = readFileSync(file);
  // The first page and its schema are whole, what the start reads next is not.
  const db = new Database(file);
  const page = db.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'live_steps'").pluck().get() as number;
  const size = db.pragma('page_size', { simple: true }) as number;
  db.close();
  const bad = Buffer.from(good);
  bad.fill(0x5a, (page - 1) * size, page * size);
  writeFileSync(file, bad);
  const broken = await sessions.open(join(root, 'a'), {});
  expect(broken.access.state()).toMatchObject({ status: 'failed', failure: { code: 'databaseCorrupt' } });
  writeFileSync(file, good);
  mkdirSync(join(root, 'a', '.bough', 'lock'));
  expect((await sessions.open(join(root, 'a'), {})).access.state()).toMatchObject({ status: 'failed', failure: { code: 'internal' } });
  rmSync(join(root, 'a', '.bough', 'lock'), { recursive: true });
  expect(titles(await sessions.open(join(root, 'a'), {}))).toEqual(['kept']);
});

it('W4: a folder that does not open leaves the window where it was', async () => {
  const first = await sessions.open(folder('a'), {});
  const stayed = await sessions.swap(first, join(root, 'nowhere'), {});
  expect(stayed).toMatchObject({ session: first, state: { status: 'failed' } });
  addTitle(first, 'works on');
  const moved = await sessions.swap(first, folder('b'), {});
  expect(moved.state.status).toBe('open');
  expect(() => addTitle(first, 'closed')).toThrow();
});

it('W4: reading only refuses every write with its reason, and shows what is there', async () => {
  const writing = await sessions.open(folder('a'), {});
  addTitle(writing, 'kept');
  await sessions.release(writing);
  const reading = await sessions.open(folder('a'), { readOnly: true });
  expect(titles(reading)).toEqual(['kept']);
  expect(() => reading.access.write()).toThrow(
    expect.objectContaining({ failure: expect.objectContaining({ code: 'workspaceReadOnly' }) }),
  );
  expect(reading.access.agents()).toBeNull();
  const [row] = listConversations(reading.access.read().db, { archived: false });
  if (!row) throw new Error('no conversation');
  expect(await reading.access.memory().view({ conversationId: row.id, agentId: null })).toMatchObject({ memory: null, receipts: [] });
});

it('W4, R1: a damaged database is a state; a restored backup opens again, for every window on it', async () => {
  const good = await sessions.open(folder('a'), {});
  addTitle(good, 'in the backup');
  mkdirSync(join(root, 'a/.bough/backups'), { recursive: true });
  await runMaintenance({
    type: 'backup',
    file: join(root, 'a/.bough/bough.db'),
    target: join(root, 'a/.bough/backups/bough-20260101-000000.db'),
  });
  await sessions.release(good);
  writeFileSync(join(root, 'a/.bough/bough.db'), 'this is no database');
  const damaged = await sessions.open(folder('a'), {});
  expect(damaged.access.state()).toMatchObject({
    status: 'failed',
    failure: { code: 'databaseCorrupt' },
    backups: [{ name: 'bough-20260101-000000.db' }],
  });
  await expect(damaged.access.restoreBackup('bough-nowhere.db')).rejects.toMatchObject({ failure: { code: 'backupInvalid' } });
  await damaged.access.restoreBackup('bough-20260101-000000.db');
  const mended = await sessions.reopen(damaged, {}, 2);
  expect(titles(mended)).toEqual(['in the backup']);
  await sessions.release(mended);
  addTitle(mended, 'the second window works on');
});

it('W1: the folder opened last comes first, and one that is gone is not opened by itself', async () => {
  await sessions.open(folder('a'), {});
  await sessions.open(folder('b'), {});
  await expect.poll(async () => (await sessions.recent()).map((entry) => entry.name)).toEqual(['b', 'a']);
  expect(sessions.lastFolder()).toBe(join(root, 'b'));
});
