// What is sent when tools are: the same history in each dialect, the data that goes only where it came from, and the second tries.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Recorded, type ScriptedServer, startScriptedServer } from '../../e2e/fixtures/scriptedServer';
import { chatError, chatStream } from '../../e2e/fixtures/scripts/chat';
import { geminiPath, geminiStream } from '../../e2e/fixtures/scripts/gemini';
import { responsesPath, responsesStream } from '../../e2e/fixtures/scripts/responses';
import type { ModelRequest, RequestMessage, RequestPart } from '../../shared/model/request';
import { geminiProvider } from './gemini/gemini';
import { chatProvider } from './openai/chat';
import { responsesProvider } from './openai/responses';
import { ask, connectTo, onePixel, onePixelBytes, readAll, readTool, type ScriptedChat, scriptChat } from './providerFixture';

let server: ScriptedServer;
let chat: ScriptedChat;
beforeAll(async () => {
  server = await startScriptedServer();
  chat = scriptChat(server, 'tools');
});
afterAll(() => server.close());

const hash = 'a'.repeat(64);
const blobs = { [hash]: onePixelBytes };
const reasoningItem = '{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"gAAA+/==","status":null,"extra":{"b":1,"a":[]}}';
const openai = { family: 'openai' as const, json: reasoningItem };
const signed = { family: 'gemini' as const, json: '{"thoughtSignature":"Ab+/9==\\u2028"}' };
const signature = 'Ab+/9==\u2028';
const text = (words: string): RequestPart => ({ type: 'text', text: words });
const say = (role: RequestMessage['role'], ...parts: RequestPart[]): RequestMessage => ({ role, parts });
const history: RequestMessage[] = [
  say('user', text('Go')),
  say(
    'assistant',
    { type: 'vendor', vendor: openai },
    { type: 'reasoning', text: 'hm', source: 'reasoning_content' },
    text('I look.'),
    { type: 'toolCall', callId: 'a', name: 'read_file', arguments: '{"path":"a"}', vendor: signed },
    { type: 'toolCall', callId: 'b', name: 'read_file', arguments: '{"path":' },
  ),
  say('tool', {
    type: 'toolResult',
    callId: 'a',
    name: 'read_file',
    content: 'seen',
    isError: false,
    images: [{ type: 'image', hash: hash as never, mime: 'image/png', name: 'x' }],
  }),
];
const request = (modelId: string, more: Partial<ModelRequest> = {}) => ask('', { modelId, messages: history, tools: [readTool], ...more });
const broken = 'The arguments of this call were not a JSON object, so it was not run. Write them again as one JSON object.';
const picture = `data:image/png;base64,${onePixel}`;

async function viaResponses(modelId: string, more: Partial<ModelRequest> = {}): Promise<Recorded> {
  const base = `/r-${modelId}-${server.requests.length}`;
  server.script(`POST ${base}${responsesPath}`, responsesStream(['ok']));
  await readAll(responsesProvider, request(modelId, more), connectTo('openai-responses', `${server.url}${base}/v1`, { blobs }));
  return server.request(`${base}${responsesPath}`);
}

async function viaGemini(modelId: string, more: Partial<ModelRequest> = {}): Promise<Recorded> {
  server.script(`POST ${geminiPath(modelId)}`, geminiStream(['ok']));
  await readAll(geminiProvider, request(modelId, more), connectTo('gemini', server.url, { blobs }));
  return server.request(geminiPath(modelId));
}

