// What people, servers and disks do wrong: each has a clear state, and nothing that was shown as complete is lost (R3, W4).

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { test } from './fixtures/app';
import { expectAccessible } from './fixtures/axe';
import { dropFiles, paste } from './fixtures/files';
import { makeFolders, readDb, removeFolders, settingsOf, writeSettings } from './fixtures/folders';
import { demoSettings } from './fixtures/runningApp';
import { SettingsPage } from './pages/settings';
import { TalkPage } from './pages/talk';

const fiveMegabytes = 'Peat grows a millimetre a year, they say.\n'.repeat(125_000);

test('U4, R3: five pasted megabytes become a file, and typing goes on at once', async ({ start }) => {
  const { page } = await start();
  const talk = new TalkPage(page);
  await paste(talk.box, { text: fiveMegabytes });
  await expect(talk.composer.getByRole('list', { name: 'Attached files' })).toContainText('Pasted text.txt');
  await talk.box.pressSequentially('What is it about?');
  await expect(talk.box).toHaveValue('What is it about?');
  await talk.send.click();
  // The demo cannot take it: that is said, and the message stays.
  await expect(talk.failed).toContainText('is longer than', { timeout: 30_000 });
  await expect(talk.message(0)).toContainText('What is it about?');
  await expectAccessible(page, 'too long for the model');
});

test('R3, U4: a prompt of five megabytes is kept whole, shown folded, and said to be too long', async ({ start }) => {
  const { page, folders } = await start();
  const talk = new TalkPage(page);
  await talk.writeLong(fiveMegabytes);
  await talk.send.click();
  await expect(talk.failed).toContainText('is longer than', { timeout: 30_000 });
  await expect(talk.message(0)).toContainText('Peat grows');
  await expect(talk.message(0).getByRole('button', { name: /^Show all/ })).toBeVisible();
  const [stored] = readDb(folders, "SELECT length(text) AS size FROM messages WHERE role = 'user'");
  expect(stored).toEqual({ size: fiveMegabytes.length });
  await talk.edit(0, 'say Short enough.');
  await talk.settled();
  await expect(talk.message(1)).toContainText('Short enough.');
});

test('U4, R3: a picture that is not one, an empty file and a program are refused in place; the rest stays', async ({ start }) => {
  const { page } = await start();
  const talk = new TalkPage(page);
  await talk.write('My question stays.');
  await dropFiles(
    page,
    { name: 'fake.png', type: 'image/png', bytes: Buffer.from('this is no picture') },
    { name: 'empty.txt', type: 'text/plain', bytes: Buffer.alloc(0) },
    { name: 'program.bin', type: 'application/octet-stream', bytes: Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 1, 2, 3, 0, 0, 0, 0]) },
    { name: 'broken.pdf', type: 'application/pdf', bytes: Buffer.from('%PDF-1.4\nbroken') },
    { name: 'good.txt', type: 'text/plain', bytes: Buffer.from('good') },
  );
  const files = talk.composer.getByRole('list', { name: 'Attached files' });
  await expect(files.getByRole('alert').filter({ hasText: 'fake.png' })).toContainText('is not a readable image');
  await expect(files.getByRole('alert').filter({ hasText: 'empty.txt' })).toContainText('is empty');
  await expect(files.getByRole('alert').filter({ hasText: 'program.bin' })).toContainText('is not a kind Bough can send');
  await expect(files.getByRole('alert').filter({ hasText: 'broken.pdf' })).toContainText('No text could be read');
  await expect(files).toContainText('good.txt');
  await expectAccessible(page, 'refused files');
  await talk.composer.getByRole('button', { name: 'Dismiss fake.png' }).click();
  await expect(files.getByRole('alert')).toHaveCount(3);
  await expect(talk.box).toHaveValue('My question stays.');
});

