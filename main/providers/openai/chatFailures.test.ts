// Chat Completions: errors, broken streams, silence and Stop (P3, P4).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  destroy,
  end,
  gate,
  hang,
  head,
  json,
  type ScriptedServer,
  type Step,
  send,
  startScriptedServer,
  textAnswer,
  waitFor,
} from '../../../e2e/fixtures/scriptedServer';
import { chatBytes, chatChunk, chatError, chatPath, chatStream, event } from '../../../e2e/fixtures/scripts/chat';
import type { ProviderEvent } from '../../../shared/model/request';
import { ask, connectTo, readAll, type ScriptedChat, scriptChat, summarize, testKey } from '../providerFixture';
import { chatProvider } from './chat';

let server: ScriptedServer;
let chat: ScriptedChat;
beforeAll(async () => {
  server = await startScriptedServer();
  chat = scriptChat(server, 'failures');
});
afterAll(() => server.close());

const bytes = (text: string | Uint8Array): Step[] => [head(), send(text), end()];
const run = (...steps: Step[]) => readAll(chatProvider, ask('Hi'), connectTo('openai-chat', chat(steps).url));

describe('failures', () => {
  it('P3, P4: an error event under 200 is a failure, with what came before it kept', async () => {
    const said = 'Input does not fit in context length. The input has 31430 tokens, but the context length only supports 30000 tokens.';
    const outcome = await run(...bytes(chatChunk({ content: 'partial' }) + event({ error: { message: said }, message: said }, 'error')));
    expect(outcome.text).toBe('partial');
    expect(outcome.failure).toMatchObject({ code: 'overflowTokens', detail: { contextWindow: 30000, providerText: said } });
  });

  it('P3: an error chunk and an error body under 200 are failures', async () => {
    const chunk = event({
      id: '1',
      error: { code: 502, message: 'Provider disconnected' },
      choices: [{ index: 0, delta: { content: '' }, finish_reason: 'error' }],
    });
    const outcome = await run(...bytes(chatChunk({ content: 'partial' }) + chunk));
    expect(outcome).toMatchObject({ text: 'partial', failure: { code: 'serverError', retryable: true } });
    expect((await run(...json({ error: { code: 429, message: 'slow down' } }))).failure).toMatchObject({ code: 'rateLimited' });
    expect((await run(...json({ error: 'Unexpected endpoint or method. (POST /chat/completions)' }))).failure).toMatchObject({
      code: 'badUrl',
    });
  });

  it('P3: a web page instead of a stream says that the address is wrong', async () => {
    const outcome = await run(...textAnswer('<!doctype html><html><title>Router login</title></html>'));
    expect(outcome.failure).toMatchObject({ code: 'badUrl', detail: { providerText: 'Router login' } });
    expect((await run(...textAnswer('OK', 200, { 'content-type': 'text/plain' }))).failure).toMatchObject({ code: 'badResponse' });
  });

  it('P3: an empty 200 is no answer', async () => {
    expect((await run(...bytes(''))).failure).toMatchObject({ code: 'emptyAnswer', retryable: true });
    expect((await run(...bytes(chatBytes([])))).failure).toMatchObject({ code: 'emptyAnswer' });
  });

  it('P3: half an event, a cut and a reset keep the text and say that the connection was lost', async () => {
    const half = await run(...bytes(`${chatChunk({ content: 'Hello' })}data: {"choices":[{"delta":{"con`));
    expect(half).toMatchObject({ text: 'Hello', failure: { code: 'connectionLost' } });
    const ended = await run(...bytes(chatChunk({ content: 'Hello' })));
    expect(ended).toMatchObject({ text: 'Hello', failure: { code: 'connectionLost', retryable: true } });
    const { url } = chat([head(), send(chatChunk({ content: 'Hello' })), destroy()]);
    const reset = await readAll(chatProvider, ask('Hi'), connectTo('openai-chat', url));
    expect(reset.failure).toMatchObject({ code: 'connectionLost' });
    expect((await run(destroy())).failure).toMatchObject({ code: 'connectionLost' });
  });

  it('P3: text that was read stays when the connection is reset afterwards', async () => {
    const read = gate();
    const { url } = chat([head(), send(chatChunk({ content: 'Hello' })), waitFor(read.opened), destroy()]);
    const events: ProviderEvent[] = [];
    for await (const one of chatProvider.stream(ask('Hi'), connectTo('openai-chat', url), new AbortController().signal)) {
      events.push(one);
      if (one.type === 'text') read.open();
    }
    expect(summarize(events)).toMatchObject({ text: 'Hello', failure: { code: 'connectionLost' } });
  });

  it('P3: a stream that stands still times out, with what came before it kept; a local server may be silent before', async () => {
    const thinking = gate();
    const { url } = chat([waitFor(thinking.opened), head(), send(chatChunk({ content: 'Hello' })), hang()]);
    const reading = readAll(chatProvider, ask('Hi'), connectTo('openai-chat', url, { timeouts: { beforeFirst: 1, betweenEvents: 30 } }));
    setTimeout(thinking.open, 20);
    expect(await reading).toMatchObject({ text: 'Hello', failure: { code: 'timeout', retryable: true, detail: { limit: 30 } } });
  });

  it('P3, A5: Stop ends the stream at once and closes the connection', async () => {
    const { url, nth } = chat([head(), send(chatChunk({ content: 'Hello' })), hang()]);
    const stop = new AbortController();
    const events: ProviderEvent[] = [];
    for await (const one of chatProvider.stream(ask('Hi'), connectTo('openai-chat', url), stop.signal)) {
      events.push(one);
      if (one.type === 'text') stop.abort();
    }
    expect(summarize(events)).toMatchObject({ text: 'Hello', failure: { code: 'stopped', retryable: false } });
    expect(await (await nth(1)).closed).toBe(false);
  });

  it('P3: leaving the loop closes the connection', async () => {
    const { url, nth } = chat([head(), send(chatChunk({ content: 'Hello' })), hang()]);
    for await (const one of chatProvider.stream(ask('Hi'), connectTo('openai-chat', url), new AbortController().signal))
      if (one.type === 'text') break;
    expect(await (await nth(1)).closed).toBe(false);
  });

  it('P5, Z3: statuses become codes, and the key is cut out of what the provider says', async () => {
    const wrong = await run(...chatError(401, `Incorrect API key provided: ${testKey}.`, { code: 'invalid_api_key' }));
    expect(wrong.failure).toMatchObject({ code: 'badKey', retryable: false, detail: { status: 401 } });
    expect(JSON.stringify(wrong.failure)).not.toContain(testKey);
    expect((await run(...chatError(429, 'slow', {}, { 'retry-after': '7' }))).failure).toMatchObject({
      code: 'rateLimited',
      retryable: true,
      detail: { retryAfterMs: 7000 },
    });
    expect((await run(...textAnswer('<html><title>502 Bad Gateway</title></html>', 502))).failure).toMatchObject({
      code: 'serverError',
      retryable: true,
      detail: { providerText: '502 Bad Gateway' },
    });
    expect((await run(...chatError(404, 'The model `m1` does not exist', { code: 'model_not_found' }))).failure).toMatchObject({
      code: 'unknownModel',
    });
    const redirected = await run(head(301, { location: `https://elsewhere.example/v1?key=${testKey}` }), end());
    expect(redirected.failure).toMatchObject({
      code: 'badUrl',
      detail: { providerText: 'The server redirects to https://elsewhere.example/v1' },
    });
  });

  it('Z3: a key with characters that no header takes, and one in a header of the user, reach no error', async () => {
    const { url, requests } = chat(chatError(400, 'bad header custom-secret-1'));
    const odd = await readAll(chatProvider, ask('Hi'), connectTo('openai-chat', url, { apiKey: 'sk-\u200bbroken\nkey' }));
    expect(odd.failure).toEqual({ code: 'badKey', message: 'The key holds characters that no key has. Paste it again.', retryable: false });
    expect(requests()).toHaveLength(0);
    const own = await readAll(
      chatProvider,
      ask('Hi'),
      connectTo('openai-chat', url, { apiKey: ` ${testKey}\n`, provider: { headers: { 'X-Auth-Token': 'custom-secret-1' } } }),
    );
    expect(own.failure).toMatchObject({ code: 'badRequest', detail: { providerText: 'bad header [key]' } });
    expect(requests()[0]?.headers).toMatchObject({ authorization: `Bearer ${testKey}`, 'x-auth-token': 'custom-secret-1' });
    const broken = await readAll(
      chatProvider,
      ask('Hi'),
      connectTo('openai-chat', url, { provider: { headers: { 'X-Auth-Token': 'custom\nsecret-1' } } }),
    );
    expect(broken.failure).not.toBeNull();
    expect(JSON.stringify(broken.failure)).not.toMatch(/custom|secret/);
  });

  it('P5: no server, no name and no address are told apart', async () => {
    const closed = await startScriptedServer();
    closed.script(chatPath, chatStream(['ok']));
    expect((await readAll(chatProvider, ask('Hi'), connectTo('openai-chat', `${closed.url}/v1`))).text).toBe('ok');
    await closed.close();
    expect((await readAll(chatProvider, ask('Hi'), connectTo('openai-chat', closed.url))).failure).toMatchObject({ code: 'unreachable' });
    expect((await readAll(chatProvider, ask('Hi'), connectTo('openai-chat', 'ftp://host'))).failure).toMatchObject({ code: 'badUrl' });
  });
});

