// A fork as a person makes it: the question, the copy, both of its sides, over a restart (T9).
import { expect } from '@playwright/test';
import { test } from './fixtures/app';
import { expectAccessible } from './fixtures/axe';
import { readDb } from './fixtures/folders';
import { TalkPage } from './pages/talk';

test('T9, K1: a branch is forked, goes on apart, and leads back; the whole tree by /fork', async ({ start }) => {
  test.slow();
  const running = await start();
  const { page, folders } = running;
  const talk = new TalkPage(page);
  await talk.ask('say The sea is blue.');
  await talk.ask('say The sun is warm.');
  await talk.edit(0, 'say The sea is green.');
  await talk.settled();

  await talk.message(1).hover();
  await talk.act(1, 'Fork from here').click();
  const dialog = page.getByRole('dialog', { name: 'Fork conversation' });
  await expect(dialog.getByRole('radio', { name: 'This path' })).toBeChecked();
  await expect(dialog).toContainText('2 messages');
  await expect(dialog).toContainText('3 messages');
  await expect(dialog).toContainText('6 messages');
  await expectAccessible(page, 'the fork dialog');
  await page.screenshot({ path: test.info().outputPath('fork-dialog.png') });
  await dialog.getByRole('button', { name: 'Fork', exact: true }).click();

  const origin = page.getByRole('button', { name: /^Forked from / });
  await expect(origin).toBeVisible();
  await expect(talk.feed.getByRole('article')).toHaveCount(2);
  await talk.ask('say Only here.');
  await expect(talk.message(3)).toContainText('Only here.');
  await expectAccessible(page, 'a fork');
  await page.screenshot({ path: test.info().outputPath('fork-origin.png') });

  await origin.click();
  await expect(origin).toBeHidden();
  await expect(talk.feed.getByRole('article')).toHaveCount(2);
  await expect(talk.message(1).getByRole('button', { name: '1 fork' })).toBeVisible();
  await page.screenshot({ path: test.info().outputPath('fork-mark.png') });

  const again = await running.restart();
  const after = new TalkPage(again.page);
  await after.message(1).getByRole('button', { name: '1 fork' }).click();
  await expect(after.message(3)).toContainText('Only here.');
  await again.page.getByRole('button', { name: /^Forked from / }).click();
  await expect(after.feed.getByRole('article')).toHaveCount(2);
  await after.write('/fork all');
  await again.page.keyboard.press('Escape');
  await again.page.keyboard.press('Enter');
  await expect(again.page.getByRole('button', { name: /^Forked from / })).toBeVisible();
  await expect(after.message(0)).toContainText('2 / 2');
  await expect(after.box).toHaveValue('');
  expect(readDb(folders, 'SELECT count(*) AS n FROM conversations')).toEqual([{ n: 3 }]);
  // The copies have no content of their own.
  expect(
    readDb(folders, 'SELECT count(*) AS n FROM messages WHERE content_seq IS NOT NULL AND (text IS NOT NULL OR parts IS NOT NULL)'),
  ).toEqual([{ n: 0 }]);
});
