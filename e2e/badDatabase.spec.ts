// W4, T7, R1: databases that are newer, damaged or changed by others, and two windows on one of them.
import { closeSync, existsSync, openSync, readdirSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { test } from './fixtures/app';
import { expectAccessible } from './fixtures/axe';
import { changeDb, databaseOf, readDb } from './fixtures/folders';
import { startAgain } from './fixtures/program';
import { SidebarPage } from './pages/sidebar';
import { TalkPage } from './pages/talk';

test('W4: a database of a newer version is said and left as it is', async ({ start }) => {
  const running = await start();
  await new TalkPage(running.page).ask('say hello');
  await running.close();
  changeDb(running.folders, 'PRAGMA user_version = 9999');
  const before = readFileSync(databaseOf(running.folders));
  const again = await running.restart();
  await expect(again.page.getByRole('heading', { name: 'This workspace needs a newer Bough' })).toBeVisible();
  await expect(again.page.getByRole('main')).toContainText('Nothing in it was changed.');
  await expectAccessible(again.page, 'newer database');
  await again.close();
  expect(readFileSync(databaseOf(running.folders)).equals(before)).toBe(true);
});

test('W4, R1: a damaged database offers its backups; one is restored and the damaged file is kept', async ({ start }) => {
  const running = await start();
  await new TalkPage(running.page).ask('say Worth keeping.');
  const backups = join(running.folders.workspace, '.bough', 'backups');
  const made = () => (existsSync(backups) ? readdirSync(backups) : []).filter((name) => /^bough-[\d-]+\.db$/.test(name));
  await expect.poll(() => made().length, { timeout: 30_000 }).toBe(1);
  await running.close();
  for (const extra of ['-wal', '-shm']) rmSync(`${databaseOf(running.folders)}${extra}`, { force: true });
  const handle = openSync(databaseOf(running.folders), 'r+');
  writeSync(handle, Buffer.from('This is no database any more, sorry'), 0, 35, 0);
  closeSync(handle);

  const again = await running.restart();
  const { page } = again;
  await expect(page.getByRole('heading', { name: 'The database of this workspace is damaged' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Backups' }).getByRole('listitem')).toHaveCount(1);
  await expectAccessible(page, 'damaged database');
  await page.getByRole('button', { name: /^Restore the backup of/ }).click();
  await expectAccessible(page, 'restore a backup');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Restore backup' }).click();
  await new SidebarPage(page).open('say Worth keeping.');
  await expect(new TalkPage(page).message(1)).toContainText('Worth keeping.');
  expect(readdirSync(backups).some((name) => name.startsWith('damaged-'))).toBe(true);
  await new TalkPage(page).ask('say And it goes on.');
  await expect(new TalkPage(page).message(3)).toContainText('And it goes on.');
});

test('T7, R3: a ring of parents made by another program shows every message, marked, and nothing spins', async ({ start }) => {
  const running = await start();
  const talk = new TalkPage(running.page);
  await talk.ask('say one');
  await talk.ask('say two');
  await running.close();
  changeDb(running.folders, 'UPDATE messages SET parent_id = (SELECT id FROM messages ORDER BY seq DESC LIMIT 1) WHERE parent_id IS NULL');
  const again = await running.restart();
  const after = new TalkPage(again.page);
  await expect(after.feed.getByRole('article')).toHaveCount(4);
  await expect(after.feed.getByText('Recovered')).toBeVisible();
  await expectAccessible(again.page, 'recovered');
  await after.ask('say three');
  await expect(after.message(5)).toContainText('three');
});

test('T7, R3: messages whose parent is missing stay, under a mark', async ({ start }) => {
  const running = await start();
  const talk = new TalkPage(running.page);
  await talk.ask('say one');
  await talk.ask('say two');
  await running.close();
  changeDb(running.folders, 'DELETE FROM messages WHERE seq = 2');
  const again = await running.restart();
  const after = new TalkPage(again.page);
  await expect(after.message(0)).toContainText('say two');
  await expect(after.message(0)).toContainText('Recovered');
  await expect(after.message(1)).toContainText('two');
  // The first prompt is a root beside it: one step away, not lost.
  await after.act(0, 'Previous version').click();
  await expect(after.message(0)).toContainText('say one');
  expect(readDb(running.folders, 'SELECT count(*) AS n FROM messages')).toEqual([{ n: 3 }]);
});

test('W1, R1: two windows of one process on one workspace follow each other', async ({ start }) => {
  const running = await start();
  const first = new TalkPage(running.page);
  await first.ask('say hello');
  const opening = running.app.waitForEvent('window');
  const second = startAgain(running.folders);
  const page = await opening;
  await new Promise((resolve) => (second.exitCode === null ? second.once('exit', resolve) : resolve(null)));
  const other = new TalkPage(page);
  await new SidebarPage(page).open('say hello');
  await expect(other.message(1)).toContainText('hello');

  await first.say('count to 60 slowly');
  await expect(other.message(2)).toContainText('count to 60 slowly');
  await expect(other.message(3)).toContainText('1 2 3');
  await other.stop.click();
  await expect(first.message(3)).toContainText('Interrupted');
  await other.ask('say from the second window');
  await expect(first.message(5)).toContainText('from the second window');
  await first.act(0, 'Branch from here').click();
  await expect(other.feed.getByRole('article')).toHaveCount(1);
  await page.close();
  await first.ask('say still here');
  await expect(first.message(2)).toContainText('still here');
});
