// The settings: providers and keys (W3), agents, roles, and how the window looks (U1).
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { test } from './fixtures/app';
import { expectAccessible } from './fixtures/axe';
import { filesWith, readSettings } from './fixtures/folders';
import type { ScriptedServer } from './fixtures/scriptedServer';
import { scriptedSettings } from './fixtures/scriptedSettings';
import { chatError, chatPath, chatStream, modelList } from './fixtures/scripts/chat';
import { SettingsPage } from './pages/settings';
import { TalkPage } from './pages/talk';

const secret = 'sk-settings-90210-Zq';

function wants(server: ScriptedServer, key: string): void {
  const good = (request: { headers: Record<string, unknown> }) => request.headers['authorization'] === `Bearer ${key}`;
  server.script('GET /v1/models', (request) => (good(request) ? modelList('m1') : chatError(401, 'Wrong key')));
  server.script(`POST ${chatPath}`, (request) => (good(request) ? chatStream(['The key works.']) : chatError(401, 'Wrong key')));
}

async function addServer(settings: SettingsPage, server: ScriptedServer): Promise<void> {
  await settings.open('Providers');
  await settings.dialog.getByRole('button', { name: 'Add provider' }).click();
  await settings.page.getByRole('menuitem', { name: /Other OpenAI-compatible server/ }).click();
  await settings.dialog.getByRole('textbox', { name: 'Name' }).fill('My server');
  await settings.dialog.getByRole('textbox', { name: 'Base URL' }).fill(`${server.url}/v1`);
  await settings.dialog.getByLabel('API key').fill(secret);
}

/** The one agent there is, with this model from now on. */
async function useModel(settings: SettingsPage, model: string): Promise<void> {
  await settings.open('Agents');
  await settings.dialog.getByRole('button', { name: 'Edit Assistant' }).click();
  await settings.dialog.getByRole('button', { name: /^Model/ }).click();
  await settings.page.getByRole('combobox', { name: 'Search models' }).fill(model);
  await settings.page.getByRole('option', { name: model }).first().click();
  await settings.dialog.getByRole('button', { name: 'Save' }).click();
  await expect(settings.dialog.getByRole('button', { name: 'Edit Assistant' })).toBeVisible();
}

test('W3, P1, Z3: without a keychain the key is asked about once; stored unencrypted it is in one file of this user and works after a restart', async ({
  start,
  server,
}) => {
  wants(server, secret);
  const running = await start();
  const settings = new SettingsPage(running.page);
  await addServer(settings, server);
  await expectAccessible(running.page, 'adding a provider');
  await settings.dialog.getByRole('button', { name: 'Test', exact: true }).click();
  await expect(settings.dialog.getByText('It works: 1 model')).toBeVisible();
  await settings.dialog.getByRole('button', { name: 'Save' }).click();
  await expect(settings.dialog.getByText('Choose how the key is kept.')).toBeVisible();
  await expectAccessible(running.page, 'the question about the key');
  await settings.dialog.getByRole('radio', { name: /Store it unencrypted/ }).check();
  await settings.dialog.getByRole('button', { name: 'Save' }).click();
  await expect(settings.dialog.getByText('A key is stored on this computer, unencrypted.')).toBeVisible();
  await expect(settings.dialog.getByRole('heading', { name: 'My server' })).toBeVisible();
  await settings.dialog.getByRole('button', { name: 'Back' }).click();
  await expect(settings.dialog.getByText('Key unencrypted')).toBeVisible();
  await expectAccessible(running.page, 'providers');

  const file = join(running.folders.userData, 'secrets.json');
  expect(JSON.parse(readFileSync(file, 'utf8')).keys).toEqual({ 'my-server': { storage: 'plain', value: secret } });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  await useModel(settings, 'm1');
  await settings.close();
  await new TalkPage(running.page).ask('Hello');
  await expect(new TalkPage(running.page).message(1)).toContainText('The key works.');

  const again = await running.restart();
  await new TalkPage(again.page).ask('Hello again');
  await expect(new TalkPage(again.page).message(3)).toContainText('The key works.');
  expect(await again.page.content()).not.toContain(secret);
  await again.close();
  expect(filesWith(secret, running.folders.userData, running.folders.workspace)).toEqual([file]);
});

