import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { end, head, type ScriptedServer, send, startScriptedServer } from '../../e2e/fixtures/scriptedServer';
import { chatChunk, chatStream, event } from '../../e2e/fixtures/scripts/chat';
import type { Failure } from '../../shared/model/failure';
import type { ProviderEvent } from '../../shared/model/request';
import { looksTruncated, settleEnd, settleRefusal, signOf, tokensAtLeast } from './fullPrompt';
import { chatProvider } from './openai/chat';
import { ask, connectTo, readAll, type ScriptedChat, scriptChat } from './providerFixture';

const said = (text: string) => tokensAtLeast({ system: '', messages: [{ role: 'user', parts: [{ type: 'text', text }] }] });

describe('a prompt that was cut in silence', () => {
  it.each([
    ['Ollama, 65,530 tokens in a window of 65,536', 32_770, 65_530, undefined, true],
    ['Ollama, 160,689 tokens in a window of 32,768', 16_387, 140_000, 32_768, true],
    ['Ollama, a little over, at half its window', 2050, 2600, 4096, true],
    ['all of it read', 65_530, 60_000, undefined, false],
    ['a little less than estimated', 9000, 10_000, 32_768, false],
    ['a server that does not count what it has cached', 40, 9000, undefined, false],
    ['nothing reported', 0, 9000, undefined, false],
  ])('P4: %s', (_name, reported, estimated, window, truncated) => {
    expect(looksTruncated({ reported, estimated, window })).toBe(truncated);
  });

  it('P4: the estimate is low: a whole prompt is never taken for a cut one', () => {
    // Real counts by o200k_base.
    for (const [text, tokens] of [
      ['The quick brown fox jumps over the lazy dog. '.repeat(100), 1000],
      ['木の枝は根から葉まで続いている。'.repeat(100), 1300],
      ['const path = messages.map((message) => message.id);\n'.repeat(100), 1200],
      [`${'-'.repeat(4000)}\n${' '.repeat(4000)}`, 80],
    ] as const) {
      expect(said(text)).toBeLessThanOrEqual(tokens);
    }
    fc.assert(fc.property(fc.string({ maxLength: 200 }), (text) => said(text) <= text.length / 2.2));
  });

  it('P4: only on a local server; a count above the window is a sign anywhere', () => {
    const usage = { input: 2050, output: 1 };
    expect(signOf(usage, 60_000, { window: undefined, isLocalChat: true })).toBe('truncated');
    expect(signOf(usage, 60_000, { window: undefined, isLocalChat: false })).toBeUndefined();
    expect(signOf({ input: 9000, output: 1 }, 9000, { window: 8192, isLocalChat: false })).toBe('overWindow');
    expect(signOf({ input: 8000, output: 1 }, 8000, { window: 8192, isLocalChat: false })).toBeUndefined();
  });
});

describe('an empty answer', () => {
  const length: ProviderEvent = { type: 'done', finish: 'length' };
  const code = (event: ProviderEvent) => (event.type === 'failed' ? event.failure.code : event.type);

  it('P4: at the output limit with nothing said, and no limit set, there was no room', () => {
    const heard = { anything: false, usage: { input: 4000, output: 0 } };
    expect(settleEnd(length, heard, {})).toMatchObject({ type: 'failed', failure: { code: 'overflowTokens', detail: { size: 4000 } } });
    expect(code(settleEnd(length, heard, { maxOutput: 1 }))).toBe('done');
    expect(code(settleEnd(length, heard, { maxOutput: 100, window: 4096 }))).toBe('overflowTokens');
    expect(code(settleEnd(length, { ...heard, anything: true }, { window: 4096 }))).toBe('done');
    expect(code(settleEnd(length, { anything: false, usage: null }, {}))).toBe('done');
  });

  it('P4: out of a full window it is an overflow, out of an open one it stays an empty answer', () => {
    const empty: ProviderEvent = { type: 'failed', failure: { code: 'emptyAnswer', message: 'x', retryable: true } };
    const heard = (input: number) => ({ anything: false, usage: { input, output: 0 } });
    expect(code(settleEnd(empty, heard(8190), { window: 8192 }))).toBe('overflowTokens');
    expect(code(settleEnd(empty, heard(900), { window: 8192 }))).toBe('emptyAnswer');
    expect(code(settleEnd(empty, heard(8190), {}))).toBe('emptyAnswer');
  });
});