describe('the same history in each dialect', () => {
  it('P1, P6: Chat Completions', async () => {
    const { url, nth } = chat(chatStream(['ok']));
    await readAll(chatProvider, request('m1'), connectTo('openai-chat', url, { blobs }));
    expect((await nth(1)).json).toMatchObject({
      tools: [{ type: 'function', function: { name: 'read_file', description: 'Reads a file.', parameters: readTool.inputSchema } }],
    });
    const call = (id: string, args: string) => ({ id, type: 'function', function: { name: 'read_file', arguments: args } });
    expect((await nth(1)).json).toHaveProperty('messages', [
      { role: 'user', content: 'Go' },
      { role: 'assistant', content: 'I look.', tool_calls: [call('a', '{"path":"a"}'), call('b', '{}')], reasoning_content: 'hm' },
      { role: 'tool', tool_call_id: 'a', content: 'seen' },
      { role: 'tool', tool_call_id: 'b', content: broken },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Pictures of the result of read_file (a):' },
          { type: 'image_url', image_url: { url: picture } },
        ],
      },
    ]);
  });

  it('P1, P6, X3: Responses, the reasoning item every byte as it came', async () => {
    const sent = await viaResponses('o4-mini');
    expect(sent.json).toMatchObject({
      store: false,
      include: ['reasoning.encrypted_content'],
      tools: [{ type: 'function', name: 'read_file', description: 'Reads a file.', parameters: readTool.inputSchema, strict: false }],
    });
    expect(sent.json).toHaveProperty('input', [
      { role: 'user', content: [{ type: 'input_text', text: 'Go' }] },
      JSON.parse(reasoningItem),
      { role: 'assistant', content: 'I look.' },
      { type: 'function_call', call_id: 'a', name: 'read_file', arguments: '{"path":"a"}' },
      { type: 'function_call', call_id: 'b', name: 'read_file', arguments: '{}' },
      {
        type: 'function_call_output',
        call_id: 'a',
        output: [
          { type: 'input_text', text: 'seen' },
          { type: 'input_image', detail: 'auto', image_url: picture },
        ],
      },
      { type: 'function_call_output', call_id: 'b', output: broken },
    ]);
    expect(sent.body).toContain(reasoningItem);
    expect(sent.body).not.toContain('Ab+/9');
    expect((await viaResponses('gpt-4o')).json).not.toHaveProperty('include');
  });

  it('P1, P6, X3: Gemini, the signature on its call, responses equal in number and order', async () => {
    const sent = await viaGemini('gemini-2.5-pro-tools');
    expect(sent.json).toMatchObject({
      tools: [{ functionDeclarations: [{ name: 'read_file', description: 'Reads a file.', parametersJsonSchema: readTool.inputSchema }] }],
      contents: [
        { role: 'user', parts: [{ text: 'Go' }] },
        {
          role: 'model',
          parts: [
            { text: 'I look.' },
            { functionCall: { name: 'read_file', args: { path: 'a' } }, thoughtSignature: signature },
            { functionCall: { name: 'read_file', args: {} } },
          ],
        },
        {
          role: 'user',
          parts: [
            { functionResponse: { name: 'read_file', response: { output: 'seen' } } },
            { functionResponse: { name: 'read_file', response: { error: broken } } },
            { inlineData: { mimeType: 'image/png', data: onePixel } },
          ],
        },
      ],
    });
    expect(sent.body).not.toContain('encrypted_content');
  });

  it('X3: signatures go to Google’s models behind Chat Completions, and to no other', async () => {
    const { url, nth } = chat(chatStream(['ok']));
    await readAll(chatProvider, request('google/gemini-3-pro'), connectTo('openai-chat', url, { blobs }));
    await readAll(chatProvider, request('gpt-4o'), connectTo('openai-chat', url, { blobs }));
    expect((await nth(1)).json).toMatchObject({
      messages: [{}, { tool_calls: [{ id: 'a', extra_content: { google: { thought_signature: signature } } }, { id: 'b' }] }, {}, {}, {}],
    });
    expect((await nth(2)).body).not.toMatch(/extra_content|encrypted_content/);
  });
});

