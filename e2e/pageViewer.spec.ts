// Pages as a person sees them: made by hand, in the Memory tab and at the divider, large beside their text (S, M7, L20).
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { test } from './fixtures/app';
import { expectAccessible } from './fixtures/axe';
import type { ScriptedServer } from './fixtures/scriptedServer';
import { scriptedSettings } from './fixtures/scriptedSettings';
import { chatPath, chatStream } from './fixtures/scripts/chat';
import { TalkPage } from './pages/talk';

/** A model whose pages are 768 pixels wide, and numbers that leave little verbatim. */
function seeing(server: ScriptedServer) {
  const base = scriptedSettings(server);
  const models = [{ id: 'gpt-4o', maxOutput: 500, contextWindow: 128_000, vision: true }];
  return {
    ...base,
    providers: base.providers.map((provider) => (provider.id === 'chat' ? { ...provider, models } : provider)),
    agents: base.agents.map((agent) => ({ ...agent, model: 'chat/gpt-4o' })),
    compaction: { retainedTokens: 1000, retainedEnough: 500, retainedSteps: 2 },
  };
}

const panel = (page: Page) => page.getByRole('region', { name: 'What the agent remembers' });
const thumbnails = (page: Page) => panel(page).getByRole('list', { name: 'Pages' }).getByRole('button');
const viewer = (page: Page) => page.getByRole('dialog', { name: /^Page \d+ of \d+$/ });
const picture = (page: Page) => viewer(page).getByRole('img');
const words = (page: Page) => viewer(page).getByRole('group', { name: 'Text' });
const widthOf = (page: Page) => picture(page).evaluate((image: HTMLImageElement) => image.getBoundingClientRect().width);

test('S, M7, L20: pages are looked at large beside their text, from page to page, and also at the divider', async ({ start, server }) => {
  test.setTimeout(120_000);
  let nth = 0;
  server.script(`POST ${chatPath}`, () => chatStream([`Answer ${++nth}. ${`oak${nth} stands by the mill. `.repeat(800)}`]));
  const { page, folders } = await start({ settings: seeing(server), expected: [/Failed to load resource/] });
  const talk = new TalkPage(page);
  for (const line of ['Keep the password PX-77.', 'More', 'And more', 'The last']) await talk.ask(line);
  await talk.box.fill('/compact snapshot');
  await talk.box.press('Enter');
  await expect(talk.composer.getByRole('status')).toContainText(/\d pages, [\d,]+ characters, [\d,]+ tokens instead of [\d,]+\.$/);
  await page.keyboard.press('Control+Shift+KeyB');
  await page.getByRole('tab', { name: 'Memory' }).click();
  await expect(panel(page)).toContainText('GPT-4o, GPT-4.1');
  await expectAccessible(page, 'memory of pages');

  await thumbnails(page).first().focus();
  await page.keyboard.press('Enter');
  await expect(words(page)).toContainText('stands by the mill.');
  await expect.poll(() => picture(page).evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(768);
  expect(await widthOf(page)).toBeLessThan(768);
  await expectAccessible(page, 'a page and its text');
  await page.keyboard.press('0');
  await expect.poll(() => widthOf(page)).toBe(768);
  await page.keyboard.press('+');
  await expect.poll(() => widthOf(page)).toBe(2 * 768);
  const pane = viewer(page).getByRole('group', { name: 'Picture' });
  const box = await pane.boundingBox();
  if (!box) throw new Error('no pane');
  const scrolled = () => pane.evaluate(({ scrollLeft, scrollTop }) => ({ scrollLeft, scrollTop }));
  const before = await scrolled();
  await page.mouse.move(box.x + 300, box.y + 300);
  await page.mouse.down();
  await page.mouse.move(box.x + 260, box.y + 220, { steps: 4 });
  await page.mouse.up();
  expect(await scrolled()).toEqual({ scrollLeft: before.scrollLeft + 40, scrollTop: before.scrollTop + 80 });
  await page.keyboard.press('PageDown');
  await expect(page.getByRole('dialog', { name: /^Page 2 of/ })).toBeVisible();
  expect(await scrolled()).toEqual({ scrollLeft: 0, scrollTop: 0 });
  await page.keyboard.press('f');
  await expect.poll(() => widthOf(page)).toBeLessThan(768);
  await page.keyboard.press('Escape');
  await expect(viewer(page)).toHaveCount(0);
  await expect(thumbnails(page).first()).toBeFocused();

  // A text that is gone says so; nothing of a blob is ever served as a page.
  const source = (await thumbnails(page).first().locator('img').getAttribute('src')) ?? '';
  expect(await page.evaluate((url) => fetch(url.replace('image%2Fpng', 'text%2Fhtml')).then(({ status }) => status), source)).toBe(404);
  const blobs = join(folders.workspace, '.bough', 'blobs');
  const kept = await thumbnails(page)
    .locator('img')
    .evaluateAll((all) => all.map((one) => /[0-9a-f]{64}/.exec((one as HTMLImageElement).src)?.[0]));
  for (const name of readdirSync(blobs, { recursive: true, encoding: 'utf8' }))
    if (/[0-9a-f]{64}$/.test(name) && !kept.includes(name.slice(-64))) rmSync(join(blobs, name));
  await thumbnails(page).last().click();
  await expect(words(page)).toContainText('The text of this page is no longer in the workspace.');
  await expect(picture(page)).toBeVisible();
  await page.keyboard.press('Escape');

  const divider = page.getByRole('group', { name: /^Chat remembers this as \d+ pages$/ });
  await talk.feed.press('End');
  await expect
    .poll(async () => {
      if ((await divider.count()) > 0) return true;
      await talk.feed.press('PageUp');
      return false;
    })
    .toBe(true);
  await divider.getByRole('button').first().click();
  await divider.getByRole('button', { name: /^Page 1 of/ }).click();
  await expect(picture(page)).toBeVisible();
});
