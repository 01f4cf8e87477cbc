import { afterAll, beforeAll, expect, it } from 'vitest';
import {
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
} from '../../../e2e/fixtures/scriptedServer';
import { geminiChunk, geminiEvent, geminiModels, geminiPath, geminiStream, geminiUsage } from '../../../e2e/fixtures/scripts/gemini';
import { FailureError } from '../../../shared/model/failure';
import { ask, connectTo, onePixel, onePixelBytes, readAll, testKey } from '../providerFixture';
import { geminiProvider } from './gemini';

let server: ScriptedServer;
let served = 0;
beforeAll(async () => {
  server = await startScriptedServer();
});
afterAll(() => server.close());

/** A model name of its own a test. */
function scripted(...plays: [Step[], ...Step[][]]): { modelId: string; nth: (n: number) => ReturnType<ScriptedServer['request']> } {
  served += 1;
  const modelId = `gemini-2.5-flash-t${served}`;
  server.script(`POST ${geminiPath(modelId)}`, ...plays);
  return { modelId, nth: (n) => server.request(geminiPath(modelId), n) };
}
const run = (...steps: Step[]) => readAll(geminiProvider, ask('Hi', { modelId: scripted(steps).modelId }), connectTo('gemini', server.url));
const bytes = (...events: string[]): Step[] => [head(), send(events.join('')), end()];

it('P1, P3: streams text, thoughts and usage through the v1beta address', async () => {
  const { modelId, nth } = scripted([
    head(),
    send(
      geminiChunk([{ text: 'hm', thought: true }]) +
        geminiChunk([{ text: 'Hello' }, { text: ' there' }]) +
        geminiChunk([{ text: '' }], 'STOP', geminiUsage),
    ),
    end(),
  ]);
  const messages = [
    {
      role: 'user' as const,
      parts: [
        { type: 'text' as const, text: 'Hi' },
        { type: 'text' as const, text: ' ' },
      ],
    },
    { role: 'user' as const, parts: [{ type: 'image' as const, hash: 'c'.repeat(64) as never, mime: 'image/png', name: 'dot.png' }] },
    { role: 'assistant' as const, parts: [{ type: 'text' as const, text: '' }] },
    { role: 'user' as const, parts: [{ type: 'text' as const, text: 'Go' }] },
  ];
  const request = ask('', {
    modelId,
    system: 'Be brief.',
    messages,
    parameters: { maxOutput: 50, temperature: 0, reasoningEffort: 'low' },
  });
  const outcome = await readAll(
    geminiProvider,
    request,
    connectTo('gemini', `${server.url}/`, { blobs: { ['c'.repeat(64)]: onePixelBytes } }),
  );
  expect(outcome.events).toEqual([
    { type: 'accepted' },
    { type: 'reasoning', text: 'hm', source: 'thought' },
    { type: 'text', text: 'Hello' },
    { type: 'text', text: ' there' },
    { type: 'usage', usage: { input: 12, output: 8, reasoning: 5, cachedInput: 4 } },
    { type: 'done', finish: 'stop' },
  ]);
  const sent = await nth(1);
  expect(sent.headers['x-goog-api-key']).toBe(testKey);
  expect(sent.path).not.toContain(testKey);
  // 2.8.4: no empty parts, neighbours of one role merged.
  expect(sent.json).toEqual({
    contents: [{ role: 'user', parts: [{ text: 'Hi' }, { inlineData: { mimeType: 'image/png', data: onePixel } }, { text: 'Go' }] }],
    systemInstruction: { role: 'user', parts: [{ text: 'Be brief.' }] },
    generationConfig: { temperature: 0, maxOutputTokens: 50, thinkingConfig: { includeThoughts: true, thinkingBudget: 1024 } },
  });
});

it('P3: a block of the prompt is a refusal with its reason', async () => {
  const outcome = await run(
    ...bytes(geminiEvent({ promptFeedback: { blockReason: 'PROHIBITED_CONTENT' }, usageMetadata: { promptTokenCount: 7 } })),
  );
  expect(outcome.failure).toMatchObject({ code: 'refused', detail: { providerText: 'PROHIBITED_CONTENT' } });
});

it('P3: a block in the middle keeps the text and is labelled', async () => {
  const outcome = await run(...bytes(geminiChunk([{ text: 'Once upon' }]), geminiChunk([], 'SAFETY')));
  expect(outcome).toMatchObject({ text: 'Once upon', last: { type: 'done', finish: 'filtered', detail: 'SAFETY' } });
  expect(await run(...bytes(geminiChunk([{ text: 'Once' }]), geminiEvent({ promptFeedback: { blockReason: 'OTHER' } })))).toMatchObject({
    text: 'Once',
    last: { finish: 'filtered', detail: 'OTHER' },
  });
});

it('P3: 200 with nothing is a failed turn with the reason', async () => {
  const candidate = (value: Record<string, unknown>) => geminiEvent({ candidates: [{ index: 0, ...value }] });
  const empty: [string, string][] = [
    [candidate({ finishReason: 'MALFORMED_FUNCTION_CALL', finishMessage: 'Malformed function call: run(' }), 'MALFORMED_FUNCTION_CALL'],
    [candidate({ finishReason: 'UNEXPECTED_TOOL_CALL' }), 'UNEXPECTED_TOOL_CALL'],
    [candidate({ finishReason: 'STOP' }), 'STOP'],
    [candidate({ content: { role: 'model' }, finishReason: 'STOP' }), 'STOP'],
    [geminiChunk([{ text: '', thoughtSignature: 'c2ln' }], 'STOP'), 'STOP'],
  ];
  for (const [body, said] of empty)
    expect((await run(...bytes(body))).failure).toMatchObject({ code: 'emptyAnswer', retryable: true, detail: { providerText: said } });
  expect((await run(...bytes())).failure).toMatchObject({ code: 'emptyAnswer' });
});