describe('reasoning goes back as the model wants it', () => {
  const thought = (words: string): RequestPart => ({ type: 'reasoning', text: words, source: 'reasoning_content' });
  const turns: RequestMessage[] = [
    say('user', text('1')),
    say('assistant', thought('plain'), text('one')),
    say('user', text('2')),
    say('assistant', thought('before'), { type: 'toolCall', callId: 'a', name: 'read_file', arguments: '{}' }),
    say('tool', { type: 'toolResult', callId: 'a', name: 'read_file', content: 'x', isError: false }),
    say('assistant', thought('after'), text('two')),
    say('user', text('3')),
  ];
  const thoughtsOf = (recorded: Recorded) => [...recorded.body.matchAll(/"reasoning_content":"([^"]*)"/g)].map(([, words]) => words);
  const send = (url: string, more: Partial<ModelRequest>) =>
    readAll(chatProvider, ask('', { messages: turns, tools: [readTool], ...more }), connectTo('openai-chat', url));

  it.each([
    ['never', []],
    ['always', ['plain', 'before', 'after']],
    ['withTools', ['before', 'after']],
  ] as const)('P3: %s', async (reasoningEcho, wanted) => {
    const { url, nth } = chat(chatStream(['ok']));
    await send(url, { reasoningEcho });
    expect(thoughtsOf(await nth(1))).toEqual(wanted);
  });

  it.each([
    ['never', 'The `reasoning_content` in the thinking mode must be passed back to the API.', ['before', 'after']],
    [
      'withTools',
      'thinking is enabled but reasoning_content is missing in assistant tool call message at index 1',
      ['plain', 'before', 'after'],
    ],
    ['always', 'The reasoning_content field is not allowed in input messages', []],
    ['withTools', "Unknown field 'reasoning_content' in messages[3]", []],
  ] as const)('P3: %s, refused, is tried once the other way and remembered', async (reasoningEcho, refusal, wanted) => {
    const { url, nth, requests } = chat(chatError(400, refusal), chatStream(['ok']));
    expect((await send(url, { reasoningEcho })).text).toBe('ok');
    expect(thoughtsOf(await nth(2))).toEqual(wanted);
    await send(url, { reasoningEcho });
    expect(requests()).toHaveLength(3);
    expect(thoughtsOf(await nth(3))).toEqual(wanted);
  });

  it('P3: a server that refuses both ways is not asked a third time', async () => {
    const { url, requests } = chat(
      chatError(400, 'The `reasoning_content` in the thinking mode must be passed back to the API.'),
      chatError(400, 'The reasoning_content field is not allowed in input messages'),
    );
    expect((await send(url, { reasoningEcho: 'never' })).failure).toMatchObject({ code: 'badRequest' });
    expect(requests()).toHaveLength(2);
  });

  it('P3: a call of another model, without reasoning, does not break a model that wants it', async () => {
    const { url, nth } = chat(chatStream(['ok']));
    const bare = turns.map((message) => ({ ...message, parts: message.parts.filter(({ type }) => type !== 'reasoning') }));
    await send(url, { reasoningEcho: 'withTools', messages: bare });
    expect(thoughtsOf(await nth(1))).toEqual([' ']);
  });
});

