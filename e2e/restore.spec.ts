// U6: the window comes back as it was left.
import { expect } from '@playwright/test';
import { test } from './fixtures/app';
import { SidebarPage } from './pages/sidebar';
import { TalkPage } from './pages/talk';

test('U6: size, open areas and the conversation are where they were', async ({ start }) => {
  const running = await start();
  const talk = new TalkPage(running.page);
  await talk.ask('say the older one');
  await talk.newConversation();
  await talk.ask('say the newer one');
  await new SidebarPage(running.page).open('say the older one');
  await running.page.getByRole('button', { name: 'Show side panel' }).click();
  await expect(running.page.getByRole('tab', { name: 'Files' })).toBeVisible();
  await running.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.setSize(1111, 777));
  await expect.poll(() => running.page.evaluate(() => window.outerWidth)).toBe(1111);

  const again = await running.restart();
  const after = new TalkPage(again.page);
  await expect(after.message(1)).toContainText('the older one');
  await expect(new SidebarPage(again.page).conversation('say the older one')).toHaveAttribute('aria-current', 'page');
  await expect(again.page.getByRole('tab', { name: 'Files' })).toBeVisible();
  const size = await again.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getSize());
  expect(size).toEqual([1111, 777]);
});

test('U6: nothing is seen before the first frame, and then the theme’s own background', async ({ start }) => {
  const { app, page } = await start();
  await expect(page.getByRole('textbox', { name: 'Message' })).toBeVisible();
  const window = await app.evaluate(({ BrowserWindow }) => {
    const [first] = BrowserWindow.getAllWindows();
    return { visible: first?.isVisible(), background: first?.getBackgroundColor().toLowerCase() };
  });
  expect(window.visible).toBe(true);
  const painted = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const hex = `#${(painted.match(/\d+/g) ?? [])
    .slice(0, 3)
    .map((part) => Number(part).toString(16).padStart(2, '0'))
    .join('')}`;
  expect(hex).toBe(window.background);
});

test('U4, U6: what was typed and moved in the last moment before closing is kept', async ({ start }) => {
  const running = await start();
  const talk = new TalkPage(running.page);
  await running.page.getByRole('button', { name: 'Hide sidebar' }).click();
  await talk.box.fill('the last words before closing');
  const again = await running.restart();
  await expect(new TalkPage(again.page).box).toHaveValue('the last words before closing');
  await expect(again.page.getByRole('button', { name: 'Show sidebar' })).toBeVisible();
});

test('U6, U4: a window that is loaded anew goes on where it was, without its page dying', async ({ start }) => {
  const { page, app } = await start();
  const talk = new TalkPage(page);
  await talk.ask('say Before the reload.');
  await talk.box.fill('typed just before');
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.reload());
  await expect(talk.message(1)).toContainText('Before the reload.');
  await expect(talk.box).toHaveValue('typed just before');
  await talk.box.fill('');
  await talk.ask('say After the reload.');
  await expect(talk.message(3)).toContainText('After the reload.');
});