test('W3, Z3: a key kept for this run only is in no file and is gone after a restart, which is said', async ({ start, server }) => {
  wants(server, secret);
  const running = await start();
  const settings = new SettingsPage(running.page);
  await addServer(settings, server);
  await settings.dialog.getByRole('button', { name: 'Save' }).click();
  await settings.dialog.getByRole('radio', { name: /For this run only/ }).check();
  await settings.dialog.getByRole('button', { name: 'Save' }).click();
  await expect(settings.dialog.getByText('A key is kept until Bough closes.')).toBeVisible();
  await useModel(settings, 'm1');
  await settings.close();
  await new TalkPage(running.page).ask('Hello');
  await expect(new TalkPage(running.page).message(1)).toContainText('The key works.');
  const again = await running.restart();
  const talk = new TalkPage(again.page);
  await talk.say('Hello again');
  await expect(talk.failed).toContainText('My server needs an API key');
  await again.close();
  expect(filesWith(secret, running.folders.userData, running.folders.workspace)).toEqual([]);
});

test('U1, U7: theme, text size and language hold at once and over a restart', async ({ start }) => {
  const running = await start();
  const settings = new SettingsPage(running.page);
  const root = running.page.locator('html');
  await settings.open('General');
  await settings.dialog.getByRole('radio', { name: 'Dark' }).click();
  await expect(root).toHaveAttribute('data-theme', 'dark');
  await settings.dialog.getByRole('radio', { name: 'Light' }).click();
  await expect(root).toHaveAttribute('data-theme', 'light');
  await settings.dialog.getByRole('radio', { name: 'Dark' }).click();
  await settings.choose('Text size', '200 %');
  await expect(root).toHaveCSS('--text-scale', '2');
  await settings.choose('Language', 'English');
  await expectAccessible(running.page, 'general settings at 200 %');
  await settings.dialog.getByRole('switch', { name: 'Reduce motion' }).click();
  await expect(root).toHaveAttribute('data-motion', 'reduce');
  expect(readSettings(running.folders)).toMatchObject({
    preferences: { theme: 'dark', textSize: 200, language: 'en', reducedMotion: 'on' },
  });
  const again = await running.restart();
  await expect(again.page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await expect(again.page.locator('html')).toHaveCSS('--text-scale', '2');
  await expect(again.page.getByRole('textbox', { name: 'Message' })).toBeInViewport();
  expect(await again.page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
});

test('U1: the native menu speaks the language of the window as soon as it is chosen, and over a restart', async ({ start }) => {
  const running = await start();
  const menus = ({ app }: typeof running) =>
    app.evaluate(({ Menu }) => {
      const top = Menu.getApplicationMenu()?.items ?? [];
      return [...top, ...top.flatMap(({ submenu }) => submenu?.items ?? [])].map(({ label }) => label);
    });
  await expect.poll(() => menus(running)).toEqual(expect.arrayContaining(['Edit', 'New conversation', 'Cut']));
  const settings = new SettingsPage(running.page);
  await settings.open('General');
  await settings.choose('Language', 'Русский');
  await expect(running.page.locator('html')).toHaveAttribute('lang', 'ru');
  const russian = expect.arrayContaining(['Правка', 'Новый разговор', 'Вырезать']);
  await expect.poll(() => menus(running)).toEqual(russian);
  expect(await menus(await running.restart())).toEqual(russian);
});

test('U7, U6: every section opens, and unsaved changes are asked about', async ({ start }) => {
  const { page } = await start();
  const settings = new SettingsPage(page);
  for (const section of ['General', 'Providers', 'Agents', 'Roles', 'Workspace', 'Shortcuts']) {
    await settings.open(section);
    await expectAccessible(page, `settings, ${section}`);
  }
  await settings.open('Agents');
  await settings.dialog.getByRole('button', { name: 'New agent' }).click();
  await settings.dialog.getByRole('textbox', { name: 'Name' }).fill('Botanist');
  await settings.dialog.getByRole('textbox', { name: 'System prompt' }).fill('You know mosses.');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('alertdialog', { name: 'Discard unsaved changes?' })).toBeVisible();
  await expectAccessible(page, 'unsaved changes');
  await page.getByRole('button', { name: 'Keep editing' }).click();
  await expect(settings.dialog.getByRole('textbox', { name: 'Name' })).toHaveValue('Botanist');
  await settings.dialog.getByRole('button', { name: 'Save' }).click();
  await expect(settings.dialog.getByRole('button', { name: 'Edit Botanist' })).toBeVisible();
});

test('A1, U1: agents are made and answer with their own prompt; a role names the conversation', async ({ start, server }) => {
  server.script(`POST ${chatPath}`, (request) =>
    request.body.includes('You know mosses.') ? chatStream(['Bryophytes.']) : chatStream(['Mosses of the north']),
  );
  const running = await start({
    settings: {
      version: 1,
      providers: [
        { id: 'local', name: 'Local', kind: 'openai-chat', baseUrl: `${server.url}/v1`, models: [{ id: 'm1', contextWindow: 32_000 }] },
        { id: 'demo', name: 'Demo', kind: 'demo' },
      ],
      agents: [{ id: 'assistant', name: 'Assistant', model: 'local/m1' }],
      preferences: { autoTitle: true },
    },
  });
  const { page, folders } = running;
  const settings = new SettingsPage(page);
  await settings.open('Agents');
  await settings.dialog.getByRole('button', { name: 'New agent' }).click();
  await settings.dialog.getByRole('textbox', { name: 'Name' }).fill('Botanist');
  await settings.dialog.getByRole('textbox', { name: 'System prompt' }).fill('You know mosses.');
  await settings.dialog.getByRole('button', { name: 'Save' }).click();
  await settings.open('Roles');
  await settings.dialog.getByRole('button', { name: /^Titles/ }).click();
  await page.getByRole('option', { name: 'm1' }).click();
  await expect(settings.dialog.getByRole('button', { name: 'Titles: m1' })).toBeVisible();
  await settings.close();
  expect(readSettings(folders)).toMatchObject({
    roles: { title: 'local/m1' },
    agents: [{ id: 'assistant' }, { name: 'Botanist', model: 'local/m1' }],
  });

  const talk = new TalkPage(page);
  await talk.composer.getByRole('button', { name: 'Assistant answers next' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Botanist' }).click();
  await talk.ask('What grows there');
  await expect(talk.feed.getByRole('article', { name: 'Botanist' })).toContainText('Bryophytes.');
  await expect(page.getByRole('heading', { name: 'Mosses of the north', level: 1 })).toBeVisible();
  const again = await running.restart();
  await expect(new TalkPage(again.page).composer.getByRole('button', { name: 'Botanist answers next' })).toBeVisible();
});

test('U7: in a low window what has the focus is above the buttons that save; with large text they are below all of it', async ({
  start,
  server,
}) => {
  const { page } = await start({ settings: scriptedSettings(server) });
  const settings = new SettingsPage(page);
  await settings.open('Providers');
  await page.setViewportSize({ width: 900, height: 600 });
  await settings.dialog.getByRole('button', { name: 'Edit Local chat' }).click();
  const save = settings.dialog.getByRole('button', { name: 'Save', exact: true });
  const change = settings.dialog.getByRole('button', { name: 'Change m1' });
  const focused = async (place: typeof change) => {
    await place.focus();
    const [box, below] = [await place.boundingBox(), await save.boundingBox()];
    return { end: (box?.y ?? Number.NaN) + (box?.height ?? 0), saveAt: below?.y ?? Number.NaN };
  };
  const base = settings.dialog.getByRole('textbox', { name: 'Name' });
  await base.focus();
  await expect(save).toBeInViewport({ ratio: 1 });
  const at = await focused(change);
  expect(at.end).toBeLessThanOrEqual(at.saveAt);

  await page.evaluate(() => document.documentElement.style.setProperty('--text-scale', '2'));
  await base.focus();
  await expect(save).not.toBeInViewport();
  await save.scrollIntoViewIfNeeded();
  const large = await focused(change);
  expect(large.end).toBeLessThanOrEqual(large.saveAt);
  await expect(change).toBeInViewport({ ratio: 1 });
});
