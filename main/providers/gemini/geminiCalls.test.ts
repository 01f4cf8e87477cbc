// Gemini: tool calls, their ids and their signatures (P3, X3).
import { afterAll, beforeAll, expect, it } from 'vitest';
import { end, head, type ScriptedServer, type Step, send, startScriptedServer } from '../../../e2e/fixtures/scriptedServer';
import { geminiChunk, geminiEvent, geminiPath, geminiStream } from '../../../e2e/fixtures/scripts/gemini';
import type { ModelRequest, RequestMessage } from '../../../shared/model/request';
import { ask, connectTo, type Outcome, readAll, readTool } from '../providerFixture';
import { geminiProvider } from './gemini';

let server: ScriptedServer;
let served = 0;
beforeAll(async () => {
  server = await startScriptedServer();
});
afterAll(() => server.close());

const signature = 'Ab+/9==\u2028"\\é';
function run(events: string[], more: Partial<ModelRequest> = {}): Promise<Outcome> {
  served += 1;
  const modelId = `gemini-2.5-flash-c${served}`;
  const steps: Step[] = [head(), send(events.join('')), end()];
  server.script(`POST ${geminiPath(modelId)}`, steps);
  return readAll(geminiProvider, ask('Hi', { modelId, tools: [readTool], ...more }), connectTo('gemini', server.url));
}
const call = (args: unknown, more: Record<string, unknown> = {}, id?: string) => ({
  functionCall: { ...(id ? { id } : {}), name: 'read_file', args },
  ...more,
});
const said = ({ calls }: Outcome) => calls.map(({ callId, arguments: text }) => `${callId} ${text}`);

it('P3, X3: text and parallel calls, whole, over several chunks; the signature byte for byte on its call', async () => {
  const outcome = await run([
    geminiChunk([{ text: 'I look.' }]),
    geminiChunk([call({ path: 'a' }, { thoughtSignature: signature }), call({ path: 'b' })]),
    geminiChunk([call(undefined)], 'STOP'),
  ]);
  expect(outcome.text).toBe('I look.');
  expect(outcome.events.slice(2, 5)).toEqual([
    { type: 'toolCallStarted', index: 0, name: 'read_file' },
    { type: 'toolCallDelta', index: 0, name: 'read_file', text: '{"path":"a"}' },
    {
      type: 'toolCall',
      index: 0,
      callId: 'call00000',
      name: 'read_file',
      arguments: '{"path":"a"}',
      valid: true,
      vendor: { family: 'gemini', json: JSON.stringify({ thoughtSignature: signature }) },
    },
  ]);
  expect(said(outcome)).toEqual(['call00000 {"path":"a"}', 'call00001 {"path":"b"}', 'call00002 {}']);
  expect(outcome.calls.slice(1).map(({ vendor }) => vendor)).toEqual([undefined, undefined]);
  expect(outcome.last).toEqual({ type: 'done', finish: 'toolCalls' });
});

it('P3: missing ids are made up the same each time, and meet none of the conversation', async () => {
  const messages: RequestMessage[] = [
    { role: 'user', parts: [{ type: 'text', text: 'Go' }] },
    { role: 'assistant', parts: [{ type: 'toolCall', callId: 'call0000z', name: 'read_file', arguments: '{}' }] },
    { role: 'tool', parts: [{ type: 'toolResult', callId: 'call0000z', name: 'read_file', content: 'x', isError: false }] },
  ];
  for (let again = 0; again < 2; again += 1)
    expect(said(await run([geminiChunk([call({}), call({ n: 1 })], 'STOP')], { messages }))).toEqual(['call00010 {}', 'call00011 {"n":1}']);
});

it('X3: ids that Gemini gave go back with call and response; what came comes back in the same parts', async () => {
  const first = await run([
    geminiChunk([{ text: 'hm', thought: true, thoughtSignature: 'dGg=' }]),
    geminiChunk([{ text: 'I look.' }]),
    geminiChunk([{ text: '', thoughtSignature: 'dHg=' }]),
    geminiChunk([call({ path: 'a' }, { thoughtSignature: signature }, 'fc-1'), call({ path: 'b' }, {}, 'fc-2')], 'STOP'),
  ]);
  const vendorOf = (on: string) => first.events.flatMap((event) => (event.type === 'vendor' && event.on === on ? [event.vendor] : []))[0];
  const messages: RequestMessage[] = [
    { role: 'user', parts: [{ type: 'text', text: 'Go' }] },
    {
      role: 'assistant',
      parts: [
        { type: 'reasoning', text: first.reasoning, vendor: vendorOf('reasoning') },
        { type: 'text', text: first.text, vendor: vendorOf('text') },
        ...first.calls.map(({ callId, name, arguments: text, vendor }) => ({
          type: 'toolCall' as const,
          callId,
          name,
          arguments: text,
          vendor,
        })),
      ],
    },
    {
      role: 'tool',
      parts: first.calls.map(({ callId, name }) => ({ type: 'toolResult' as const, callId, name, content: name, isError: false })),
    },
  ];
  server.script(`POST ${geminiPath('gemini-back')}`, geminiStream(['ok']));
  await readAll(geminiProvider, ask('', { modelId: 'gemini-back', messages, tools: [readTool] }), connectTo('gemini', server.url));
  expect((await server.request(geminiPath('gemini-back'))).json).toHaveProperty('contents', [
    { role: 'user', parts: [{ text: 'Go' }] },
    {
      role: 'model',
      parts: [
        { text: 'hm', thought: true, thoughtSignature: 'dGg=' },
        { text: 'I look.', thoughtSignature: 'dHg=' },
        call({ path: 'a' }, { thoughtSignature: signature }, 'fc-1'),
        call({ path: 'b' }, {}, 'fc-2'),
      ],
    },
    {
      role: 'user',
      parts: ['fc-1', 'fc-2'].map((id) => ({ functionResponse: { id, name: 'read_file', response: { output: 'read_file' } } })),
    },
  ]);
});

it.each(['MALFORMED_FUNCTION_CALL', 'UNEXPECTED_TOOL_CALL', 'TOO_MANY_TOOL_CALLS', 'MISSING_THOUGHT_SIGNATURE'])(
  'P3: %s is a failure with its reason, with and without text and calls before it',
  async (word) => {
    expect((await run([geminiEvent({ candidates: [{ index: 0, finishReason: word }] })])).failure).toMatchObject({
      code: 'emptyAnswer',
      retryable: true,
      detail: { providerText: word },
    });
    const after = await run([geminiChunk([{ text: 'I look.' }]), geminiChunk([call({})], word)]);
    expect(after).toMatchObject({ text: 'I look.', failure: { code: 'badResponse', retryable: true, detail: { providerText: word } } });
  },
);

it('P3: a call that was not asked for is no answer', async () => {
  expect(await run([geminiChunk([call({})], 'STOP')], { tools: [] })).toMatchObject({ calls: [], failure: { code: 'emptyAnswer' } });
});