it('P3: the output limit is no failure', async () => {
  expect(await run(...bytes(geminiChunk([{ text: 'abc' }], 'MAX_TOKENS')))).toMatchObject({
    text: 'abc',
    last: { type: 'done', finish: 'length' },
  });
});

it('P3: chunks as a JSON array, comments, and characters split between packets', async () => {
  const chunk = (text: string, more: object = {}) => ({ candidates: [{ content: { role: 'model', parts: [{ text }] }, ...more }] });
  expect(await run(...json([chunk('At '), chunk('once', { finishReason: 'STOP' })]))).toMatchObject({
    text: 'At once',
    last: { type: 'done', finish: 'stop' },
  });
  const whole = Buffer.from(`: ping\r\n\r\n${geminiChunk([{ text: 'Ёж 日本 🌳' }], 'STOP')}`);
  const steps: Step[] = [head()];
  for (let at = 0; at < whole.length; at += 5) steps.push(send(whole.subarray(at, at + 5)));
  expect((await run(...steps, end())).text).toBe('Ёж 日本 🌳');
});

it('P3, P4, Z3: errors by status, in the stream, and wrapped twice', async () => {
  const error = (code: number, message: string, status: string, details: unknown[] = []) => ({ error: { code, message, status, details } });
  const invalid = await run(
    ...json(error(400, 'API key not valid. Please pass a valid API key.', 'INVALID_ARGUMENT', [{ reason: 'API_KEY_INVALID' }]), 400),
  );
  expect(invalid.failure).toMatchObject({ code: 'badKey', retryable: false });
  const tooLong = error(400, 'The input token count (1200293) exceeds the maximum number of tokens allowed (1048576).', 'INVALID_ARGUMENT');
  expect((await run(...json([tooLong], 400))).failure).toMatchObject({
    code: 'overflowTokens',
    detail: { contextWindow: 1048576, status: 400 },
  });
  expect((await run(...json({ error: { message: JSON.stringify(tooLong), code: 400 } }, 400))).failure).toMatchObject({
    code: 'overflowTokens',
    detail: { providerText: tooLong.error.message },
  });
  const limited = error(429, 'Quota exceeded for quota metric: requests per minute', 'RESOURCE_EXHAUSTED', [
    { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '36s' },
  ]);
  expect((await run(...json(limited, 429))).failure).toMatchObject({ code: 'rateLimited', detail: { retryAfterMs: 36_000 } });
  const midway = await run(...bytes(geminiChunk([{ text: 'abc' }]), geminiEvent(error(503, `Overloaded, ${testKey}`, 'UNAVAILABLE'))));
  expect(midway).toMatchObject({ text: 'abc', failure: { code: 'serverError', retryable: true } });
  expect(JSON.stringify(midway.failure)).not.toContain(testKey);
  expect((await run(...textAnswer('<html><title>Proxy</title></html>'))).failure).toMatchObject({ code: 'badUrl' });
  expect((await run(...bytes(geminiChunk([{ text: 'abc' }])))).failure).toMatchObject({ code: 'connectionLost' });
});

it('P3: thoughts that a model cannot show are not asked for again', async () => {
  const { modelId, nth } = scripted(
    json(
      {
        error: {
          code: 400,
          message: 'Unable to submit request because thinking is not supported: include_thoughts',
          status: 'INVALID_ARGUMENT',
        },
      },
      400,
    ),
    geminiStream(['ok']),
  );
  expect((await readAll(geminiProvider, ask('Hi', { modelId }), connectTo('gemini', server.url))).text).toBe('ok');
  expect((await nth(1)).json).toMatchObject({ generationConfig: { thinkingConfig: { includeThoughts: true } } });
  expect((await nth(2)).json).not.toHaveProperty('generationConfig.thinkingConfig');
});

it('P3, A5: Stop ends the stream at once and closes the connection', async () => {
  const { modelId, nth } = scripted([head(), send(geminiChunk([{ text: 'abc' }])), hang()]);
  const stop = new AbortController();
  const seen = gate();
  const reading = (async () => {
    const events = [];
    for await (const event of geminiProvider.stream(ask('Hi', { modelId }), connectTo('gemini', server.url), stop.signal)) {
      events.push(event);
      if (event.type === 'text') seen.open();
    }
    return events;
  })();
  await seen.opened;
  stop.abort();
  expect((await reading).at(-1)).toMatchObject({ type: 'failed', failure: { code: 'stopped' } });
  expect(await (await nth(1)).closed).toBe(false);
});

it('P1: without a key Google is not asked at all', async () => {
  expect((await readAll(geminiProvider, ask('Hi'), connectTo('gemini', undefined, { apiKey: null }))).failure).toMatchObject({
    code: 'noKey',
  });
});

it('P2: the list of models carries windows', async () => {
  server.script('GET /v1beta/models', geminiModels('gemini-2.5-pro'), json({ error: { code: 403, message: 'no' } }, 403));
  const signal = new AbortController().signal;
  expect(await geminiProvider.listModels(connectTo('gemini', `${server.url}/v1beta/models`), signal)).toEqual([
    { id: 'gemini-2.5-pro', name: 'gemini-2.5-pro', contextWindow: 1048576, maxOutput: 65536, reasoning: true },
  ]);
  await expect(geminiProvider.listModels(connectTo('gemini', server.url), signal)).rejects.toBeInstanceOf(FailureError);
});
