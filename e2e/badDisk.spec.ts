// W4, R3: disks that are read-only or full, on a small disk of the test's own.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { test } from './fixtures/app';
import { expectAccessible } from './fixtures/axe';
import { makeFolders } from './fixtures/folders';
import { demoSettings } from './fixtures/runningApp';
import { gate, waitFor } from './fixtures/scriptedServer';
import { scriptedSettings } from './fixtures/scriptedSettings';
import { chatPath, chatStream } from './fixtures/scripts/chat';
import { makeSmallDisk, type SmallDisk } from './fixtures/smallDisk';
import { SidebarPage } from './pages/sidebar';
import { TalkPage } from './pages/talk';

/** More than what a database may still have room for in its own log. */
const long = `${'A line that takes its place on the disk. '.repeat(40)}\n\n`.repeat(250);
let disk: SmallDisk;
test.beforeEach(async () => {
  disk = await makeSmallDisk(12);
});
test.afterEach(() => disk.remove());
const place = (settings: unknown = demoSettings()) => {
  const folders = makeFolders();
  return { folders: { userData: folders.userData, workspace: disk.folder }, executablePath: disk.wrapper, settings };
};

test('W4, M7: a read-only workspace can be read, memories too, says that nothing is saved, and is written again once it can be', async ({
  start,
}) => {
  const running = await start(place());
  await new TalkPage(running.page).ask('say Written before.');
  await running.close();
  await disk.setReadOnly(true);
  const again = await running.restart();
  const talk = new TalkPage(again.page);
  await expect(again.page.getByRole('status').filter({ hasText: 'Read-only: nothing is saved.' })).toBeVisible();
  await again.page.getByRole('link', { name: 'say Written before.' }).click();
  await expect(talk.message(1)).toContainText('Written before.');
  await expect(talk.box).toBeDisabled();
  await expect(talk.act(1, 'Regenerate')).toHaveCount(0);
  await expect(talk.act(1, 'Copy')).toBeVisible();
  await again.page.keyboard.press('Control+Shift+KeyB');
  await again.page.getByRole('tab', { name: 'Memory' }).click();
  const memory = again.page.getByRole('region', { name: 'What the agent remembers' });
  await expect(memory).toContainText('what the agent remembers can be read, not changed');
  await expect(memory.getByRole('list', { name: 'What would be sent next' })).toContainText('say Written before.');
  await expectAccessible(again.page, 'read-only disk');
  await disk.setReadOnly(false);
  await again.page.getByRole('button', { name: 'Try again' }).click();
  await expect(talk.box).toBeEnabled();
  await talk.ask('say Written after.');
  await again.close();
});

test('W4: a folder that was never opened and cannot be written says so', async ({ start }) => {
  await disk.setReadOnly(true);
  const running = await start(place());
  await expect(running.page.getByRole('heading', { name: 'This folder can’t be written to' })).toBeVisible();
  await expectAccessible(running.page, 'folder that cannot be written');
  await disk.setReadOnly(false);
  await running.page.getByRole('button', { name: 'Try again' }).click();
  await new TalkPage(running.page).ask('say It can now.');
  await running.close();
});

test('R3, W4: on a full disk sending fails in place with the draft kept, and works after space is made', async ({ start }) => {
  const running = await start(place());
  const talk = new TalkPage(running.page);
  await talk.ask('say Before the flood.');
  disk.fill();
  const size = () => statSync(join(disk.seenFromHere, '.bough', 'bough.db')).size;
  expect(size()).toBeGreaterThan(0);
  await talk.writeLong(`say ${long}`);
  await talk.send.click();
  const alert = talk.composer.getByRole('alert');
  await expect(alert).toContainText('The disk is full');
  await expect(alert).toContainText('Your message is still here.');
  await expect(talk.box).toHaveValue(`say ${long}`);
  await expect(talk.message(1)).toContainText('Before the flood.');
  await expectAccessible(running.page, 'full disk');
  disk.free();
  await talk.write('say After the flood.');
  await talk.send.click();
  await talk.settled();
  await expect(talk.message(3)).toContainText('After the flood.');
  const again = await running.restart();
  await expect(new TalkPage(again.page).message(1)).toContainText('Before the flood.');
  await expect(new TalkPage(again.page).message(3)).toContainText('After the flood.');
  await again.close();
});

test('R3, X9: an answer that ends on a full disk waits, says so, and is stored when there is space', async ({ start, server }) => {
  const { opened, open } = gate();
  const words = [`The answer begins. ${long}`, 'The answer ends.'];
  server.script(`POST ${chatPath}`, chatStream(words, { between: (index) => (index === 0 ? [waitFor(opened)] : []) }));
  const running = await start(place(scriptedSettings(server)));
  const talk = new TalkPage(running.page);
  await talk.say('Write a lot');
  await server.request(`POST ${chatPath}`);
  disk.fill();
  open();
  await expect(running.page.getByRole('alert')).toContainText('The answer can’t be saved yet');
  disk.free();
  await talk.settled();
  const again = await running.restart();
  // The disk may have been full when the window noted which conversation was open.
  await new SidebarPage(again.page).open('Write a lot');
  const after = new TalkPage(again.page);
  await expect(after.message(1)).toContainText('The answer ends.');
  await expect(after.message(1)).not.toContainText('Interrupted');
  await again.close();
});
