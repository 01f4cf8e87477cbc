import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  destroy,
  end,
  gate,
  hang,
  head,
  json,
  type Recorded,
  type ScriptedServer,
  type Step,
  send,
  startScriptedServer,
  textAnswer,
  waitFor,
} from '../../../e2e/fixtures/scriptedServer';
import { chatBytes, chatChunk, chatError, chatPath, chatStream, event } from '../../../e2e/fixtures/scripts/chat';
import type { ProviderEvent } from '../../../shared/model/request';
import { ask, connectTo, readAll, summarize, testKey } from '../providerFixture';
import { chatProvider } from './chat';

let server: ScriptedServer;
let served = 0;
beforeAll(async () => {
  server = await startScriptedServer();
});
afterAll(() => server.close());

/** Each test talks to a path of its own, so that nothing learned about one server reaches the next. */
function scripted(...plays: [Step[], ...Step[][]]): { url: string; requests: () => Recorded[]; nth: (n: number) => Promise<Recorded> } {
  served += 1;
  const base = `/t${served}`;
  server.script(`POST ${base}${chatPath}`, ...plays);
  return {
    url: `${server.url}${base}/v1`,
    requests: () => server.requests.filter((request) => request.path.startsWith(`${base}/`)),
    nth: (n) => server.request(`${base}${chatPath}`, n),
  };
}
const bytes = (text: string | Uint8Array): Step[] => [head(), send(text), end()];
const run = (...steps: Step[]) => readAll(chatProvider, ask('Hi'), connectTo('openai-chat', scripted(steps).url));

describe('what is sent', () => {
  it('P1, P3: sends the conversation with key, headers and the wish for usage, and nothing of the environment', async () => {
    const { url, nth } = scripted(chatStream(['Hello', ' there']));
    process.env['OPENAI_CUSTOM_HEADERS'] = 'x-leak: yes';
    process.env['OPENAI_ORG_ID'] = 'org-leak';
    const outcome = await readAll(
      chatProvider,
      ask('Hi', { system: 'Be brief.', parameters: { temperature: 0.5, maxOutput: 100, reasoningEffort: 'low' } }),
      connectTo('openai-chat', url, { provider: { headers: { 'x-title': 'Bough' } } }),
    );
    expect(process.env['OPENAI_CUSTOM_HEADERS']).toBe('x-leak: yes');
    delete process.env['OPENAI_CUSTOM_HEADERS'];
    delete process.env['OPENAI_ORG_ID'];
    expect(outcome.text).toBe('Hello there');
    expect(outcome.last).toEqual({ type: 'done', finish: 'stop' });
    expect(outcome.events[0]).toEqual({ type: 'accepted' });
    const request = await nth(1);
    expect(request.headers.authorization).toBe(`Bearer ${testKey}`);
    expect(request.headers['x-title']).toBe('Bough');
    // A connection of its own: a kept one may be dead by now.
    expect(request.headers.connection).toBe('close');
    expect(request.headers['x-leak']).toBeUndefined();
    expect(request.headers['openai-organization']).toBeUndefined();
    expect(request.json).toEqual({
      model: 'm1',
      stream: true,
      stream_options: { include_usage: true },
      temperature: 0.5,
      max_tokens: 100,
      reasoning_effort: 'low',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Hi' },
      ],
    });
  });

  it('P1: sends no key where there is none, and pictures as data', async () => {
    const { url, nth } = scripted(chatStream(['ok']));
    const hash = 'a'.repeat(64) as never;
    const request = ask('', {
      messages: [
        {
          role: 'user',
          parts: [
            { type: 'text', text: 'Look' },
            { type: 'image', hash, mime: 'image/png', name: 'dot.png' },
          ],
        },
      ],
    });
    await readAll(chatProvider, request, connectTo('openai-chat', url, { apiKey: null, blobs: { [hash]: new Uint8Array([1, 2, 3]) } }));
    const sent = await nth(1);
    expect(sent.headers.authorization).toBeUndefined();
    expect(sent.json).toMatchObject({
      messages: [
        {
          content: [
            { type: 'text', text: 'Look' },
            { type: 'image_url', image_url: { url: 'data:image/png;base64,AQID' } },
          ],
        },
      ],
    });
  });

  it('P1: reasoning goes back under the name it came with', async () => {
    const { url, nth } = scripted(chatStream(['ok']));
    const messages = [
      { role: 'user' as const, parts: [{ type: 'text' as const, text: 'a' }] },
      {
        role: 'assistant' as const,
        parts: [
          { type: 'reasoning' as const, text: 'hm', source: 'reasoning_content' },
          { type: 'text' as const, text: 'b' },
        ],
      },
      { role: 'user' as const, parts: [{ type: 'text' as const, text: 'c' }] },
    ];
    await readAll(chatProvider, ask('', { messages }), connectTo('openai-chat', url));
    expect((await nth(1)).json).toMatchObject({ messages: [{}, { role: 'assistant', content: 'b', reasoning_content: 'hm' }, {}] });
  });
});

