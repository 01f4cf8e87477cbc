// Room in the context by hand: slash commands over a scripted server, what they show, and the numbers in the settings (K1 to K3, L6, L19, L21).
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { sharedApp, sharedServer, test } from './fixtures/app';
import { expectAccessible } from './fixtures/axe';
import { makeFolders, readSettings } from './fixtures/folders';
import { gate, type ScriptedServer, type Step, waitFor } from './fixtures/scriptedServer';
import { scriptedSettings } from './fixtures/scriptedSettings';
import { chatCalls, chatPath, chatStream } from './fixtures/scripts/chat';
import { SettingsPage } from './pages/settings';
import { TalkPage } from './pages/talk';

const card = '## Task\nRead the files.\n\n## User directives\n- "Keep the password PX-77."\n\n## Next step\nGo on.';
const isForCard = (body: string) => body.includes('You keep the state card');

/** A large window, so that nothing is made room for by itself, and numbers that leave something to do. */
function roomy(server: ScriptedServer) {
  const base = scriptedSettings(server);
  return {
    ...base,
    providers: base.providers.map((provider) =>
      provider.id === 'chat' ? { ...provider, models: [{ id: 'm1', maxOutput: 500, contextWindow: 128_000 }] } : provider,
    ),
    agents: base.agents.map((agent) => ({ ...agent, tools: ['read_file'] })),
    compaction: { protectTokens: 1000, retainedTokens: 1000, retainedEnough: 500, retainedSteps: 2, summaryMode: 'simple' },
  };
}

