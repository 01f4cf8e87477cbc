// The navigator as a person uses it: the tree beside the talk, by pointer, by keyboard and by command; small and very large.
import { expect, type Page } from '@playwright/test';
import { test } from './fixtures/app';
import { expectAccessible } from './fixtures/axe';
import { makeFolders, readDb, writeSettings } from './fixtures/folders';
import { plantTree } from './fixtures/plantedTree';
import type { RunningApp } from './fixtures/runningApp';
import { TalkPage } from './pages/talk';

const treeOf = (page: Page) => page.getByRole('tree', { name: 'Branches' });
const rows = (page: Page) => treeOf(page).getByRole('treeitem');
const row = (page: Page, name: string | RegExp) => treeOf(page).getByRole('treeitem', { name });
const names = (page: Page) => rows(page).evaluateAll((all) => all.map((each) => each.getAttribute('aria-label')));
const tipOf = ({ folders }: RunningApp) => readDb(folders, 'SELECT tip_id FROM conversations')[0]?.['tip_id'];

/** Opens the tree by its command, with focus on the tip. */
async function openTree(talk: TalkPage): Promise<void> {
  await talk.write('/tree');
  await talk.box.press('Escape');
  await talk.box.press('Enter');
  await expect(treeOf(talk.page)).toBeVisible();
}

test('U5, U6, T6: the tree grows with the talk; arrows and Enter go to a branch and back', async ({ start }) => {
  const running = await start();
  const { page } = running;
  const talk = new TalkPage(page);
  await talk.ask('say The sea is blue.');
  await talk.ask('say The sun is warm.');
  await openTree(talk);
  await expect(page.getByRole('tablist', { name: 'Side panel' }).getByRole('tab', { name: 'Branches' })).toHaveAttribute(
    'aria-selected',
    'true',
  );
  await expect(row(page, 'say The sun is warm., tip')).toBeFocused();
  await talk.edit(2, 'say The moon is cold.');
  await talk.settled();
  await expect.poll(() => names(page)).toEqual(['say The sea is blue.', 'say The sun is warm.', 'say The moon is cold., tip']);
  await expect(row(page, 'say The sun is warm.')).toHaveAttribute('aria-level', '2');
  await expect(row(page, 'say The sun is warm.')).toHaveAttribute('aria-selected', 'false');
  await expect(row(page, /moon/)).toHaveAttribute('aria-selected', 'true');
  await expectAccessible(page, 'navigator');

  const moon = tipOf(running);
  await row(page, /moon/).focus();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await expect(talk.message(2)).toContainText('The sun is warm.');
  await expect.poll(() => names(page)).toEqual(['say The sea is blue.', 'say The moon is cold.', 'say The sun is warm., tip']);
  await expect(row(page, 'say The sun is warm., tip')).toBeFocused();
  await row(page, /moon/).click();
  await expect(talk.message(3)).toContainText('The moon is cold.');
  expect(tipOf(running)).toBe(moon);
});

test('U5, T10, T8: a label set in the tree is seen there and filtered by; a branch is deleted from it', async ({ start }) => {
  const { page } = await start();
  const talk = new TalkPage(page);
  await talk.ask('say One.');
  await talk.edit(0, 'say Two.');
  await talk.settled();
  await openTree(talk);
  await row(page, 'say One.').focus();
  await page.keyboard.press('l');
  await page.getByRole('textbox', { name: 'Label', exact: true }).fill('plan B');
  await page.keyboard.press('Enter');
  await expect(row(page, 'say One., label plan B')).toBeFocused();
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Labels and checkpoints' }).click();
  await expect.poll(() => names(page)).toEqual(['say One., label plan B']);
  await row(page, /One/).click({ button: 'right' });
  await expectAccessible(page, 'navigator menu');
  await page.getByRole('menuitem', { name: 'Delete…' }).click();
  await page.getByRole('dialog', { name: 'Delete messages' }).getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(page.getByText('Nothing is labelled')).toBeVisible();
  await page.getByRole('button', { name: 'Show everything' }).click();
  await expect.poll(() => names(page)).toEqual(['say Two., tip']);
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Deleted branches' }).click();
  await expect(page.getByRole('list', { name: 'Deleted branches' }).getByRole('listitem')).toHaveText(/say One\..*2 messages/);
  await expectAccessible(page, 'deleted branches');
  await page.getByRole('button', { name: 'Restore say One.' }).click();
  await expect(page.getByText('Nothing was deleted here')).toBeVisible();
  await page.getByRole('button', { name: 'Show everything' }).click();
  await expect(row(page, 'say One., label plan B')).toBeVisible();
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await page.getByRole('menuitemcheckbox', { name: 'With memory' }).click();
  await expect(page.getByText('No memory yet')).toBeVisible();
  await page.getByRole('button', { name: 'Show everything' }).click();
  await row(page, /One/).focus();
  await page.keyboard.press('e');
  await expect(page.getByRole('dialog', { name: 'Export' }).getByRole('radio', { name: /From here down/ })).toBeChecked();
  await page.keyboard.press('Escape');
  await expect(row(page, /One/)).toBeFocused();
});

const mapOf = (page: Page) => page.getByRole('tree', { name: 'Map of branches' });
const node = (page: Page, name: string | RegExp) => mapOf(page).getByRole('treeitem', { name });
/** Whether the middle of a node is in the part of the map that is seen. */
const seen = (page: Page) =>
  page.evaluate(() => {
    const box = document.activeElement?.getBoundingClientRect();
    const around = document.querySelector('canvas')?.getBoundingClientRect();
    if (!box || !around) return false;
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    return x > around.left && x < around.right && y > around.top && y < around.bottom;
  });