describe('streams', () => {
  it('P3: usage in a last chunk without choices, after finish_reason, is kept', async () => {
    const outcome = await run(...bytes(chatBytes(['a', 'b'], { prompt_tokens: 9, completion_tokens: 2 })));
    expect(outcome.events.slice(-2)).toEqual([
      { type: 'usage', usage: { input: 9, output: 2 } },
      { type: 'done', finish: 'stop' },
    ]);
  });

  it('P3: comments, bare colons, pings, empty events and CRLF are no answers', async () => {
    const noise = `\uFEFF: OPENROUTER PROCESSING\r\n\r\n:\r\n\r\ndata:\r\n\r\nevent: ping\r\ndata: {}\r\n\r\ndata: ping\r\n\r\nretry: 10\r\n\r\n`;
    const outcome = await run(...bytes(noise + chatBytes(['Hello', ' you']).replaceAll('\n', '\r\n')));
    expect(outcome.text).toBe('Hello you');
    expect(outcome.last).toEqual({ type: 'done', finish: 'stop' });
  });

  it('P3: characters split between packets arrive whole', async () => {
    const whole = Buffer.from(chatBytes(['Привет ', '日本 ', '🌳']));
    const steps: Step[] = [head()];
    for (let at = 0; at < whole.length; at += 7) steps.push(send(whole.subarray(at, at + 7)));
    expect((await run(...steps, end())).text).toBe('Привет 日本 🌳');
  });

  it('P3: a missing [DONE] ends with the body', async () => {
    const outcome = await run(...bytes(chatChunk({ content: 'Hi' }) + chatChunk({}, 'stop')));
    expect(outcome).toMatchObject({ text: 'Hi', last: { type: 'done', finish: 'stop' } });
  });

  it('P3: the last event counts though its blank line is missing', async () => {
    const outcome = await run(...bytes((chatChunk({ content: 'Hi' }) + chatChunk({}, 'stop')).trimEnd()));
    expect(outcome).toMatchObject({ text: 'Hi', last: { type: 'done', finish: 'stop' } });
  });

  it('P3: [DONE] in other dress ends the stream although the server holds the connection', async () => {
    const outcome = await run(head(), send(`${chatChunk({ content: 'Hi' })}data:"[done]"\n\n${chatChunk({ content: ' junk' })}`), hang());
    expect(outcome).toMatchObject({ text: 'Hi', last: { type: 'done', finish: 'stop' } });
  });

  it('P3: the whole text repeated beside each delta is not doubled', async () => {
    const repeated = (delta: string, whole: string) =>
      event({ choices: [{ index: 0, delta: { content: delta }, message: { role: 'assistant', content: whole } }] });
    const last = event({ choices: [{ index: 0, delta: {}, message: { content: 'one two' }, finish_reason: 'stop' }] });
    expect((await run(...bytes(repeated('one', 'one') + repeated(' two', 'one two') + last))).text).toBe('one two');
  });

  it('P3: a server that does not stream is understood', async () => {
    const whole = {
      choices: [{ index: 0, message: { role: 'assistant', content: 'All at once', reasoning_content: 'hm' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 3, completion_tokens: 4 },
    };
    const outcome = await run(...json(whole));
    expect(outcome).toMatchObject({ text: 'All at once', reasoning: 'hm', last: { type: 'done', finish: 'stop' } });
    expect(outcome.events).toContainEqual({ type: 'usage', usage: { input: 3, output: 4 } });
  });

  it('P3: an answer cut at the output limit or by a filter keeps its text and says so', async () => {
    expect(await run(...bytes(chatChunk({ content: 'abc' }) + chatChunk({}, 'length')))).toMatchObject({
      text: 'abc',
      last: { type: 'done', finish: 'length' },
    });
    expect(await run(...bytes(chatChunk({ content: 'abc' }) + chatChunk({}, 'content_filter')))).toMatchObject({
      text: 'abc',
      last: { type: 'done', finish: 'filtered', detail: 'content_filter' },
    });
    expect((await run(...bytes(chatChunk({}, 'content_filter')))).failure).toMatchObject({ code: 'refused' });
  });

  it('P3: tokens counted by llama.cpp and by continuous usage arrive, the last count wins', async () => {
    const timed = event({
      choices: [{ index: 0, delta: {}, finish_reason: 'stop' }],
      timings: { prompt_n: 20, cache_n: 10, predicted_n: 5 },
    });
    const outcome = await run(...bytes(chatChunk({ content: 'Hi' }, null, { usage: { prompt_tokens: 30, completion_tokens: 1 } }) + timed));
    expect(outcome.events.flatMap((one) => (one.type === 'usage' ? [one.usage] : [])).at(-1)).toEqual({
      input: 30,
      output: 5,
      cachedInput: 10,
    });
  });
});

describe('reasoning', () => {
  it.each([
    ['reasoning_content', { reasoning_content: 'hm' }, 'reasoning_content'],
    ['reasoning', { reasoning: 'hm' }, 'reasoning'],
    ['reasoning twice', { reasoning: 'hm', reasoning_details: [{ type: 'reasoning.text', text: 'hm' }] }, 'reasoning'],
    [
      'reasoning_details',
      {
        reasoning_details: [
          { type: 'reasoning.summary', summary: 'h' },
          { type: 'reasoning.text', text: 'm' },
          { type: 'reasoning.encrypted', data: 'x' },
        ],
      },
      'reasoning_details',
    ],
    ['thinking parts', { content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] }] }, 'thinking'],
    ['think tags', { content: '<think>hm</think>\n\n' }, 'think'],
  ])('P3: reasoning as %s', async (_name, delta, source) => {
    const outcome = await run(...bytes(chatChunk(delta) + chatChunk({ content: 'Answer' }) + chatChunk({}, 'stop')));
    expect(outcome).toMatchObject({ reasoning: 'hm', text: 'Answer' });
    expect(outcome.events).toContainEqual(expect.objectContaining({ type: 'reasoning', source }));
  });

  it('P3: think tags split over deltas, and tags later in the text', async () => {
    const deltas = ['\n<th', 'ink>', 'I wo', 'nder</', 'think', '>', '\n\n', 'Use `<think>', '` so.'];
    const outcome = await run(...bytes(deltas.map((content) => chatChunk({ content })).join('') + chatChunk({}, 'stop')));
    expect(outcome).toMatchObject({ reasoning: 'I wonder', text: 'Use `<think>` so.' });
  });

  it('P3: reasoning without an answer is no success', async () => {
    const outcome = await run(...bytes(chatChunk({ reasoning_content: 'hm' }) + chatChunk({}, 'stop')));
    expect(outcome.failure).toMatchObject({ code: 'emptyAnswer', retryable: true });
  });
});

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
    const { url } = scripted([head(), send(chatChunk({ content: 'Hello' })), destroy()]);
    const reset = await readAll(chatProvider, ask('Hi'), connectTo('openai-chat', url));
    expect(reset.failure).toMatchObject({ code: 'connectionLost' });
    expect((await run(destroy())).failure).toMatchObject({ code: 'connectionLost' });
  });

  it('P3: text that was read stays when the connection is reset afterwards', async () => {
    const read = gate();
    const { url } = scripted([head(), send(chatChunk({ content: 'Hello' })), waitFor(read.opened), destroy()]);
    const events: ProviderEvent[] = [];
    for await (const one of chatProvider.stream(ask('Hi'), connectTo('openai-chat', url), new AbortController().signal)) {
      events.push(one);
      if (one.type === 'text') read.open();
    }
    expect(summarize(events)).toMatchObject({ text: 'Hello', failure: { code: 'connectionLost' } });
  });

  it('P3: a stream that stands still times out, with what came before it kept; a local server may be silent before', async () => {
    const thinking = gate();
    const { url } = scripted([waitFor(thinking.opened), head(), send(chatChunk({ content: 'Hello' })), hang()]);
    const reading = readAll(chatProvider, ask('Hi'), connectTo('openai-chat', url, { timeouts: { beforeFirst: 1, betweenEvents: 30 } }));
    setTimeout(thinking.open, 20);
    expect(await reading).toMatchObject({ text: 'Hello', failure: { code: 'timeout', retryable: true, detail: { limit: 30 } } });
  });

  it('P3, A5: Stop ends the stream at once and closes the connection', async () => {
    const { url, nth } = scripted([head(), send(chatChunk({ content: 'Hello' })), hang()]);
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
    const { url, nth } = scripted([head(), send(chatChunk({ content: 'Hello' })), hang()]);
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
    const { url, requests } = scripted(chatError(400, 'bad header custom-secret-1'));
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
    const { url, nth, requests } = scripted(
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
    const { url, nth } = scripted(
      unsupported('max_tokens'),
      unsupported('temperature'),
      unsupported('reasoning_effort'),
      chatStream(['ok']),
    );
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

  it('P3: an error about something else is not tried again', async () => {
    const { url, requests } = scripted(chatError(400, 'messages: array too short'));
    expect((await readAll(chatProvider, ask('Hi'), connectTo('openai-chat', url))).failure).toMatchObject({ code: 'badRequest' });
    expect(requests()).toHaveLength(1);
  });

  it('P1: a base URL without /v1 is found', async () => {
    const { url } = scripted(chatStream(['ok']));
    const connection = connectTo('openai-chat', url.replace(/\/v1$/, '/'));
    expect((await readAll(chatProvider, ask('Hi'), connection)).text).toBe('ok');
    expect(connection.learned).toEqual([{ type: 'baseUrl', value: url }]);
  });

  it('P1: a pasted endpoint is cut to its base', async () => {
    const { url } = scripted(chatStream(['ok']));
    expect((await readAll(chatProvider, ask('Hi'), connectTo('openai-chat', `${url}/chat/completions/`))).text).toBe('ok');
  });
});