describe('second tries', () => {
  it('X3: Gemini takes calls of another model with its stand-in for a signature', async () => {
    const modelId = 'gemini-3-pro-standin';
    const refusal = {
      error: { code: 400, status: 'INVALID_ARGUMENT', message: 'Function call is missing a thought_signature in functionCall parts.' },
    };
    server.script(`POST ${geminiPath(modelId)}`, chatError(400, refusal.error.message, refusal.error), geminiStream(['ok']));
    const bare = (callId: string): RequestPart => ({ type: 'toolCall', callId, name: 'read_file', arguments: '{}' });
    const unsigned = [say('user', text('Go')), say('assistant', bare('x'), bare('y'))];
    const outcome = await readAll(geminiProvider, request(modelId, { messages: unsigned }), connectTo('gemini', server.url));
    expect(outcome.text).toBe('ok');
    expect((await server.request(geminiPath(modelId), 1)).body).not.toContain('thoughtSignature');
    expect((await server.request(geminiPath(modelId), 2)).json).toMatchObject({
      contents: [{}, { parts: [{ functionCall: {}, thoughtSignature: 'skip_thought_signature_validator' }, {}] }, {}],
    });
    expect((await server.request(geminiPath(modelId), 2)).body.match(/thoughtSignature/g)).toHaveLength(1);
    const { url, nth } = chat(chatError(400, refusal.error.message), chatStream(['ok']));
    await readAll(chatProvider, request('gemini-3-pro', { messages: unsigned }), connectTo('openai-chat', url));
    expect((await nth(2)).json).toMatchObject({
      messages: [
        {},
        { tool_calls: [{ extra_content: { google: { thought_signature: 'skip_thought_signature_validator' } } }, {}] },
        {},
        {},
      ],
    });
    expect((await nth(2)).body.match(/extra_content/g)).toHaveLength(1);
  });

  it('X3: a gateway’s own name for a model of Google gets the signatures once it asks for them', async () => {
    const refusal = 'Function call is missing a thought_signature in functionCall parts.';
    const { url, nth } = chat(chatError(400, refusal), chatStream(['ok']), chatStream(['ok']));
    const connection = connectTo('openai-chat', url, { blobs });
    expect((await readAll(chatProvider, request('team-fast'), connection)).text).toBe('ok');
    expect((await nth(1)).body).not.toContain('extra_content');
    const signed = { messages: [{}, { tool_calls: [{ extra_content: { google: { thought_signature: signature } } }, {}] }, {}, {}, {}] };
    expect((await nth(2)).json).toMatchObject(signed);
    // And from then on without being asked.
    await readAll(chatProvider, request('team-fast'), connection);
    expect((await nth(3)).json).toMatchObject(signed);
  });

  it('P6: ids of calls that another model’s server named and this one does not take are made plain, each result with its call', async () => {
    const named = (callId: string): RequestPart => ({ type: 'toolCall', callId, name: 'read_file', arguments: '{}' });
    const result = (callId: string): RequestPart => ({ type: 'toolResult', callId, name: 'read_file', content: callId, isError: false });
    const long = `functions.read_file:0 é${'x'.repeat(300)}`;
    const messages = [
      say('user', text('Go')),
      say('assistant', named(long), named('call00000')),
      say('tool', result(long), result('call00000')),
      say('assistant', named('call_Zx81')),
      say('tool', result('call_Zx81')),
    ];
    const refusal = 'Tool call id was call_Zx81 but must be a-z, A-Z, 0-9, with a length of 9.';
    const { url, nth } = chat(chatError(400, refusal), chatStream(['ok']));
    expect((await readAll(chatProvider, request('mistral-x', { messages }), connectTo('openai-chat', url))).text).toBe('ok');
    expect((await nth(2)).json).toMatchObject({
      messages: [
        {},
        { tool_calls: [{ id: 'call00001' }, { id: 'call00000' }] },
        { tool_call_id: 'call00001', content: long },
        { tool_call_id: 'call00000', content: 'call00000' },
        { tool_calls: [{ id: 'call00002' }] },
        { tool_call_id: 'call00002', content: 'call_Zx81' },
      ],
    });
    const base = '/r-plain';
    const tooLong = "Invalid 'input[1].call_id': string too long. Expected a string with maximum length 64.";
    server.script(`POST ${base}${responsesPath}`, chatError(400, tooLong), responsesStream(['ok']));
    const connection = connectTo('openai-responses', `${server.url}${base}/v1`);
    expect((await readAll(responsesProvider, request('gpt-x', { messages }), connection)).text).toBe('ok');
    const { input } = (await server.request(`${base}${responsesPath}`, 2)).json as { input: { call_id?: string }[] };
    expect(input.flatMap((item) => item.call_id ?? [])).toEqual([
      'call00001',
      'call00000',
      'call00001',
      'call00000',
      'call00002',
      'call00002',
    ]);
  });

  it('X3: reasoning items that a server cannot read, and encrypted reasoning that it does not know, are left out', async () => {
    const base = '/items';
    server.script(
      `POST ${base}${responsesPath}`,
      chatError(400, 'The encrypted content gAAA could not be verified.', { code: 'invalid_encrypted_content' }),
      chatError(400, 'Encrypted content is not supported with this model.', { param: 'include' }),
      responsesStream(['ok']),
    );
    const outcome = await readAll(
      responsesProvider,
      request('o4-mini'),
      connectTo('openai-responses', `${server.url}${base}/v1`, { blobs }),
    );
    expect(outcome.text).toBe('ok');
    const [first, second, third] = await Promise.all([1, 2, 3].map((n) => server.request(`${base}${responsesPath}`, n)));
    expect(first?.body).toContain(reasoningItem);
    expect(second?.body).not.toContain('"type":"reasoning"');
    expect(second?.json).toHaveProperty('include');
    expect(third?.json).not.toHaveProperty('include');
  });

  it('P6: a server that takes no words behind a result gets an answer between them', async () => {
    const { url, nth } = chat(chatError(400, "Unexpected role 'user' after role 'tool'"), chatStream(['ok']));
    await readAll(
      chatProvider,
      request('m1', { messages: [...history, say('user', text('Wait'))] }),
      connectTo('openai-chat', url, { blobs }),
    );
    expect((await nth(2)).json).toMatchObject({
      messages: [{}, {}, { role: 'tool' }, { role: 'tool' }, { role: 'assistant', content: 'Understood.' }, { role: 'user' }],
    });
  });
});
