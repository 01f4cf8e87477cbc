// U6: the command palette finds and does everything, its keys can be changed, and the change survives a restart and is in the native menu.
import { expect, type Page } from '@playwright/test';
import { test } from './fixtures/app';
import { expectAccessible } from './fixtures/axe';
import type { RunningApp } from './fixtures/runningApp';
import { TalkPage } from './pages/talk';

const palette = (page: Page) => page.getByRole('dialog', { name: 'Commands' });
const line = (page: Page) => palette(page).getByRole('combobox');
const options = (page: Page) => palette(page).getByRole('option');

async function open(page: Page, keys = 'Control+k'): Promise<void> {
  await page.keyboard.press(keys);
  await expect(line(page)).toBeFocused();
}
/** Types, waits for the first that fits, and runs it. */
async function run(page: Page, typed: string, first: string): Promise<void> {
  await open(page);
  await page.keyboard.type(typed);
  await expect(options(page).first()).toContainText(first);
  await page.keyboard.press('Enter');
}
/** What the native menu shows beside an item. */
const acceleratorOf = ({ app }: RunningApp, label: string) =>
  app.evaluate(({ Menu }, wanted) => {
    const items = Menu.getApplicationMenu()?.items.flatMap((item) => item.submenu?.items ?? []) ?? [];
    return items.find((item) => item.label === wanted)?.accelerator ?? null;
  }, label);

test('U6, U7: opened by keys, narrowed by letters, run by Enter; focus comes back', async ({ start }) => {
  test.slow();
  const { page } = await start();
  const talk = new TalkPage(page);
  await talk.ask('say The heron stands in the reeds.');
  await talk.newConversation();
  await talk.ask('say Winter moss grows.');
  await talk.settled();
  await talk.box.focus();

  await open(page);
  await expectAccessible(page, 'the palette, empty');
  await page.keyboard.type('conv');
  await expect(options(page).first()).toContainText('New conversation');
  await expectAccessible(page, 'the palette, filtered');
  await line(page).fill('zzqx');
  await expect(palette(page)).toContainText('Nothing fits “zzqx”');
  await expectAccessible(page, 'the palette without a match');
  await page.keyboard.press('Escape');
  await expect(palette(page)).toBeHidden();
  await expect(talk.box).toBeFocused();

  await run(page, 'side panel', 'Show or hide the side panel');
  await expect(page.getByRole('tablist', { name: 'Side panel' })).toBeVisible();
  await run(page, 'heron', 'Go to “say The heron');
  await expect(talk.message(0)).toContainText('The heron stands in the reeds.');
  await run(page, 'label last', 'Label the last message');
  await expect(line(page)).toHaveAttribute('aria-label', 'Label');
  await page.keyboard.type('a bird');
  await expectAccessible(page, 'the palette, asking');
  await page.keyboard.press('Enter');
  await expect(palette(page)).toBeHidden();
  await expect(talk.message(1)).toContainText('a bird');
  await run(page, 'dark', 'Theme: dark');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');

  await open(page);
  await expect(palette(page).getByRole('group').first()).toContainText('Used last');
  await expect(options(page).first()).toContainText('Label the last message');
  await page.keyboard.type('retry');
  await expect(options(page).first()).toContainText('The last turn has not failed');
  await page.keyboard.press('Escape');

  await talk.box.fill('/search moss');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('searchbox', { name: 'Search', exact: true })).toBeFocused();
  await expect(page.getByRole('region', { name: 'Found in messages' }).locator('[data-hit]')).toHaveCount(2);
  await expect(talk.box).toHaveValue('');
});

test('U6: keys are changed, taken from another command, shown in the menu, kept over a restart, and reset', async ({ start }) => {
  test.slow();
  const running = await start();
  const { page } = running;
  await expect(new TalkPage(page).box).toBeVisible();
  await page.keyboard.press('Control+/');
  const settings = page.getByRole('dialog', { name: 'Settings' });
  const row = (what: string) => settings.getByRole('listitem').filter({ has: page.getByText(what, { exact: true }) });
  await row('New conversation')
    .getByRole('button', { name: /Change$/ })
    .click();
  await expect(row('New conversation').getByRole('status')).toContainText('Press the keys together');
  await page.keyboard.press('k');
  await expect(row('New conversation').getByRole('alert')).toContainText('needed for writing');
  await page.keyboard.press('Control+k');
  await expect(row('New conversation').getByRole('alert')).toContainText('Ctrl+K belongs to “Commands”');
  await expectAccessible(page, 'a conflict of keys');
  await row('New conversation').getByRole('button', { name: 'Replace' }).click();
  await expect(row('New conversation')).toContainText('Ctrl+K');
  await expect(row('Commands')).toContainText('None');
  await row('Commands')
    .getByRole('button', { name: /no keys. Choose$/ })
    .click();
  await page.keyboard.press('F6');
  await expect(row('Commands').getByRole('button', { name: 'Commands: F6. Change' })).toBeVisible();
  expect(await acceleratorOf(running, 'New conversation')).toBe('CmdOrCtrl+K');
  await page.keyboard.press('Escape');
  await expect(settings).toBeHidden();

  const again = await running.restart();
  await expect(new TalkPage(again.page).box).toBeVisible();
  await expect(again.page.getByRole('button', { name: 'New conversation' }).first()).toContainText('Ctrl+K');
  expect(await acceleratorOf(again, 'New conversation')).toBe('CmdOrCtrl+K');
  await open(again.page, 'F6');
  await again.page.keyboard.type('keyboard');
  await expect(options(again.page).first()).toContainText('Keyboard shortcuts');
  await again.page.keyboard.press('Enter');
  await again.page.getByRole('button', { name: 'Reset all' }).click();
  await expect(again.page.getByRole('button', { name: 'Reset all' })).toBeDisabled();
  await again.page.keyboard.press('Escape');
  await open(again.page);
});