describe('what a server refuses', () => {
  const unsupported = (name: string) =>
    chatError(400, `Unsupported parameter: '${name}' is not supported with this model.`, { param: name });

  it('P3: stream_options is left out once refused, and that is remembered', async () => {
    const { url, nth, requests } = chat(
      chatError(400, 'Unrecognized request argument supplied: stream_options'),
      chatStream(['ok'], { usage: null }),
    );
    const connection = connectTo('openai-chat', url);
    expect((await readAll(chatProvider, ask('Hi'), connection)).text).toBe('ok');
    expect(connection.learned).toEqual([{ type: 'includeUsage', value: false }]);
    expect((await nth(2)).json).not.toHaveProperty('stream_options');
    await readAll(chatProvider, ask('Hi'), connectTo('openai-chat', url));
    expect(requests()).toHaveLength(3);
  });

  it('P3: max_tokens gives way to max_completion_tokens, temperature and effort are dropped', async () => {
    const { url, nth } = chat(unsupported('max_tokens'), unsupported('temperature'), unsupported('reasoning_effort'), chatStream(['ok']));
    const outcome = await readAll(
      chatProvider,
      ask('Hi', { parameters: { maxOutput: 50, temperature: 1, reasoningEffort: 'high' } }),
      connectTo('openai-chat', url),
    );
    expect(outcome.text).toBe('ok');
    const body = (await nth(4)).json;
    expect(body).toMatchObject({ max_completion_tokens: 50 });
    for (const gone of ['max_tokens', 'temperature', 'reasoning_effort']) expect(body).not.toHaveProperty(gone);
  });

  it('P3: once text came, nothing is asked a second time, whatever the error says', async () => {
    const { url, requests } = chat([
      head(),
      send(chatChunk({ content: 'partial' }) + event({ error: { code: 400, message: 'temperature is not supported' } })),
      end(),
    ]);
    const outcome = await readAll(chatProvider, ask('Hi', { parameters: { temperature: 1 } }), connectTo('openai-chat', url));
    expect(outcome).toMatchObject({ text: 'partial', failure: { code: 'badRequest' } });
    expect(requests()).toHaveLength(1);
  });

  it('P3: an error about something else is not tried again', async () => {
    const { url, requests } = chat(chatError(400, 'messages: array too short'));
    expect((await readAll(chatProvider, ask('Hi'), connectTo('openai-chat', url))).failure).toMatchObject({ code: 'badRequest' });
    expect(requests()).toHaveLength(1);
  });

  it('P1: a base URL without /v1 is found', async () => {
    const { url } = chat(chatStream(['ok']));
    const connection = connectTo('openai-chat', url.replace(/\/v1$/, '/'));
    expect((await readAll(chatProvider, ask('Hi'), connection)).text).toBe('ok');
    expect(connection.learned).toEqual([{ type: 'baseUrl', value: url }]);
  });

  it('P1: a pasted endpoint is cut to its base', async () => {
    const { url } = chat(chatStream(['ok']));
    expect((await readAll(chatProvider, ask('Hi'), connectTo('openai-chat', `${url}/chat/completions/`))).text).toBe('ok');
  });
});
