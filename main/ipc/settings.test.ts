import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRouterClient } from '@orpc/server';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { json, type ScriptedServer, startScriptedServer } from '../../e2e/fixtures/scriptedServer';
import type { ProviderId } from '../../shared/model/ids';
import type { SettingsView } from '../../shared/model/settings';
import { quietLogger } from '../agents/agentsFixture';
import { createModelDirectory } from '../agents/modelDirectory';
import { createLogger, createRedactor } from '../lib/logger';
import { openLearnedLimits } from '../user/learnedLimits';
import { openSecrets, type Secrets } from '../user/secrets';
import { openUserSettings, type UserSettingsFile } from '../user/userSettings';
import type { WindowContext } from './context';
import { router } from './router';

let folder: string;
let server: ScriptedServer;
let userSettings: UserSettingsFile;
let secrets: Secrets;
let keychain: boolean;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'bough-ipc-'));
  server = await startScriptedServer();
  keychain = true;
});
afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

/** The calls of a window whose settings and keys are real files. */
function makeClient() {
  const redactor = createRedactor();
  const logger = createLogger({ now: Date.now, sink: () => undefined, redactor });
  userSettings = openUserSettings(join(folder, 'settings.json'));
  secrets = openSecrets(join(folder, 'secrets.json'), {
    redactor,
    logger,
    env: { FROM_ENV: 'sk-from-the-environment' },
    keychain: {
      available: async () => keychain,
      encrypt: async (text) => Buffer.from(text).toString('hex'),
      decrypt: async (text) => Buffer.from(text, 'hex').toString(),
    },
  });
  const view = () => ({ ...userSettings.get(), providers: [] }) as never as SettingsView;
  const context: Partial<WindowContext> = {
    userSettings,
    secrets,
    models: createModelDirectory({
      settings: userSettings.get,
      keyOf: secrets.keyOf,
      readBlob: () => Promise.reject(new Error('none')),
      limits: openLearnedLimits({ file: join(folder, 'limits.json'), logger, now: () => 1_000 }),
      usedAgent: () => undefined,
    }),
    settingsChanged: view,
    settingsView: view,
  };
  return createRouterClient(router, { context: context as WindowContext });
}
const local = () => ({ id: 'p' as ProviderId, name: 'P', kind: 'openai-chat' as const, baseUrl: `${server.url}/v1`, models: [] });
/** The key of the last request for the list of models; what else a local server is asked carries none. */
const sentKey = () => server.requests.findLast((request) => request.path.startsWith('/v1/models'))?.headers.authorization;
const everythingOnDisk = () =>
  readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n');

it('W3, Z3: a key typed in the window is encrypted, used, never in settings.json, and gone with its provider', async () => {
  const client = makeClient();
  server.script(/models/, json({ object: 'list', data: [] }));
  await client.settings.saveProvider({ provider: local(), key: { action: 'set', value: 'sk-typed-in-the-window', storage: 'keychain' } });
  expect(everythingOnDisk()).not.toContain('sk-typed-in-the-window');
  await client.settings.testProvider({ provider: local(), key: { action: 'keep' } });
  expect(sentKey()).toBe('Bearer sk-typed-in-the-window');
  await client.settings.testProvider({ provider: local(), key: { action: 'set', value: 'sk-not-saved-yet', storage: 'keychain' } });
  expect(sentKey()).toBe('Bearer sk-not-saved-yet');
  await client.settings.testProvider({ provider: local(), key: { action: 'keep' } });
  expect(sentKey()).toBe('Bearer sk-typed-in-the-window');
  await client.settings.removeProvider({ providerId: 'p' as ProviderId });
  expect(userSettings.get().providers).toEqual([]);
  expect(readFileSync(join(folder, 'secrets.json'), 'utf8')).not.toContain('"p"');
});

it('W3: without a keychain the refusal reaches the window as a code, and nothing is half saved', async () => {
  keychain = false;
  const client = makeClient();
  expect(await client.settings.askKeychain()).toEqual({ available: false });
  const saving = client.settings.saveProvider({
    provider: local(),
    key: { action: 'set', value: 'sk-somewhere-safe', storage: 'keychain' },
  });
  await expect(saving).rejects.toMatchObject({ code: 'FAILURE', data: { code: 'keychainUnavailable' } });
  expect(userSettings.get().providers).toEqual([]);
});

