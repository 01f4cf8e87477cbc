import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { end, head, json, type ScriptedServer, send, startScriptedServer } from '../../e2e/fixtures/scriptedServer';
import { chatStream } from '../../e2e/fixtures/scripts/chat';
import type { AgentId, ProviderId } from '../../shared/model/ids';
import type { ProviderConfig } from '../../shared/model/provider';
import type { UserSettings } from '../../shared/model/settings';
import { openLearnedLimits } from '../user/learnedLimits';
import { emptySettings } from '../user/parseSettings';
import { quietLogger } from './agentsFixture';
import { isFailure } from './modelAccess';
import { createModelDirectory } from './modelDirectory';

let server: ScriptedServer;
let other: ScriptedServer;
let settings: UserSettings;
let folder: string;
let time: number;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'bough-models-'));
  time = 1_000;
  server = await startScriptedServer();
  other = await startScriptedServer();
  settings = { ...emptySettings(true), providers: [provider(server.url)] };
});
afterEach(async () => {
  await Promise.all([server.close(), other.close()]);
  rmSync(folder, { recursive: true });
});

const provider = (baseUrl: string): ProviderConfig => ({
  id: 'p' as ProviderId,
  name: 'P',
  kind: 'openai-chat',
  baseUrl,
  models: [{ id: 'm1' }],
});
const make = () =>
  createModelDirectory({
    settings: () => settings,
    keyOf: async () => 'key-one',
    readBlob: () => Promise.reject(new Error('none')),
    limits: openLearnedLimits({ file: join(folder, 'limits.json'), logger: quietLogger, now: () => time }),
    usedAgent: () => undefined,
  });
const models = (...ids: string[]) => json({ object: 'list', data: ids.map((id) => ({ id, object: 'model' })) });

it('P2: the server’s list is asked once and again on request; the user’s models come with it', async () => {
  server.script(/models/, models('m1', 'm2'), models('m3'));
  const directory = make();
  expect((await directory.offered(false)).models.map((model) => model.ref)).toEqual(['p/m1', 'p/m2']);
  expect((await directory.offered(false)).models).toHaveLength(2);
  const asked = server.requests.length;
  expect((await directory.offered(true)).models.map((model) => model.ref)).toEqual(['p/m1', 'p/m3']);
  expect(server.requests.length).toBeGreaterThan(asked);
});

it('P1: a server that is away costs its own list only, with its reason', async () => {
  await server.close();
  settings.providers.push({ ...provider(other.url), id: 'q' as ProviderId });
  other.script(/models/, models('m9'));
  const { models: offered, failures } = await make().offered(false);
  expect(offered.map((model) => model.ref)).toContain('q/m9');
  expect(failures).toMatchObject([{ providerId: 'p', failure: { code: 'unreachable' } }]);
});

it('P1: what a server taught holds for its address; a changed address is taken as it is', async () => {
  server.script('POST /chat/completions', [head(404), send('no'), end()]);
  server.script('POST /v1/chat/completions', chatStream(['hi']));
  other.script('POST /chat/completions', chatStream(['other']));
  const directory = make();
  const say = async () => {
    const reached = await directory.reach('p/m1');
    if (isFailure(reached)) throw new Error(reached.message);
    const request = {
      modelId: 'm1',
      system: '',
      messages: [{ role: 'user' as const, parts: [{ type: 'text' as const, text: 'x' }] }],
      parameters: {},
    };
    let text = '';
    for await (const event of reached.provider.stream(request, reached.connection, new AbortController().signal)) {
      if (event.type === 'text') text += event.text;
    }
    return text;
  };
  expect(await say()).toBe('hi');
  settings.providers = [provider(other.url)];
  expect(await say()).toBe('other');
});

it('X8: no model, no provider, no agent: each its own failure', async () => {
  const directory = make();
  expect(await directory.reach('')).toMatchObject({ code: 'noModel' });
  expect(await directory.reach('gone/m')).toMatchObject({ code: 'providerUnknown', detail: { provider: 'gone' } });
  expect(directory.agent('nobody' as AgentId)).toBeNull();
  expect(directory.agent(null)).toMatchObject({ name: 'Assistant', model: 'p/m1' });
});

it('L7: a learned window is in force everywhere, over a restart, until it is forgotten; the user’s number wins', async () => {
  settings.providers = [{ ...provider(server.url), models: [{ id: 'gpt-4o' }, { id: 'mine', contextWindow: 64_000 }] }];
  const directory = make();
  directory.learn('p/gpt-4o', { window: 4_096 });
  directory.learn('p/mine', { window: 4_096, bodyLimit: 1_000_000 });
  directory.learn('gone/gpt-4o', { window: 4_096 });
  await directory.forgetLimit('p/other');
  const again = make();
  server.script(/models/, models('gpt-4o'));
  const reached = await again.reach('p/gpt-4o');
  expect(isFailure(reached) ? reached : reached.model).toMatchObject({ contextWindow: 4_096 });
  expect(again.modelInfo('p/gpt-4o')).toMatchObject({ contextWindow: 4_096 });
  expect(again.modelInfo('p/mine')).toMatchObject({ contextWindow: 64_000, bodyLimit: 1_000_000 });
  const { models: offered } = await again.offered(false);
  expect(offered.find(({ id }) => id === 'gpt-4o')?.learned).toEqual({ window: { value: 4_096, at: 1_000 } });
  await again.forgetLimit('p/gpt-4o');
  expect(again.modelInfo('p/gpt-4o')?.contextWindow).not.toBe(4_096);
  expect(make().modelInfo('p/gpt-4o')?.contextWindow).not.toBe(4_096);
});

it('L7: the list of a server here, asked later, may name a larger window than the one learned', async () => {
  const listing = (size: number) => json({ object: 'list', data: [{ id: 'm1', object: 'model', max_model_len: size }] });
  settings.providers = [provider(`${server.url}/v1`)];
  server.script('GET /v1/models', listing(8_192), listing(8_192), listing(32_768));
  const directory = make();
  await directory.offered(false);
  expect(directory.modelInfo('p/m1')?.contextWindow).toBe(8_192);
  directory.learn('p/m1', { window: 4_096 });
  time = 2_000;
  await directory.offered(true);
  expect(directory.modelInfo('p/m1')?.contextWindow).toBe(4_096);
  await directory.offered(true);
  expect(directory.modelInfo('p/m1')?.contextWindow).toBe(32_768);
});