test('U5, U6, T6: the map shows the same tree; arrows, Enter and a click go there; it is kept over a restart', async ({ start }) => {
  const running = await start();
  const { page } = running;
  const talk = new TalkPage(page);
  await talk.ask('say The sea is blue.');
  await talk.ask('say The sun is warm.');
  await talk.edit(2, 'say The moon is cold.');
  await talk.settled();
  await openTree(talk);
  await page.getByRole('radio', { name: 'Map' }).click();
  await expect(node(page, 'say The moon is cold., tip')).toHaveAttribute('aria-selected', 'true');
  await expectAccessible(page, 'map');
  const moon = tipOf(running);

  await node(page, /moon/).focus();
  await page.keyboard.press('ArrowLeft');
  await expect(node(page, 'say The sun is warm.')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(talk.message(2)).toContainText('The sun is warm.');
  await expect(node(page, 'say The sun is warm., tip')).toBeFocused();
  await node(page, /moon/).click();
  await expect(talk.message(3)).toContainText('The moon is cold.');
  expect(tipOf(running)).toBe(moon);
  await expect(node(page, /moon/)).toBeFocused();

  await node(page, /sun/).hover();
  await expect(page.getByRole('tooltip').filter({ hasText: 'The sun is warm.' })).toBeVisible();
  await node(page, /sun/).click({ button: 'right' });
  await expectAccessible(page, 'map menu');
  await page.getByRole('menuitem', { name: /^Label/ }).click();
  await page.getByRole('textbox', { name: 'Label', exact: true }).fill('plan B');
  await page.keyboard.press('Enter');
  await expect(node(page, 'say The sun is warm., label plan B')).toBeFocused();
  await running.close();

  const again = await start({ folders: running.folders });
  await expect(node(again.page, 'say The moon is cold., tip')).toBeVisible();
  await expect(again.page.getByRole('radio', { name: 'Map' })).toBeChecked();
});

test('N6, U5: 10,000 messages on 500 branches: few rows drawn, the tip in sight, a search in all of it', async ({ start }) => {
  const folders = makeFolders();
  writeSettings(folders, {
    version: 1,
    providers: [{ id: 'demo', name: 'Demo', kind: 'demo' }],
    agents: [{ id: 'assistant', name: 'Assistant', model: 'demo/demo-large' }],
    preferences: { autoTitle: false },
  });
  plantTree(folders, { messages: 10_000, branches: 500 });
  const running = await start({ folders });
  const { page } = running;
  await expect(row(page, /, tip$/)).toBeInViewport();
  expect(await rows(page).count()).toBeLessThan(100);
  await page.getByText('501 branches').waitFor();
  await page.keyboard.press('Tab');
  await row(page, /, tip$/).focus();
  await page.keyboard.press('Home');
  await expect(rows(page).first()).toBeFocused();
  await expect(rows(page).first()).toBeInViewport();
  await page.keyboard.press('End');
  await expect(rows(page).last()).toBeFocused();
  await page.getByRole('searchbox', { name: 'Search this conversation' }).fill('tabs open');
  await expect(row(page, /What if tabs open a block/).first()).toBeVisible();
  await page.getByRole('searchbox', { name: 'Search this conversation' }).fill('no such words');
  await expect(page.getByText('Nothing found')).toBeVisible();
  await page.getByRole('button', { name: 'Clear search' }).first().click();

  await page.getByRole('radio', { name: 'Map' }).click();
  await node(page, /, tip/).focus();
  expect(await seen(page)).toBe(true);
  expect(await mapOf(page).getByRole('treeitem').count()).toBeLessThan(50);
  await page.keyboard.press('Home');
  await expect(mapOf(page).getByRole('treeitem').first()).toBeFocused();
  expect(await seen(page)).toBe(true);
  const tip = tipOf(running);
  const scroller = page.locator('div:has(> div > canvas)');
  const top = () => scroller.evaluate((each) => each.scrollTop);
  const middle = await scroller.evaluate((each) => {
    const { left, top, width, height } = each.getBoundingClientRect();
    return { x: left + width / 2, y: top + height / 2 };
  });
  const before = await top();
  await page.mouse.move(middle.x, middle.y);
  await page.mouse.down();
  await page.mouse.move(middle.x, middle.y - 50);
  await page.mouse.move(middle.x, middle.y - 150);
  await page.mouse.up();
  expect(await top()).toBe(before + 150);
  expect(tipOf(running)).toBe(tip);
  await page.mouse.wheel(0, 300);
  await expect.poll(top).toBeGreaterThan(before + 150);
  await page.keyboard.down('Control');
  await page.mouse.wheel(0, 100);
  await page.keyboard.up('Control');
  await expect(page.getByRole('button', { name: /back to the usual size/ })).toHaveText('76%');
  await page.getByRole('button', { name: /back to the usual size/ }).click();
  await page.getByRole('button', { name: 'All of it' }).click();
  await expect
    .poll(() =>
      mapOf(page).evaluate((map) => map.parentElement?.parentElement?.scrollHeight === map.parentElement?.parentElement?.clientHeight),
    )
    .toBe(true);
  await node(page, /^Make the parser/)
    .first()
    .focus();
  await page.keyboard.press('End');
  await expect(node(page, /, tip/)).toBeFocused();
  expect(await seen(page)).toBe(true);
});
