// Deleting as a person does it: the count before, Undo after, the trash over a restart, and emptying it for good (T8); labels and pins (T10).
import { expect } from '@playwright/test';
import { test } from './fixtures/app';
import { expectAccessible } from './fixtures/axe';
import { readDb } from './fixtures/folders';
import { TalkPage } from './pages/talk';

test('T8, T10, U2: delete with its count, undo by keys and by button, restore after a restart, then empty', async ({ start }) => {
  const running = await start();
  const { page } = running;
  const talk = new TalkPage(page);
  await talk.ask('say The sea is blue.');
  await talk.ask('say The sun is warm.');
  await talk.edit(2, 'say The moon is cold.');
  await talk.settled();
  await talk.act(1, 'Pin').click();
  await expect(talk.message(1)).toContainText('Pinned');
  await talk.write('/label the second try');
  await talk.send.click();
  await expect(talk.message(3)).toContainText('the second try');

  const dialog = page.getByRole('dialog', { name: 'Delete messages' });
  await talk.act(1, 'Delete').click();
  await expect(dialog).toContainText('5 messages on 2 branches, 1 of them not visible now.');
  await expect(dialog).toContainText('Backups keep them until they rotate');
  await expectAccessible(page, 'the delete dialog');
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await expect(talk.feed.getByRole('article')).toHaveCount(1);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(talk.message(3)).toContainText('The moon is cold.');
  await expect(talk.message(3)).toContainText('the second try');
  await expect(talk.message(2)).toContainText('2 / 2');

  await talk.act(2, 'Delete').click();
  await expect(dialog).toContainText('2 messages.');
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await expect(talk.feed.getByRole('article')).toHaveCount(2);
  await expect(page.getByRole('textbox', { name: 'Message' })).toBeFocused();
  await page.keyboard.press('Control+z');
  await expect(talk.message(3)).toContainText('The moon is cold.');

  await talk.act(2, 'Delete').click();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await expect(talk.feed.getByRole('article')).toHaveCount(2);

  const again = await running.restart();
  const after = new TalkPage(again.page);
  await expect(after.feed.getByRole('article')).toHaveCount(2);
  await again.page.getByRole('button', { name: 'Trash', exact: true }).click();
  const trash = again.page.getByRole('dialog', { name: 'Trash' });
  await expect(trash).toContainText('say The moon is cold.');
  await expectAccessible(again.page, 'the trash');
  await trash.getByRole('button', { name: /^Restore / }).click();
  await expect(trash).toContainText('The trash is empty');
  await trash.getByRole('button', { name: 'Close' }).click();
  await expect(after.message(3)).toContainText('The moon is cold.');

  await after.act(2, 'Delete').click();
  await again.page.getByRole('dialog', { name: 'Delete messages' }).getByRole('button', { name: 'Delete' }).click();
  await expect(after.feed.getByRole('article')).toHaveCount(2);
  await again.page.getByRole('button', { name: 'Trash', exact: true }).click();
  await trash.getByRole('button', { name: 'Empty trash' }).click();
  await again.page.getByRole('alertdialog', { name: 'Empty trash' }).getByRole('button', { name: 'Delete for good' }).click();
  await expect(trash).toContainText('The trash is empty');
  expect(readDb(running.folders, 'SELECT count(*) AS n FROM messages')).toEqual([{ n: 4 }]);
  expect(readDb(running.folders, 'SELECT count(*) AS n FROM trash')).toEqual([{ n: 0 }]);
});

test('T8: a conversation goes from its menu and comes back from the trash; a turn that runs in it is stopped first', async ({ start }) => {
  const { page, folders } = await start();
  const talk = new TalkPage(page);
  await talk.ask('say The sea is blue.');
  await talk.write('say slowly The sun is warm and the day is long.');
  await talk.send.click();
  const link = page.getByRole('navigation', { name: 'Conversations' }).getByRole('link').first();
  await link.click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('dialog', { name: 'Delete conversation' }).getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByRole('navigation', { name: 'Conversations' }).getByRole('link')).toHaveCount(0);
  expect(readDb(folders, 'SELECT count(*) AS n FROM live_steps')).toEqual([{ n: 0 }]);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByRole('navigation', { name: 'Conversations' }).getByRole('link')).toHaveCount(1);
  await expect(talk.message(1)).toContainText('The sea is blue.');
});
