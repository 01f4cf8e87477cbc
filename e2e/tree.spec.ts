// The tree as a person walks it: versions, branches and the way back, over restarts.
import { expect } from '@playwright/test';
import { sharedApp, test } from './fixtures/app';
import { expectAccessible } from './fixtures/axe';
import { readDb } from './fixtures/folders';
import { SidebarPage } from './pages/sidebar';
import { TalkPage } from './pages/talk';

test('T4, T5, T6, T3: edit makes two versions, switching goes back, and a restart stays there', async ({ start }) => {
  const running = await start();
  const talk = new TalkPage(running.page);
  await talk.ask('say The sea is blue.');
  await talk.ask('say The sun is warm.');
  await talk.edit(0, 'say The sea is green.');
  await talk.settled();
  await expect(talk.message(0)).toContainText('The sea is green.');
  await expect(talk.message(0)).toContainText('2 / 2');
  await expect(talk.feed.getByRole('article')).toHaveCount(2);
  await expect(talk.act(0, 'Next version')).toBeDisabled();
  await expectAccessible(running.page, 'two versions');

  await talk.act(0, 'Previous version').click();
  await expect(talk.message(0)).toContainText('1 / 2');
  // The whole tail of the old version is there, to its end.
  await expect(talk.message(1)).toContainText('The sea is blue.');
  await expect(talk.message(3)).toContainText('The sun is warm.');
  const [before] = readDb(running.folders, 'SELECT tip_id FROM conversations');
  expect(readDb(running.folders, 'SELECT count(*) AS n FROM messages')).toEqual([{ n: 6 }]);

  const again = await running.restart();
  const after = new TalkPage(again.page);
  await expect(after.message(0)).toContainText('1 / 2');
  await expect(after.message(3)).toContainText('The sun is warm.');
  expect(readDb(running.folders, 'SELECT tip_id FROM conversations')).toEqual([before]);
  await after.act(0, 'Next version').click();
  await expect(after.message(0)).toContainText('The sea is green.');
  await expect(after.feed.getByRole('article')).toHaveCount(2);
});

test.describe('in one window', () => {
  const running = sharedApp();
  let talk: TalkPage;
  test.beforeEach(async () => {
    talk = new TalkPage(running().page);
    await expect(talk.box).toBeVisible();
    if (await talk.feed.isVisible()) await talk.newConversation();
  });

  test('T5, T6: regenerate makes a sibling of the answer and keeps the old one with its tail', async () => {
    await talk.ask('say One.');
    await talk.ask('say Two.');
    await talk.act(1, 'Regenerate').click();
    await expect(talk.message(1)).toContainText('2 / 2');
    await talk.settled();
    await expect(talk.feed.getByRole('article')).toHaveCount(2);
    await talk.act(1, 'Previous version').click();
    await expect(talk.message(1)).toContainText('1 / 2');
    await expect(talk.message(3)).toContainText('Two.');
  });

  test('T5, T1: an answer edited by hand is a version of its own; the model’s stays as it was', async () => {
    await talk.ask('say The first words.');
    await talk.edit(1, 'My own words.');
    await expect(talk.message(1)).toContainText('My own words.');
    await expect(talk.message(1)).toContainText('Edited by hand');
    await expect(talk.message(1)).toContainText('2 / 2');
    await talk.act(1, 'Previous version').click();
    await expect(talk.message(1)).toContainText('The first words.');
    await expect(talk.message(1)).not.toContainText('Edited by hand');
  });

  test('T4, T6: Branch from here moves the tip and writes no message; Forward goes on; new words make a branch', async () => {
    await talk.ask('say Root.');
    await talk.ask('say Later.');
    const count = () => readDb(running().folders, 'SELECT count(*) AS n FROM messages')[0];
    const before = count();
    await talk.act(1, 'Branch from here').click();
    await expect(talk.feed.getByRole('article')).toHaveCount(2);
    await expect(talk.message(1)).toContainText('1 branch goes on from here');
    expect(count()).toEqual(before);
    await talk.message(1).getByRole('button', { name: 'Forward' }).click();
    await expect(talk.message(3)).toContainText('Later.');
    expect(count()).toEqual(before);

    await talk.act(1, 'Branch from here').click();
    await expect(talk.feed.getByRole('article')).toHaveCount(2);
    await talk.ask('say Another way.');
    await expect(talk.message(2)).toContainText('2 / 2');
    await talk.act(1, 'Branch from here').click();
    await expect(talk.message(1)).toContainText('2 branches go on from here');
    // Forward takes the branch that was left last.
    await talk.message(1).getByRole('button', { name: 'Forward' }).click();
    await expect(talk.message(3)).toContainText('Another way.');
  });

  test('T5, T1: an edited first prompt is a second root beside the first', async () => {
    await talk.ask('say First root.');
    await talk.edit(0, 'say Second root.');
    await talk.settled();
    await expect(talk.message(0)).toContainText('2 / 2');
    const roots = readDb(
      running().folders,
      'SELECT parent_id FROM messages WHERE parent_id IS NULL AND conversation_id = (SELECT conversation_id FROM messages ORDER BY seq DESC LIMIT 1)',
    );
    expect(roots).toHaveLength(2);
  });

  test('T6, U3: switching a version keeps the switched message where it is on the screen', async () => {
    await talk.ask('write 250 words fast');
    await talk.ask('say In the middle.');
    await talk.edit(2, 'say In the middle, edited.');
    await talk.settled();
    await expect(talk.message(2)).toContainText('2 / 2');
    await talk.message(2).scrollIntoViewIfNeeded();
    const top = async () => Math.round((await talk.message(2).boundingBox())?.y ?? -1);
    const before = await top();
    await talk.act(2, 'Previous version').click();
    await expect(talk.message(2)).toContainText('1 / 2');
    await expect.poll(async () => Math.abs((await top()) - before)).toBeLessThanOrEqual(2);
  });

  test('U3, T3: each conversation comes back at the place where it was left', async () => {
    const sidebar = new SidebarPage(running().page);
    await talk.ask('write 900 words fast');
    await talk.ask('say The end of the long one.');
    await talk.feed.press('Home');
    await expect(talk.message(0)).toBeInViewport();
    await talk.newConversation();
    await talk.ask('say Short.');
    await sidebar.open('write 900 words fast');
    await expect(talk.feed.getByRole('article').first()).toContainText('write 900 words fast');
    await expect(talk.feed.getByRole('article').first()).toBeInViewport();
  });
});
