import { afterAll, beforeAll, expect, it } from 'vitest';
import { end, head, type ScriptedServer, send, startScriptedServer } from '../../../e2e/fixtures/scriptedServer';
import { callChunk, chatChunk, chatError, chatStream, event } from '../../../e2e/fixtures/scripts/chat';
import type { ModelRequest, RequestMessage, RequestPart } from '../../../shared/model/request';
import { ask, connectTo, type Outcome, readAll, readTool, type ScriptedChat, scriptChat } from '../providerFixture';
import { chatProvider } from './chat';

let server: ScriptedServer;
let chat: ScriptedChat;
beforeAll(async () => {
  server = await startScriptedServer();
  chat = scriptChat(server, 'details');
});
afterAll(() => server.close());

const claude = 'anthropic/claude-sonnet-4.5';
const thought = (more: Record<string, unknown>) =>
  chatChunk({ reasoning_details: [{ type: 'reasoning.text', format: 'anthropic-claude-v1', index: 0, ...more }] });
const call = callChunk({ index: 0, id: 'c1', type: 'function', function: { name: 'read_file', arguments: '{"path":"a"}' } });
const stream = (...chunks: string[]) => [head(), send(chunks.join('')), send(chatChunk({}, 'tool_calls')), send(event('[DONE]')), end()];
const user: RequestMessage = { role: 'user', parts: [{ type: 'text', text: 'Go' }] };

/** What the answer looks like in the next request. */
function answered({ events }: Outcome): RequestMessage[] {
  const parts = events.flatMap((one): RequestPart[] => {
    if (one.type === 'vendor' && one.on === 'item') return [{ type: 'vendor', vendor: one.vendor }];
    return one.type === 'toolCall' ? [{ type: 'toolCall', callId: one.callId, name: one.name, arguments: one.arguments }] : [];
  });
  return [user, { role: 'assistant', parts: [{ type: 'reasoning', text: 'I look', source: 'reasoning' }, ...parts] }];
}
const post = (url: string, messages: RequestMessage[], more: Partial<ModelRequest> = {}) =>
  readAll(chatProvider, ask('', { modelId: claude, messages, tools: [readTool], ...more }), connectTo('openai-chat', url));

it('P6, X3: signed thoughts come in pieces, are kept whole, and go back as they came', async () => {
  const { url, nth } = chat(
    stream(thought({ text: 'I ' }), thought({ text: 'look' }), thought({ signature: 'Ab+/9==' }), call),
    chatStream(['ok']),
  );
  const first = await post(url, [user]);
  expect(first.reasoning).toBe('I look');
  await post(url, answered(first));
  expect((await nth(2)).json).toMatchObject({
    messages: [
      {},
      {
        role: 'assistant',
        tool_calls: [{ id: 'c1' }],
        reasoning_details: [{ type: 'reasoning.text', format: 'anthropic-claude-v1', index: 0, text: 'I look', signature: 'Ab+/9==' }],
      },
      { role: 'tool' },
    ],
  });
  // The details are the reasoning: its words do not go a second time.
  expect((await nth(2)).body).not.toContain('"reasoning":');
});

it('P6, X3: encrypted thoughts stay apart and in order, every field as it came', async () => {
  const details = [
    { type: 'reasoning.summary', summary: 'Short.', format: 'openai-responses-v1', index: 0 },
    { type: 'reasoning.encrypted', data: 'gAAA+/==', id: 'rs_1', format: 'openai-responses-v1', index: 0 },
    { type: 'reasoning.encrypted', data: 'gBBB\u2028', id: 'rs_2', format: 'openai-responses-v1', index: 0, extra: { z: 1, a: [null] } },
  ];
  const { url, nth } = chat(stream(...details.map((one) => chatChunk({ reasoning_details: [one] })), call), chatStream(['ok']));
  const first = await post(url, [user], { modelId: 'openai/gpt-5' });
  await post(url, answered(first), { modelId: 'openai/gpt-5-mini' });
  expect((await nth(2)).body).toContain(JSON.stringify(details));
});

it('P6, X3: they go to no other maker’s model, and words alone are not kept', async () => {
  const { url, nth } = chat(
    stream(thought({ text: 'hm', signature: 'Ab+/9==' }), call),
    chatStream(['ok']),
    stream(thought({ text: 'hm' }), call),
  );
  const first = await post(url, [user]);
  await post(url, answered(first), { modelId: 'openai/gpt-5' });
  expect((await nth(2)).body).not.toMatch(/reasoning_details|Ab\+/);
  expect((await post(url, [user])).events.filter(({ type }) => type === 'vendor')).toEqual([]);
});

it('P3: a server that refuses them gets the request without', async () => {
  const { url, nth } = chat(
    stream(thought({ text: 'hm', signature: 'Ab+/9==' }), call),
    chatError(400, "Unknown field 'reasoning_details' in messages[1]"),
    chatStream(['ok']),
  );
  const first = await post(url, [user]);
  expect((await post(url, answered(first))).text).toBe('ok');
  expect((await nth(3)).body).not.toContain('reasoning_details');
});
