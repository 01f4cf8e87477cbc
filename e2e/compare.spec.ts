// Two branches side by side as a person compares them: the ways in, the marks, from difference to difference, and on from the other side (T13).
import { expect, type Page } from '@playwright/test';
import { test } from './fixtures/app';
import { expectAccessible } from './fixtures/axe';
import { readDb } from './fixtures/folders';
import { TalkPage } from './pages/talk';

const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Compare branches' });
const row = (page: Page, name: string | RegExp) => page.getByRole('tree', { name: 'Branches' }).getByRole('treeitem', { name });
const marks = (page: Page, of: 'deletion' | 'insertion') => dialogOf(page).getByRole('article').getByRole(of);

test('T13, U5: C in the tree compares with the current branch; differences are marked and gone through; the other side goes on', async ({
  start,
}) => {
  test.slow();
  const { page, folders } = await start();
  const talk = new TalkPage(page);
  await talk.ask('say Tell me something.');
  await talk.ask('say The sea is blue and the sun is warm.');
  await talk.edit(2, 'say The sea is green and the sun is cold.');
  await talk.settled();
  await talk.write('/tree');
  await talk.box.press('Escape');
  await talk.box.press('Enter');
  await row(page, /blue/).focus();
  await page.keyboard.press('c');

  const dialog = dialogOf(page);
  await expect(dialog.getByText('Same up to the answer of Assistant: Tell me something.')).toBeVisible();
  await expect(marks(page, 'deletion')).toHaveText(['blue', 'warm', 'blue', 'warm']);
  await expect(marks(page, 'insertion')).toHaveText(['green', 'cold', 'green', 'cold']);
  await expect(dialog.getByRole('group', { name: 'Branch B' })).toContainText('Current branch');
  await expect(dialog.getByRole('group', { name: 'Both branches, turn by turn' })).toBeFocused();
  await expectAccessible(page, 'compare');
  await page.keyboard.press('n');
  await page.keyboard.press('n');
  await page.keyboard.press('Alt+ArrowDown');
  await expect(dialog.getByRole('status')).toHaveText('Turn 1, change 1 of 2');
  await dialog.getByRole('radio', { name: 'As shown' }).click();
  await expect(marks(page, 'deletion')).toHaveCount(2);
  await expectAccessible(page, 'compare, answers as shown');
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(row(page, /blue/)).toBeFocused();

  await page.keyboard.press('c');
  await dialog.getByRole('button', { name: 'Go on from here: branch A' }).click();
  await expect(dialog).toBeHidden();
  await expect(talk.message(3)).toContainText('The sea is blue');
  await expect(talk.box).toBeFocused();
  await page.keyboard.type('say On from here.');
  await talk.send.click();
  await talk.settled();
  await expect(talk.message(5)).toContainText('On from here.');
  const parents = readDb(folders, "SELECT p.text FROM messages m JOIN messages p ON p.id = m.parent_id WHERE m.text = 'say On from here.'");
  expect(parents).toEqual([{ text: 'The sea is blue and the sun is warm.' }]);
});

test('T13: a version is compared with the one before it; long answers are marked by a thread of their own', async ({ start }) => {
  test.slow();
  const { app, page } = await start();
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.setContentSize(900, 600));
  const talk = new TalkPage(page);
  const long = (colour: string) => `say ${'The sea is wide and deep. '.repeat(25)}It is ${colour}. ${'So it goes on and on. '.repeat(25)}`;
  await talk.ask(long('blue'));
  await talk.edit(0, long('green'));
  await talk.settled();
  await talk.message(0).hover();
  await talk.act(0, 'Compare with the version before').click();
  const dialog = dialogOf(page);
  await expect(dialog.getByText('Nothing in common: both begin with a prompt of their own')).toBeVisible();
  await expect(marks(page, 'insertion')).toHaveText(['green', 'green']);
  await page.keyboard.press('p');
  await expect(dialog.getByRole('status')).toHaveText('Turn 1');
  await expect(marks(page, 'insertion').last()).toBeInViewport();
  await page.keyboard.press('p');
  await expect(marks(page, 'insertion').first()).toBeInViewport();
});
