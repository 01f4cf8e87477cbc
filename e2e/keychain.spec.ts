// W3 with a real keychain: keys are encrypted by it and nothing is asked. On Linux a keyring is started for this test alone.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { test } from './fixtures/app';
import { filesWith, readSettings } from './fixtures/folders';
import { makeWrapper } from './fixtures/program';
import { chatError, chatPath, chatStream, modelList } from './fixtures/scripts/chat';
import { SettingsPage } from './pages/settings';
import { TalkPage } from './pages/talk';

const secret = 'sk-keychain-77-Hq2';
const keyring = `exec dbus-run-session -- bash -c '
  echo -n password | gnome-keyring-daemon --unlock --components=secrets > /dev/null
  exec "$RUNTIME" --password-store=gnome-libsecret "$@"' bash "$@"`;

test('W3, Z3: with a keychain the key is encrypted without a question, and works after a restart', async ({ start, server }) => {
  const good = (request: { headers: Record<string, unknown> }) => request.headers['authorization'] === `Bearer ${secret}`;
  server.script('GET /v1/models', (request) => (good(request) ? modelList('m1') : chatError(401, 'Wrong key')));
  server.script(`POST ${chatPath}`, (request) => (good(request) ? chatStream(['The key works.']) : chatError(401, 'Wrong key')));
  const home = mkdtempSync(join(tmpdir(), 'bough-home-'));
  const linux = process.platform === 'linux';
  const wrapper = makeWrapper(keyring);
  const running = await start({
    settings: {
      version: 1,
      providers: [
        { id: 'server', name: 'Server', kind: 'openai-chat', baseUrl: `${server.url}/v1`, models: [{ id: 'm1' }], apiKey: secret },
      ],
      agents: [{ id: 'assistant', name: 'Assistant', model: 'server/m1' }],
      preferences: { autoTitle: false },
    },
    ...(linux ? { executablePath: wrapper.path, env: { HOME: home, XDG_RUNTIME_DIR: home, XDG_DATA_HOME: join(home, 'data') } } : {}),
  });
  const settings = new SettingsPage(running.page);
  const file = join(running.folders.userData, 'secrets.json');
  const stored = () => JSON.parse(readFileSync(file, 'utf8')).keys as Record<string, { storage: string; value: string }>;

  // A key written into the file by hand moves into the keychain on demand.
  await settings.open('Providers');
  await expect(settings.dialog.getByText('1 key stands in settings.json as plain text.')).toBeVisible();
  await settings.dialog.getByRole('button', { name: 'Move keys into the keychain' }).click();
  await expect(settings.dialog.getByText('Key in keychain')).toBeVisible();
  expect(stored()['server']).toMatchObject({ storage: 'keychain' });
  expect(JSON.stringify(readSettings(running.folders))).not.toContain(secret);

  // One that is typed goes there without a question.
  await settings.dialog.getByRole('button', { name: 'Edit Server' }).click();
  await settings.dialog.getByLabel('API key').fill(secret);
  await expect(settings.dialog.getByText('It will be encrypted with the system keychain.')).toBeVisible();
  await settings.dialog.getByRole('button', { name: 'Save' }).click();
  await expect(settings.dialog.getByText('A key is stored, encrypted with the system keychain.')).toBeVisible();
  await settings.close();
  if (linux) expect(Buffer.from(stored()['server']?.value ?? '', 'base64').toString('latin1')).toMatch(/^v11/);

  const again = await running.restart();
  const talk = new TalkPage(again.page);
  await talk.ask('Hello');
  await expect(talk.message(1)).toContainText('The key works.');
  await again.close();
  expect(filesWith(secret, running.folders.userData, running.folders.workspace)).toEqual([]);
  rmSync(home, { recursive: true, force: true });
  wrapper.remove();
});