describe('a refusal without a word', () => {
  const words = Array.from({ length: 4000 }, (_, at) => `word${at}`).join(' ');
  it.each([400, 413])('P4: a bare %d is an overflow of tokens when the window was nearly full, and only then', (status) => {
    const bare: Failure = { code: status === 413 ? 'overflowBytes' : 'badRequest', message: 'x', retryable: false, detail: { status } };
    expect(settleRefusal(bare, ask(words), 8192)).toMatchObject({ code: 'overflowTokens', detail: { status, limit: 8192 } });
    expect(settleRefusal(bare, ask(words), 128_000)).toBe(bare);
    expect(settleRefusal(bare, ask(words), undefined)).toBe(bare);
    const said: Failure = { ...bare, detail: { status, providerText: 'Unknown field' } };
    expect(settleRefusal(said, ask(words), 8192)).toBe(said);
  });
});

describe('through the wire', () => {
  let server: ScriptedServer;
  let chat: ScriptedChat;
  beforeAll(async () => {
    server = await startScriptedServer();
    chat = scriptChat(server, 'full');
  });
  afterAll(() => server.close());
  const long = Array.from({ length: 12_000 }, (_, at) => `word${at}`).join(' ');

  it('P4: a local server that read half is told by its count', async () => {
    const { url } = chat(chatStream(['ok'], { usage: { prompt_tokens: 4098, completion_tokens: 1 } }));
    const { events } = await readAll(chatProvider, ask(long), connectTo('openai-chat', url));
    expect(events).toContainEqual({ type: 'usage', usage: { input: 4098, output: 1 }, sign: 'truncated' });
  });

  it('P4: one that read all is not', async () => {
    const { url } = chat(chatStream(['ok'], { usage: { prompt_tokens: 30_000, completion_tokens: 1 } }));
    const { events } = await readAll(chatProvider, ask(long), connectTo('openai-chat', url));
    expect(events).toContainEqual({ type: 'usage', usage: { input: 30_000, output: 1 } });
  });

  it('P4: a refusal without a body, of what fills the window', async () => {
    const { url } = chat([head(400), end()]);
    const connection = connectTo('openai-chat', url, { provider: { models: [{ id: 'm1', contextWindow: 16_384 }] } });
    expect((await readAll(chatProvider, ask(long), connection)).failure).toMatchObject({ code: 'overflowTokens', detail: { status: 400 } });
  });

  it('P4: z.ai says it as the reason for its end', async () => {
    const { url } = chat([
      head(),
      send(chatChunk({ content: 'So' })),
      send(chatChunk({}, 'model_context_window_exceeded') + event('[DONE]')),
      end(),
    ]);
    expect((await readAll(chatProvider, ask('Hi'), connectTo('openai-chat', url))).failure).toMatchObject({ code: 'overflowTokens' });
  });

  it('P4: LM Studio’s stream without a word, and a server without room for one, are overflows', async () => {
    const empty = (finish: string) => [
      head(),
      send(chatChunk({}, finish)),
      send(event({ choices: [], usage: { prompt_tokens: 4096, completion_tokens: 0 } })),
      send(event('[DONE]')),
      end(),
    ];
    const { url } = chat(empty('stop'), empty('length'));
    const connection = connectTo('openai-chat', url, { provider: { models: [{ id: 'm1', contextWindow: 4096 }] } });
    for (let n = 0; n < 2; n++)
      expect((await readAll(chatProvider, ask('Hi'), connection)).failure).toMatchObject({
        code: 'overflowTokens',
        detail: { limit: 4096 },
      });
  });
});