it('W3: ${NAME} is written as it stands, and reads the environment when it is used', async () => {
  const client = makeClient();
  server.script(/models/, json({ object: 'list', data: [] }));
  await client.settings.saveProvider({ provider: local(), key: { action: 'set', value: '${FROM_ENV}', storage: 'plain' } });
  expect(userSettings.get().providers[0]?.apiKey).toBe('${FROM_ENV}');
  await client.settings.testProvider({ provider: local(), key: { action: 'keep' } });
  expect(sentKey()).toBe('Bearer sk-from-the-environment');
});

it('W3: keys written into settings.json by hand move into the keychain on request', async () => {
  writeFileSync(
    join(folder, 'settings.json'),
    JSON.stringify({ version: 1, providers: [{ ...local(), apiKey: 'sk-by-hand-in-the-file' }] }),
  );
  const client = makeClient();
  await client.settings.moveKeysToKeychain();
  expect(everythingOnDisk()).not.toContain('sk-by-hand-in-the-file');
  expect(await secrets.keyOf(userSettings.get().providers[0] as never)).toBe('sk-by-hand-in-the-file');
});

it('L7: what was learned of a model is in the list with its date, and gone when it is forgotten', async () => {
  const client = makeClient();
  server.script(/models/, json({ object: 'list', data: [{ id: 'm1', object: 'model' }] }));
  await client.settings.saveProvider({ provider: local(), key: { action: 'clear' } });
  const limits = openLearnedLimits({ file: join(folder, 'limits.json'), logger: quietLogger, now: () => 1_000 });
  limits.learn('p/m1', `${server.url}/v1`, { window: 4_096 });
  await limits.forget('p/other');
  const [model] = (await client.settings.models({ refresh: true })).models;
  expect(model).toMatchObject({ contextWindow: 4_096, learned: { window: { value: 4_096, at: 1_000 } } });
  await client.settings.forgetLimit({ model: 'p/m1' });
  const [after] = (await client.settings.models({ refresh: false })).models;
  expect(after?.learned).toBeUndefined();
  expect(after?.contextWindow).toBeUndefined();
});

it('U8: the demo sets itself up; a chosen model goes to the first agent', async () => {
  const client = makeClient();
  expect(userSettings.get().onboarded).toBe(false);
  await client.settings.finishOnboarding({ model: 'demo/demo' });
  expect(userSettings.get()).toMatchObject({ onboarded: true, providers: [{ kind: 'demo' }], agents: [{ model: 'demo/demo' }] });
  await client.agents.setModel({ agentId: 'assistant' as never, model: 'demo/demo-large' });
  expect(userSettings.get().agents[0]?.model).toBe('demo/demo-large');
});

it('U2: changing one preference leaves the others as they are', async () => {
  const client = makeClient();
  await client.settings.savePreferences({ theme: 'dark' });
  await client.settings.savePreferences({ textSize: 150 });
  expect(userSettings.get().preferences).toMatchObject({ theme: 'dark', textSize: 150, sendKey: 'enter' });
});

it('Z1: what does not fit the contract is refused before any code of ours sees it', async () => {
  const client = makeClient();
  await expect(client.settings.saveModel({ providerId: 'p' as ProviderId, model: { id: '' } })).rejects.toMatchObject({
    code: 'BAD_REQUEST',
  });
  await expect(client.workspace.restoreBackup({ name: '../../etc/passwd' })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  await expect(client.settings.savePreferences({ theme: 'pink' as never })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
});

it('W2: the last agent cannot be removed, an unknown one is said', async () => {
  const client = makeClient();
  await client.settings.finishOnboarding({ model: 'demo/demo' });
  await expect(client.settings.removeAgent({ agentId: 'assistant' as never })).rejects.toMatchObject({ data: { code: 'invalidInput' } });
  await expect(client.agents.setModel({ agentId: 'nobody' as never, model: 'a/b' })).rejects.toMatchObject({
    data: { code: 'agentUnknown' },
  });
});
