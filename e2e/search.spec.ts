// Q1: words are found on every branch, a hit leads there, and the words of one conversation are found where they stand.
import { expect, type Page } from '@playwright/test';
import { test } from './fixtures/app';
import { expectAccessible } from './fixtures/axe';
import { changeDb, readDb } from './fixtures/folders';
import { SidebarPage } from './pages/sidebar';
import { TalkPage } from './pages/talk';

const found = (page: Page) => page.getByRole('region', { name: 'Found in messages' });
const bar = (page: Page) => page.getByRole('search', { name: 'Find in conversation' });

test('Q1, U7, N3: a word on an abandoned branch is found, marked as such, and opens there', async ({ start }) => {
  test.slow();
  const running = await start();
  const { page } = running;
  const talk = new TalkPage(page);
  await talk.ask('say The heron stands in the reeds.');
  await talk.ask('say And the reeds bend.');
  await talk.edit(0, 'say The otter swims.');
  await talk.settled();
  await talk.newConversation();
  await talk.ask('say 这个文件系统很快。');

  const { search } = new SidebarPage(page);
  // The box of the message may take the focus back just when an answer has ended.
  await expect(async () => {
    await page.keyboard.press('Control+Shift+F');
    await expect(search).toBeFocused({ timeout: 1000 });
  }).toPass();
  await expect(found(page)).toContainText('Search all messages');
  await expectAccessible(page, 'search before words');
  // No title has these words.
  await page.keyboard.type('BÉND ree');
  const hits = found(page).locator('[data-hit]');
  await expect(hits).toHaveCount(2);
  await expect(hits.first()).toContainText('on another branch');
  await expect(hits.first().locator('mark').first()).toHaveText(/ree|bend/i);
  await expectAccessible(page, 'search with hits');

  const before = readDb(running.folders, 'SELECT count(*) AS n FROM messages');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(talk.message(3)).toContainText('And the reeds bend.');
  await expect(talk.message(1)).toContainText('The heron stands in the reeds.');
  await expect(talk.message(0)).toContainText('1 / 2');
  // The branch as it was left, to its end.
  await expect(talk.feed.getByRole('article')).toHaveCount(4);
  expect(readDb(running.folders, 'SELECT count(*) AS n FROM messages')).toEqual(before);
  await expect(hits.first()).not.toContainText('on another branch');

  await search.fill('件');
  await expect(found(page)).toContainText('这个文件系统很快');
  await search.fill('otter');
  await expect(hits.first()).toContainText('on another branch');
  await search.press('Escape');
  await expect(found(page)).toBeHidden();

  // The index is made meanwhile; after a restart it has everything.
  await expect.poll(() => readDb(running.folders, 'SELECT high - low + 1 AS n FROM search_state'), { timeout: 20_000 }).toEqual([{ n: 8 }]);
  const again = await running.restart();
  await again.page.keyboard.press('Control+Shift+F');
  await again.page.getByRole('searchbox', { name: 'Search' }).fill('heron');
  await expect(found(again.page).locator('[data-hit]')).toHaveCount(2);
});

test('Q1, R3: a workspace whose index was lost or never made is searched all the same, and gets one', async ({ start }) => {
  const running = await start();
  const talk = new TalkPage(running.page);
  await talk.ask('say A singular pangolin.');
  await expect.poll(() => readDb(running.folders, 'SELECT high - low + 1 AS n FROM search_state'), { timeout: 20_000 }).toEqual([{ n: 2 }]);
  await running.close();
  changeDb(running.folders, 'DROP TABLE search_index');
  const { page, folders } = await running.restart();
  await page.keyboard.press('Control+Shift+F');
  await page.getByRole('searchbox', { name: 'Search' }).fill('pangol');
  await expect(found(page).locator('[data-hit]')).toHaveCount(2);
  await expect
    .poll(() => readDb(folders, "SELECT count(*) AS n FROM sqlite_schema WHERE name = 'search_index'"), { timeout: 20_000 })
    .toEqual([{ n: 1 }]);
  await expect(found(page).locator('[data-hit]')).toHaveCount(2);
});

test('Q1, U6: Mod+F finds on the whole path, marks, steps and gives the focus back', async ({ start }) => {
  const running = await start();
  const { page } = running;
  const talk = new TalkPage(page);
  for (const text of ['first quail', 'nothing here', 'second quail and quail']) await talk.ask(`say ${text}`);
  await talk.box.focus();
  await page.keyboard.press('Control+f');
  await expect(bar(page).getByRole('textbox').or(bar(page).getByRole('searchbox'))).toBeFocused();
  await page.keyboard.type('quail');
  await expect(bar(page)).toContainText(/of 6/);
  const marks = () =>
    page.evaluate(() => [...(CSS.highlights.get('bough-find') ?? [])].map((range) => (range instanceof Range ? range.toString() : '')));
  await expect.poll(marks).toEqual(Array(6).fill('quail'));
  await expectAccessible(page, 'find in conversation');
  const place = () => bar(page).getByRole('status').textContent();
  const first = await place();
  await page.keyboard.press('Enter');
  expect(await place()).not.toBe(first);
  await page.keyboard.press('Shift+Enter');
  expect(await place()).toBe(first);
  await page.keyboard.press('Escape');
  await expect(bar(page)).toBeHidden();
  await expect(talk.box).toBeFocused();
  await expect.poll(marks).toEqual([]);
});
