import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  end,
  head,
  json,
  type Recorded,
  type ScriptedServer,
  type Step,
  send,
  startScriptedServer,
} from '../../../e2e/fixtures/scriptedServer';
import { chatError } from '../../../e2e/fixtures/scripts/chat';
import {
  completed,
  responseDocument,
  responsesEvent,
  responsesPath,
  responsesStream,
  textDelta,
} from '../../../e2e/fixtures/scripts/responses';
import { ask, connectTo, onePixel, onePixelBytes, readAll, testKey } from '../providerFixture';
import { responsesProvider } from './responses';

let server: ScriptedServer;
let served = 0;
beforeAll(async () => {
  server = await startScriptedServer();
});
afterAll(() => server.close());

function scripted(...plays: [Step[], ...Step[][]]): { url: string; nth: (n: number) => Promise<Recorded> } {
  served += 1;
  server.script(`POST /t${served}${responsesPath}`, ...plays);
  const path = `/t${served}${responsesPath}`;
  return { url: `${server.url}/t${served}/v1`, nth: (n) => server.request(path, n) };
}
const run = (...steps: Step[]) => readAll(responsesProvider, ask('Hi'), connectTo('openai-responses', scripted(steps).url));
const bytes = (...events: string[]): Step[] => [head(), send(events.join('')), end()];

it('P1, P3: streams text and usage, and keeps nothing on the server', async () => {
  const { url, nth } = scripted(responsesStream(['Hello', ' there']));
  const messages = [
    {
      role: 'user' as const,
      parts: [
        { type: 'text' as const, text: 'Hi' },
        { type: 'image' as const, hash: 'b'.repeat(64) as never, mime: 'image/png', name: 'dot.png' },
      ],
    },
    {
      role: 'assistant' as const,
      parts: [
        { type: 'reasoning' as const, text: 'hm' },
        { type: 'text' as const, text: 'Yes?' },
      ],
    },
    { role: 'user' as const, parts: [{ type: 'text' as const, text: 'Go' }] },
  ];
  const request = ask('', {
    system: 'Be brief.',
    messages,
    modelId: 'o4-mini',
    parameters: { maxOutput: 99, reasoningEffort: 'medium', temperature: 0.2 },
  });
  const outcome = await readAll(
    responsesProvider,
    request,
    connectTo('openai-responses', url, { blobs: { ['b'.repeat(64)]: onePixelBytes } }),
  );
  expect(outcome.text).toBe('Hello there');
  expect(outcome.events.slice(-2)).toEqual([
    { type: 'usage', usage: { input: 12, output: 2, reasoning: 0, cachedInput: 4 } },
    { type: 'done', finish: 'stop' },
  ]);
  expect((await nth(1)).headers.authorization).toBe(`Bearer ${testKey}`);
  expect((await nth(1)).json).toEqual({
    model: 'o4-mini',
    instructions: 'Be brief.',
    stream: true,
    store: false,
    temperature: 0.2,
    max_output_tokens: 99,
    reasoning: { effort: 'medium', summary: 'auto' },
    input: [
      {
        role: 'user',
        content: [
          { type: 'input_text', text: 'Hi' },
          { type: 'input_image', detail: 'auto', image_url: `data:image/png;base64,${onePixel}` },
        ],
      },
      { role: 'assistant', content: 'Yes?' },
      { role: 'user', content: [{ type: 'input_text', text: 'Go' }] },
    ],
  });
});

it('P3: reasoning summaries and open reasoning text, their parts set apart', async () => {
  const summary = (delta: string, index: number) =>
    responsesEvent('response.reasoning_summary_text.delta', { item_id: 'rs_1', output_index: 0, summary_index: index, delta });
  const outcome = await run(
    ...bytes(summary('First', 0), summary('.', 0), summary('Then.', 1), textDelta('Answer', 1), completed(['Answer'])),
  );
  expect(outcome).toMatchObject({ reasoning: 'First.\n\nThen.', text: 'Answer', last: { type: 'done', finish: 'stop' } });
  const open = await run(
    ...bytes(
      responsesEvent('response.reasoning_text.delta', { output_index: 0, delta: 'hm' }),
      textDelta('Answer', 1),
      completed(['Answer']),
    ),
  );
  expect(open.events).toContainEqual({ type: 'reasoning', text: 'hm', source: 'reasoning_text' });
});

