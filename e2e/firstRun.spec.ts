// The first start on a machine: pick a way to a model, see what is wrong with it, and chat.
import { expect } from '@playwright/test';
import { test } from './fixtures/app';
import { expectAccessible } from './fixtures/axe';
import { readDb, readSettings } from './fixtures/folders';
import { chatError, chatPath, chatStream, modelList } from './fixtures/scripts/chat';
import { TalkPage } from './pages/talk';

const welcome = { name: 'Welcome to Bough' };

test('U8, P1, U7: without settings the first run offers the demo, and a starter is answered by it', async ({ start }) => {
  const running = await start({ settings: null });
  const { page, folders } = running;
  await expect(page.getByRole('heading', welcome)).toBeVisible();
  await expectAccessible(page, 'first run');
  const resize = (width: number, height: number) =>
    running.app.evaluate(({ BrowserWindow }, size) => BrowserWindow.getAllWindows()[0]?.setContentSize(size.width, size.height), {
      width,
      height,
    });
  await resize(900, 600);
  await expect.poll(() => page.evaluate(() => window.innerHeight)).toBe(600);
  await expect(page.getByRole('region', { name: 'The demo, without a key' })).toBeInViewport({ ratio: 1 });
  await resize(1280, 800);
  await page.getByRole('button', { name: 'Try the demo' }).click();
  const talk = new TalkPage(page);
  await expect(page.getByRole('heading', { name: 'A new conversation' })).toBeVisible();
  await expect(talk.box).toBeFocused();
  await expect(page.getByRole('region', { name: 'Starters' }).getByRole('button')).toHaveCount(4);
  await expectAccessible(page, 'empty conversation');

  await page.getByRole('button', { name: /Read along as it thinks/ }).click();
  await expect(talk.message(0)).toContainText('Think first, then show code');
  await expect(talk.stop).toBeVisible();
  await talk.settled();
  await expect(talk.message(1)).toContainText('Demo');
  await expect(page.getByText('Demo only')).toBeVisible();
  await expectAccessible(page, 'demo answer');
  expect(readDb(folders, 'SELECT role, status FROM messages ORDER BY seq')).toEqual([
    { role: 'user', status: 'complete' },
    { role: 'assistant', status: 'complete' },
  ]);
  expect(readSettings(folders)).toMatchObject({ onboarded: true, providers: [{ kind: 'demo' }] });

  const again = await running.restart();
  await expect(new TalkPage(again.page).message(1)).toBeVisible();
  await expect(again.page.getByRole('heading', welcome)).toHaveCount(0);
});

test('U8, W3: a provider with a wrong key shows its real error, then the right key leads to a chat', async ({ start, server }) => {
  const allowed = 'sk-right-4711';
  const accepts = (request: { headers: Record<string, unknown> }) => request.headers['authorization'] === `Bearer ${allowed}`;
  server.script('GET /v1/models', (request) =>
    accepts(request) ? modelList('m1', 'm2') : chatError(401, 'Incorrect API key provided: sk-wro…', { code: 'invalid_api_key' }),
  );
  server.script(`POST ${chatPath}`, (request) =>
    accepts(request) ? chatStream(['Hello ', 'from the server.']) : chatError(401, 'Incorrect API key provided'),
  );
  const { page, folders } = await start({ settings: null });
  const talk = new TalkPage(page);
  await page.getByRole('radio', { name: 'Other' }).click();
  await page.getByRole('combobox', { name: 'Which one' }).click();
  await page.getByRole('option', { name: 'Any OpenAI-compatible server' }).click();
  await page.getByRole('textbox', { name: 'Base URL' }).fill(`${server.url}/v1`);
  await page.getByLabel('API key').fill('sk-wrong-0815');
  await page.getByRole('button', { name: 'Test', exact: true }).click();
  await expect(page.getByRole('alert')).toContainText('did not accept the API key');
  await expect(page.getByRole('alert')).toContainText('Incorrect API key provided');
  await expectAccessible(page, 'first run with an error');

  await page.getByLabel('API key').fill(allowed);
  await page.getByRole('button', { name: 'Test', exact: true }).click();
  await expect(page.getByText('It works: 2 models')).toBeVisible();
  await page.getByRole('button', { name: 'Start chatting' }).click();
  // No keychain here: the question is asked once, before the key is kept.
  await expect(page.getByRole('group', { name: /no keychain that works/ })).toBeVisible();
  await expectAccessible(page, 'first run with the question about the key');
  await page.getByRole('radio', { name: /For this run only/ }).check();
  await page.getByRole('button', { name: 'Start chatting' }).click();
  await talk.ask('Hello');
  await expect(talk.message(1)).toContainText('Hello from the server.');
  expect(readSettings(folders)).toMatchObject({ onboarded: true, agents: [{ model: expect.stringMatching(/\/m1$/) }] });
});

test('U8: a server found on this machine is not needed: an address without a key works as it is', async ({ start, server }) => {
  server.script('GET /v1/models', modelList('local-model'));
  server.script(`POST ${chatPath}`, chatStream(['Local ', 'words.']));
  const { page } = await start({ settings: null });
  const talk = new TalkPage(page);
  await page.getByRole('radio', { name: 'Other' }).click();
  await page.getByRole('combobox', { name: 'Which one' }).click();
  await page.getByRole('option', { name: 'Any OpenAI-compatible server' }).click();
  await page.getByRole('textbox', { name: 'Base URL' }).fill(`${server.url}/v1`);
  await page.getByRole('button', { name: 'Test', exact: true }).click();
  await expect(page.getByText('It works: 1 model')).toBeVisible();
  await page.getByRole('button', { name: 'Start chatting' }).click();
  await talk.ask('Hello');
  await expect(talk.message(1)).toContainText('Local words.');
});
