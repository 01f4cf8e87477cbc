// One question to a model: each way it can end is an outcome.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { end, gate, hang, head, json, type ScriptedServer, send, startScriptedServer, waitFor } from '../../e2e/fixtures/scriptedServer';
import type { ProviderId } from '../../shared/model/ids';
import { defaultPreferences, type UserSettings } from '../../shared/model/settings';
import { nothingLearned } from '../user/limitsFixture';
import { askModel, modelOfRole } from './askModel';
import { createModelDirectory } from './modelDirectory';

const route = 'POST /v1/chat/completions';
let server: ScriptedServer;
beforeEach(async () => {
  server = await startScriptedServer();
});
afterEach(() => server.close());

const models = () => {
  const settings: UserSettings = {
    version: 1,
    providers: [
      {
        id: 'local' as ProviderId,
        name: 'Local',
        kind: 'openai-chat',
        baseUrl: `${server.url}/v1`,
        models: [{ id: 'm1', contextWindow: 8_192 }],
      },
    ],
    agents: [],
    roles: {},
    compaction: {},
    preferences: defaultPreferences,
    onboarded: true,
  };
  return createModelDirectory({
    settings: () => settings,
    keyOf: async () => null,
    readBlob: () => Promise.reject(new Error('no blobs')),
    limits: nothingLearned,
    usedAgent: () => undefined,
  });
};
const chunk = (delta: object, finish: string | null = null) =>
  send(`data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`);
const says = (text: string, finish = 'stop') => [head(), chunk({ content: text }), chunk({}, finish), send('data: [DONE]\n\n'), end()];
const question = { system: 'Tell it in one line.', text: 'What was said' };

describe('askModel', () => {
  it('M4: one request without tools gives the text, what it cost and how long it took', async () => {
    const usage = send(`data: ${JSON.stringify({ choices: [], usage: { prompt_tokens: 7, completion_tokens: 2 } })}\n\n`);
    server.script(route, [
      head(),
      chunk({ content: ' It was ' }),
      chunk({ content: 'said.\n' }, 'stop'),
      usage,
      send('data: [DONE]\n\n'),
      end(),
    ]);
    const reply = await askModel(models(), 'local/m1', question);
    expect(reply).toMatchObject({ type: 'answer', text: 'It was said.', model: 'local/m1', usage: { input: 7, output: 2 } });
    expect(reply.durationMs).toBeGreaterThanOrEqual(0);
    expect(server.requests).toHaveLength(1);
    const sent = server.requests[0]?.json as { tools?: unknown; messages: unknown };
    expect(sent.tools).toBeUndefined();
    expect(sent.messages).toEqual([
      { role: 'system', content: question.system },
      { role: 'user', content: question.text },
    ]);
  });

  it('M3: an answer without a word is empty', async () => {
    server.script(route, says(''), says(' \n\t '));
    expect(await askModel(models(), 'local/m1', question)).toMatchObject({ type: 'empty' });
    expect(await askModel(models(), 'local/m1', question)).toMatchObject({ type: 'empty' });
  });

  it('M3: an answer that grows too long is refused and not read to its end', async () => {
    server.script(route, [head(), chunk({ content: 'word '.repeat(400) }), hang()]);
    expect(await askModel(models(), 'local/m1', { ...question, most: 300 })).toMatchObject({ type: 'oversized' });
    expect(await server.requests[0]?.closed).toBe(false);
    server.script(route, says('word '.repeat(200)));
    expect(await askModel(models(), 'local/m1', { ...question, most: 300 })).toMatchObject({ type: 'answer' });
  });

  it('M3: an answer that was cut says so, with what there is of it', async () => {
    server.script(route, says('The first half', 'length'), says('Half', 'content_filter'));
    expect(await askModel(models(), 'local/m1', question)).toMatchObject({ type: 'cut', finish: 'length', text: 'The first half' });
    expect(await askModel(models(), 'local/m1', question)).toMatchObject({ type: 'cut', finish: 'filtered' });
  });

  it('M3: what the provider refuses, a model nobody has, and a server that is gone are failures, not throws', async () => {
    server.script(route, json({ error: { message: 'boom' } }, 500));
    expect(await askModel(models(), 'local/m1', question)).toMatchObject({
      type: 'failed',
      failure: { code: 'serverError', detail: { provider: 'Local' } },
    });
    expect(await askModel(models(), 'nobody/m1', question)).toMatchObject({ type: 'failed', failure: { code: 'providerUnknown' } });
    const broken = { reach: () => Promise.reject(new Error('a bug')) };
    expect(await askModel(broken, 'local/m1', question)).toMatchObject({ type: 'failed', failure: { code: 'internal', message: 'a bug' } });
  });

  it('M3: a model that says nothing within the time is given up', async () => {
    server.script(route, [head(), hang()]);
    expect(await askModel(models(), 'local/m1', { ...question, timeLimit: 30 })).toMatchObject({
      type: 'failed',
      failure: { code: 'timeout' },
    });
  });

  it('R4: it can be stopped, also before it began, and the connection is closed', async () => {
    const { opened, open } = gate();
    server.script(route, [head(), chunk({ content: 'half' }), waitFor(opened)]);
    const stop = new AbortController();
    const asked = askModel(models(), 'local/m1', { ...question, signal: stop.signal });
    const request = await server.request(route);
    stop.abort();
    expect(await asked).toMatchObject({ type: 'failed', failure: { code: 'stopped' } });
    expect(await request.closed).toBe(false);
    open();
    expect(await askModel(models(), 'local/m1', { ...question, signal: stop.signal })).toMatchObject({ failure: { code: 'stopped' } });
    expect(server.requests).toHaveLength(1);
  });
});

it('M4: role compaction, else title, else the agent’s own', () => {
  const choose = (roles: UserSettings['roles'], own: string | null = 'p/own') => modelOfRole({ roles: () => roles }, 'compaction', own);
  expect(choose({ compaction: 'p/c', title: 'p/t' })).toBe('p/c');
  expect(choose({ title: 'p/t' })).toBe('p/t');
  expect(choose({})).toBe('p/own');
  expect(choose({}, null)).toBe(null);
  expect(modelOfRole({ roles: () => ({ compaction: 'p/c' }) }, 'title', 'p/own')).toBe('p/own');
});