it('P3: the whole text in done and completed events is not doubled, and counts when no delta came', async () => {
  expect((await run(...bytes(completed(['All', ' here'])))).text).toBe('All here');
  expect((await run(...json(responseDocument(['Not', ' streamed'])))).text).toBe('Not streamed');
});

it('P3: a text that comes whole, without deltas and without an output at the end, counts once', async () => {
  const done = (output: number, content: number, text: string) =>
    responsesEvent('response.output_text.done', { output_index: output, content_index: content, text });
  const last = responsesEvent('response.completed', { response: { ...responseDocument([]), output: [] } });
  expect((await run(...bytes(done(0, 0, 'One'), done(0, 1, ' and two'), done(0, 1, ' and two'), last))).text).toBe('One and two');
  expect((await run(...bytes(textDelta('One'), done(1, 0, 'One'), last))).text).toBe('One');
});

it('P3: several messages of one answer are set apart', async () => {
  expect((await run(...bytes(textDelta('One', 0), textDelta('Two', 1), textDelta('.', 1), completed(['x'])))).text).toBe('One\n\nTwo.');
});

it('P3: an incomplete answer says why', async () => {
  const incomplete = (reason: string) =>
    responsesEvent('response.incomplete', { response: { status: 'incomplete', incomplete_details: { reason }, output: [] } });
  expect(await run(...bytes(textDelta('abc'), incomplete('max_output_tokens')))).toMatchObject({
    text: 'abc',
    last: { type: 'done', finish: 'length' },
  });
  expect(await run(...bytes(textDelta('abc'), incomplete('content_filter')))).toMatchObject({
    text: 'abc',
    last: { type: 'done', finish: 'filtered' },
  });
});

it('P3: a refusal is shown and labelled', async () => {
  const refusal = responsesEvent('response.refusal.delta', { output_index: 0, delta: 'I will not.' });
  expect(await run(...bytes(refusal, completed([])))).toMatchObject({ text: 'I will not.', last: { type: 'done', finish: 'filtered' } });
});

it('P3, P4: failures inside the stream keep the text that came before', async () => {
  const failed = responsesEvent('response.failed', {
    response: { status: 'failed', error: { code: 'server_error', message: `It broke for ${testKey}` } },
  });
  const outcome = await run(...bytes(textDelta('abc'), failed));
  expect(outcome).toMatchObject({ text: 'abc', failure: { code: 'serverError' } });
  expect(JSON.stringify(outcome.failure)).not.toContain(testKey);
  const overflow = responsesEvent('error', {
    code: 'context_length_exceeded',
    message: 'Your input exceeds the context window of this model. Please adjust your input and try again.',
    param: 'input',
  });
  expect((await run(...bytes(overflow))).failure).toMatchObject({ code: 'overflowTokens' });
  expect((await run(...bytes(textDelta('abc')))).failure).toMatchObject({ code: 'connectionLost' });
  expect((await run(...bytes())).failure).toMatchObject({ code: 'emptyAnswer' });
  expect((await run(...bytes(completed([])))).failure).toMatchObject({ code: 'emptyAnswer' });
});

it('P3: a summary or an effort that is refused is left out', async () => {
  const { url, nth } = scripted(
    chatError(400, 'Your organization must be verified to generate reasoning summaries.', { param: 'reasoning.summary' }),
    chatError(400, "Unsupported parameter: 'reasoning.effort' is not supported with this model."),
    responsesStream(['ok']),
  );
  const outcome = await readAll(
    responsesProvider,
    ask('Hi', { parameters: { reasoningEffort: 'high' } }),
    connectTo('openai-responses', url),
  );
  expect(outcome.text).toBe('ok');
  expect((await nth(2)).json).toMatchObject({ reasoning: { effort: 'high' } });
  expect((await nth(3)).json).not.toHaveProperty('reasoning');
});
