// U1: the list of conversations: found, named, pinned, put away, and walked by keyboard.
import { expect } from '@playwright/test';
import { sharedApp, test } from './fixtures/app';
import { expectAccessible } from './fixtures/axe';
import { changeDb, readDb } from './fixtures/folders';
import { SidebarPage } from './pages/sidebar';
import { TalkPage } from './pages/talk';

const day = 24 * 60 * 60 * 1000;

test('U1: conversations stand in groups by time, pinned ones first', async ({ start }) => {
  const running = await start();
  const talk = new TalkPage(running.page);
  await talk.ask('say hello');
  await running.close();
  const now = Date.now();
  const row = (id: string, title: string, age: number, pinned = 'NULL') =>
    `INSERT INTO conversations (id, title, created_at, updated_at, pinned_at) VALUES ('cnv_${id}', '${title}', ${now - age}, ${now - age}, ${pinned});`;
  changeDb(
    running.folders,
    [
      row('01HZZZZZZZZZZZZZZZZZZZZZZA', 'Кедровая роща', 1000, String(now)),
      row('01HZZZZZZZZZZZZZZZZZZZZZZB', '苔と羊歯', day),
      row('01HZZZZZZZZZZZZZZZZZZZZZZC', 'Last week', 4 * day),
      row('01HZZZZZZZZZZZZZZZZZZZZZZD', 'Long ago', 200 * day),
    ].join('\n'),
  );
  const again = await running.restart();
  const sidebar = new SidebarPage(again.page);
  await expect(sidebar.links).toHaveText(['Кедровая роща', 'say hello', '苔と羊歯', 'Last week', 'Long ago']);
  const groups = await sidebar.list.getByRole('heading').allTextContents();
  expect(groups.slice(0, 4)).toEqual(['Pinned', 'Today', 'Yesterday', 'Previous 7 days']);
  expect(groups).toHaveLength(5);
  await expectAccessible(again.page, 'sidebar with groups');
});

test.describe('in one window', () => {
  const running = sharedApp();
  let talk: TalkPage;
  let sidebar: SidebarPage;
  test.beforeEach(async () => {
    talk = new TalkPage(running().page);
    sidebar = new SidebarPage(running().page);
    await expect(talk.box).toBeVisible();
    if (await talk.feed.isVisible()) await talk.newConversation();
  });

  test('U1, U7: search narrows by title, ignores case and accents, and says when nothing matches', async () => {
    for (const title of ['say Élan of spring', 'say Winter moss']) {
      await talk.ask(title);
      await talk.newConversation();
    }
    await running().page.keyboard.press('Control+Shift+F');
    await expect(sidebar.search).toBeFocused();
    await sidebar.search.fill('elan');
    await expect(sidebar.links).toHaveText(['say Élan of spring']);
    await sidebar.search.fill('nothing like this');
    await expect(sidebar.list).toContainText('No title matches');
    await expectAccessible(running().page, 'search without a match');
    await sidebar.search.press('Escape');
    await expect(sidebar.search).toHaveValue('');
    await expect(sidebar.links).toHaveCount(2);
  });

  test('U1: a conversation is renamed in place, from its menu and with F2', async () => {
    await talk.ask('say rename me');
    await sidebar.act('say rename me', 'Rename');
    const field = sidebar.list.getByRole('textbox', { name: 'Conversation title' });
    await expect(field).toBeFocused();
    await field.fill('Named by hand');
    await field.press('Enter');
    await expect(sidebar.conversation('Named by hand')).toBeFocused();
    await expect(running().page.getByRole('heading', { name: 'Named by hand', level: 1 })).toBeVisible();
    await sidebar.conversation('Named by hand').press('F2');
    await field.fill('Named twice');
    await field.press('Escape');
    await expect(sidebar.conversation('Named by hand')).toBeVisible();
    expect(readDb(running().folders, "SELECT title_source FROM conversations WHERE title = 'Named by hand'")).toEqual([
      { title_source: 'user' },
    ]);
  });

  test('U1: pinned stands on top until it is unpinned', async () => {
    await talk.ask('say pin me');
    await talk.newConversation();
    await talk.ask('say newer');
    await sidebar.act('say pin me', 'Pin');
    await expect(sidebar.links.first()).toHaveText('say pin me');
    await sidebar.act('say pin me', 'Unpin');
    await expect(sidebar.links.first()).toHaveText('say newer');
  });

  test('U1: an archived conversation leaves the list, is found in the archive and comes back', async () => {
    const { page } = running();
    await talk.ask('say put me away');
    await sidebar.act('say put me away', 'Archive');
    await expect(sidebar.conversation('say put me away')).toHaveCount(0);
    await page.getByRole('button', { name: 'Archived conversations' }).click();
    await expect(sidebar.conversation('say put me away')).toBeVisible();
    await expectAccessible(page, 'archive');
    await sidebar.act('say put me away', 'Unarchive');
    await expect(sidebar.list).toContainText('Nothing is archived');
    await page.getByRole('button', { name: 'Back to all conversations' }).click();
    await expect(sidebar.conversation('say put me away')).toBeVisible();
  });

  test('U1, U7: the list is walked with arrows, opened with Enter, and its menu works by keyboard', async () => {
    const { page } = running();
    await talk.ask('say lower');
    await talk.newConversation();
    await talk.ask('say upper');
    await sidebar.conversation('say upper').focus();
    await page.keyboard.press('ArrowDown');
    await expect(sidebar.conversation('say lower')).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(sidebar.conversation('say lower')).toHaveAttribute('aria-current', 'page');
    await page.keyboard.press('Tab');
    await expect(sidebar.list.getByRole('button', { name: 'Actions for say lower' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('menuitem', { name: 'Rename' })).toBeVisible();
    await expectAccessible(page, 'menu of a conversation');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('menuitem')).toHaveCount(0);
  });

  test('U1: a conversation in which an answer runs or failed says so in the list', async () => {
    await talk.say('count to 300 slowly');
    const row = sidebar.list.getByRole('img', { name: 'An answer is being written' });
    await expect(row).toBeVisible();
    await talk.stop.click();
    await expect(row).toHaveCount(0);
  });
});