test('W4, R3: a broken settings.json is kept as it was, said with its place, and read again once it is mended', async ({ start }) => {
  const folders = makeFolders();
  const broken = '{ "version": 1, "providers": [ { "id": "x" ';
  writeSettings(folders, broken);
  const { page, app } = await start({ folders });
  await expect(page.getByRole('status').filter({ hasText: 'settings.json can’t be read' })).toContainText('The file is kept as it was');
  await expectAccessible(page, 'broken settings');
  const settings = new SettingsPage(page);
  await settings.open('General');
  await settings.dialog.getByRole('radio', { name: 'Dark' }).click();
  await expect(settings.dialog).toContainText('can’t be used as it is');
  expect(readFileSync(settingsOf(folders), 'utf8')).toBe(broken);
  await settings.close();
  writeSettings(folders, demoSettings());
  await app.evaluate(({ BrowserWindow }) => {
    const [window] = BrowserWindow.getAllWindows();
    window?.emit('focus');
  });
  await expect(page.getByRole('status').filter({ hasText: 'settings.json can’t be read' })).toHaveCount(0);
  await new TalkPage(page).ask('say Mended.');
});

test('W4, P1: an invalid provider is said with its place; the others work and the file stays', async ({ start }) => {
  const folders = makeFolders();
  const settings = demoSettings();
  const text = JSON.stringify({ ...settings, providers: [{ id: 'odd', name: 'Odd', kind: 'carrier-pigeon' }, ...settings.providers] });
  writeSettings(folders, text);
  const { page } = await start({ folders });
  const banner = page.getByRole('status').filter({ hasText: 'Parts of a settings file could not be used.' });
  await expect(banner).toContainText('providers.0.kind');
  await new TalkPage(page).ask('say The demo works.');
  await expect(new TalkPage(page).message(1)).toContainText('The demo works.');
  expect(readFileSync(settingsOf(folders), 'utf8')).toBe(text);
});

test('W2, Z3: a workspace from a stranger cannot bring a provider, a key or an approval', async ({ start }) => {
  const folders = makeFolders();
  mkdirSync(join(folders.workspace, '.bough'));
  const foreign = {
    interface: { panelOpen: true },
    providers: [{ id: 'evil', kind: 'openai-chat', baseUrl: 'http://evil.example/v1', apiKey: '${HOME}' }],
  };
  writeFileSync(join(folders.workspace, '.bough', 'settings.json'), JSON.stringify(foreign));
  const { page } = await start({ folders, settings: demoSettings() });
  await expect(page.getByRole('status').filter({ hasText: '.bough/settings.json' })).toContainText('providers');
  await expect(page.getByRole('tab', { name: 'Files' })).toBeVisible();
  const settings = new SettingsPage(page);
  await settings.open('Providers');
  await expect(settings.dialog.getByRole('button', { name: /^Edit/ })).toHaveCount(1);
  await expect(settings.dialog).not.toContainText('evil');
});

test('W1, W4: a workspace that another process has open names that process, and opens once it is free', async ({ start }) => {
  const first = await start();
  await new TalkPage(first.page).ask('say I hold it.');
  const other = makeFolders();
  const second = await start({ folders: { workspace: first.folders.workspace, userData: other.userData }, settings: demoSettings() });
  await expect(second.page.getByRole('heading', { name: 'This workspace is open elsewhere' })).toBeVisible();
  await expect(second.page.getByRole('main')).toContainText(`Process ${first.app.process().pid}`);
  await expectAccessible(second.page, 'locked workspace');
  await second.page.getByRole('button', { name: 'Open read-only' }).click();
  const reading = new TalkPage(second.page);
  await expect(second.page.getByRole('status').filter({ hasText: 'Read-only: nothing is saved.' })).toBeVisible();
  await second.page.getByRole('link', { name: 'say I hold it.' }).click();
  await expect(reading.message(1)).toContainText('I hold it.');
  await expect(reading.box).toBeDisabled();
  await expectAccessible(second.page, 'read-only');
  await first.close();
  await second.page.getByRole('button', { name: 'Try again' }).click();
  await expect(reading.box).toBeEnabled();
  await reading.ask('say Now I hold it.');
  removeFolders(other);
});

test('W4: a folder that is gone is said, nothing is made in its place, and it opens when it is back', async ({ start }) => {
  const folders = makeFolders();
  const workspace = join(folders.workspace, 'on-a-stick');
  const { page } = await start({ folders: { ...folders, workspace }, settings: demoSettings() });
  await expect(page.getByRole('heading', { name: 'This folder is gone' })).toBeVisible();
  await expect(page.getByRole('main')).toContainText(workspace);
  await expectAccessible(page, 'folder gone');
  mkdirSync(workspace);
  await page.getByRole('button', { name: 'Try again' }).click();
  await new TalkPage(page).ask('say It is back.');
});