test.describe('a conversation with results and long answers', () => {
  const server = sharedServer();
  const folders = makeFolders();
  const running = sharedApp(() => ({ folders, settings: roomy(server()) }));
  let talk: TalkPage;
  let page: Page;
  let ofCard: () => Step[] = () => chatStream([card]);
  test.beforeAll(async () => {
    for (const at of [1, 2]) writeFileSync(join(folders.workspace, `f${at}.txt`), `line${at} `.repeat(700));
    let nth = 0;
    server().script(`POST ${chatPath}`, ({ body }) => {
      if (isForCard(body)) return ofCard();
      const { messages } = JSON.parse(body) as { messages: { role: string; content: unknown }[] };
      const last = messages.at(-1);
      const asked = /Read (f\d\.txt)/.exec(JSON.stringify(last?.content ?? ''));
      nth++;
      if (last?.role === 'user' && asked)
        return chatCalls([{ id: `call_${nth}`, name: 'read_file', arguments: JSON.stringify({ path: asked[1] }) }]);
      return chatStream([`Answer ${nth}. ${'oak '.repeat(900)}`]);
    });
  });
  test.beforeEach(() => {
    page = running().page;
    talk = new TalkPage(page);
    ofCard = () => chatStream([card]);
  });
  const run = async (line: string) => {
    await talk.box.fill(line);
    await expect(talk.box).toBeFocused();
    await talk.box.press('Enter');
  };
  const said = () => talk.composer.getByRole('status');
  const preview = () => page.getByRole('region', { name: 'Compact the context' });
  const asked = () => server().requests.filter(({ path, body }) => path === chatPath && !isForCard(body));

  test('K2, L17: /context shows what fills the window, and leads into the Memory tab', async () => {
    test.setTimeout(120_000);
    await expect(talk.box).toBeVisible();
    await talk.ask('Keep the password PX-77.');
    for (const line of ['Read f1.txt', 'Read f2.txt', 'Say more', 'And more', 'And then?']) await talk.ask(line);
    const before = asked().length;
    await run('/context');
    const dialog = page.getByRole('dialog', { name: 'Context' });
    await expect(dialog).toContainText(/of 128,000 tokens/);
    await expect(dialog.getByRole('row', { name: /^System prompt|^Tools/ }).first()).toBeVisible();
    await expect(dialog.getByRole('region', { name: 'When it compacts by itself' })).toContainText('89,600 tokens');
    await expectAccessible(page, 'what fills the context');
    await dialog.getByRole('button', { name: 'Show in Memory' }).click();
    await expect(page.getByRole('tab', { name: 'Memory' })).toHaveAttribute('aria-selected', 'true');
    await page.keyboard.press('Control+Shift+KeyB');
    expect(asked()).toHaveLength(before);
  });

  test('K1, K2, L19: /shake leaves old results out, and /undo-compact brings them back', async () => {
    await run('/shake');
    await expect(said()).toContainText(/Left out 2 results and 0 images \(saved [\d,]+ tokens\)\./);
    await expectAccessible(page, 'what was left out');
    await run('/undo-compact');
    await expect(said()).toContainText(/Undone: 2 results are back\. The next request has about [\d,]+ tokens\./);
    await run('/undo-compact');
    await expect(said()).toContainText('Nothing to undo');
    await run('/shake images');
    await expect(said()).toContainText('Nothing to shake');
  });

  test('K2, U4: a pass is stopped, and what was typed meanwhile is there', async () => {
    const held = gate();
    ofCard = () => [waitFor(held.opened), ...chatStream([card])];
    await run('/compact summary keep the numbers');
    await expect(page.getByRole('status').filter({ hasText: 'summarizing' })).toBeVisible();
    await talk.box.pressSequentially('a thought');
    await expectAccessible(page, 'a pass by hand that runs');
    await page.getByRole('button', { name: 'Stop making room' }).click();
    await expect(page.getByRole('status').filter({ hasText: 'summarizing' })).toHaveCount(0);
    held.open();
    await expect(talk.box).toHaveValue('a thought');
    await talk.box.fill('');
  });

  test('K2, K3, L19: /compact shows what each rung would save, runs on Enter, and is undone and done again', async () => {
    await run('/compact');
    await expect(preview().getByRole('row', { name: /^Summarize/ })).toContainText(/[\d,]+ → [\d,]+ \(saves [\d,]+\)/);
    await expect(preview().getByRole('row', { name: /^Make pages/ })).toContainText('–');
    await expectAccessible(page, 'the preview of a pass');
    // With large text in a small window it scrolls by itself, and pushes nothing out of the window.
    const resize = (width: number, height: number) =>
      running().app.evaluate(({ BrowserWindow }, size) => BrowserWindow.getAllWindows()[0]?.setContentSize(size.width, size.height), {
        width,
        height,
      });
    await resize(900, 600);
    await page.evaluate(() => document.documentElement.style.setProperty('--text-scale', '2'));
    await expect(preview().getByRole('button', { name: 'Compact', exact: true })).toBeInViewport({ ratio: 1 });
    await expect(page.getByRole('button', { name: /choose who answers next/ })).toBeInViewport({ ratio: 1 });
    await page.evaluate(() => document.documentElement.style.removeProperty('--text-scale'));
    await resize(1280, 800);
    await page.keyboard.press('Escape');
    await expect(preview()).toHaveCount(0);
    await expect(talk.box).toBeFocused();
    await run('/compact');
    await expect(preview().getByRole('button', { name: 'Compact', exact: true })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(said()).toContainText(/Compacted: [\d,]+ → [\d,]+ tokens \(saved [\d,]+\)\./);
    await expect(talk.box).toBeFocused();
    await run('/compact summary');
    await expect(said()).toContainText('Already compacted');
    await run('/undo-compact');
    await expect(said()).toContainText(/Undone: \d+ messages are sent in full again/);
    await talk.composer.getByRole('button', { name: 'Redo' }).click();
    await expect(said()).toContainText('Done again.');
    await talk.ask('What was the password?');
    await expect(said()).toHaveCount(0);
    const last = asked().at(-1)?.body ?? '';
    expect(last).toContain('[What you remember.');
    expect(asked().some(({ body }) => body.includes('line1 line1'))).toBe(true);
    expect(last).not.toContain('line1 line1');
    expect(last).not.toContain('/compact');
  });

  test('K1: a rung without an ear for words refuses them in place', async () => {
    await run('/compact snapshot the parser');
    await expect(talk.composer.getByRole('alert')).toContainText('Only a summary is guided by words');
    await expect(talk.box).toHaveValue('/compact snapshot the parser');
    await talk.box.fill('');
  });

  test('L6, L21, U7: the numbers are changed in the settings, and a bad one is refused in place', async () => {
    const settings = new SettingsPage(page);
    await settings.open('Context');
    const { dialog } = settings;
    await dialog.getByRole('textbox', { name: 'Before a turn, percent of the window' }).fill('60');
    await dialog.getByRole('radiogroup', { name: 'Between steps' }).getByRole('radio', { name: 'Off' }).click();
    await expect(dialog).toContainText('For Chat: at 76,800 tokens of 128,000.');
    await dialog.getByRole('textbox', { name: 'Newest steps' }).fill('0');
    await expect(dialog.getByRole('alert')).toBeVisible();
    await expectAccessible(page, 'the numbers of the ladder');
    await expect(dialog.getByRole('button', { name: 'Save' })).toBeDisabled();
    await dialog.getByRole('button', { name: 'Reset “Newest steps”' }).click();
    await dialog.getByRole('button', { name: 'Save' }).click();
    const expected = { threshold: 0.6, requestThreshold: null, protectTokens: 1000 };
    await expect.poll(() => readSettings(folders)['compaction']).toMatchObject(expected);
    await page.keyboard.press('Escape');
  });
});
