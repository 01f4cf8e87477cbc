import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { end, hang, head, json, type ScriptedServer, type Step, send, startScriptedServer } from '../../../e2e/fixtures/scriptedServer';
import { chatBytes, chatChunk, chatStream, event } from '../../../e2e/fixtures/scripts/chat';
import { ask, connectTo, onePixel, onePixelBytes, readAll, type ScriptedChat, scriptChat, testKey } from '../providerFixture';
import { chatProvider } from './chat';

let server: ScriptedServer;
let chat: ScriptedChat;
beforeAll(async () => {
  server = await startScriptedServer();
  chat = scriptChat(server, 'streams');
});
afterAll(() => server.close());

const bytes = (text: string | Uint8Array): Step[] => [head(), send(text), end()];
const run = (...steps: Step[]) => readAll(chatProvider, ask('Hi'), connectTo('openai-chat', chat(steps).url));

describe('what is sent', () => {
  it('P1, P3: sends the conversation with key, headers and the wish for usage, and nothing of the environment', async () => {
    const { url, nth } = chat(chatStream(['Hello', ' there']));
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
    const { url, nth } = chat(chatStream(['ok']));
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
    await readAll(chatProvider, request, connectTo('openai-chat', url, { apiKey: null, blobs: { [hash]: onePixelBytes } }));
    const sent = await nth(1);
    expect(sent.headers.authorization).toBeUndefined();
    expect(sent.json).toMatchObject({
      messages: [
        {
          content: [
            { type: 'text', text: 'Look' },
            { type: 'image_url', image_url: { url: `data:image/png;base64,${onePixel}` } },
          ],
        },
      ],
    });
  });

  it('P1: reasoning goes back under the name it came with', async () => {
    const { url, nth } = chat(chatStream(['ok']));
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

  it.each([
    [{ choices: [null] }],
    [{ choices: [5, 'x', []] }],
    [{ choices: 'x' }],
    [{ choices: [{ delta: null }] }],
    [{ choices: [{ delta: { content: { a: 1 }, tool_calls: [null, { function: { name: 5 } }] } }] }],
    [{ usage: 'much' }],
    [[]],
  ])('P3, Z3: a chunk that is none, %j, is passed over', async (odd) => {
    const text = `${event(odd)}${chatBytes(['fine'])}`;
    const outcome = await run(...bytes(text));
    expect([outcome.text, outcome.failure]).toEqual(['fine', null]);
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
