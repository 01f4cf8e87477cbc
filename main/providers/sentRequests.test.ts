// P6 on the exact list that goes out: whatever a tree of turns was cut to, each dialect's body is one that its servers take.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ModelRequest, RequestMessage, VendorFamily } from '../../shared/model/request';
import type { Adjustment } from './adjust';
import { geminiParameters } from './gemini/geminiRequest';
import { chatBody, usableAdjustments } from './openai/chatRequest';
import { responsesBody } from './openai/responses';
import { withoutPictures } from './pictures/leaveOut';
import type { Connection } from './port';
import { ask, connectTo, onePixelBytes, readTool } from './providerFixture';
import { repairMessages } from './repair';
import { anyMessages, cutHistory } from './requestFixture';
import { placeSystem } from './systemRole';

const memory: RequestMessage = { role: 'system', parts: [{ type: 'text', text: 'What was done.' }] };
const blobs = { ['a'.repeat(64)]: onePixelBytes };
const connection = connectTo('openai-chat', 'https://example.com/v1', { blobs });
const anyList = fc.oneof(
  anyMessages,
  cutHistory.map(({ list }) => list),
  // A memory may stand anywhere in a list that was cut.
  fc.tuple(anyMessages, fc.nat(12)).map(([list, at]) => [...list.slice(0, at), memory, ...list.slice(at)]),
);
/** As attempts.ts makes it, without which nothing is sent. */
function wholeRequest(list: RequestMessage[], more: Partial<ModelRequest> = {}, provider = connection.provider): ModelRequest {
  const request = ask('', { messages: placeSystem(list, provider), system: 'Be brief.', tools: [readTool], ...more });
  return { ...request, messages: repairMessages(withoutPictures(request, 5)) };
}
const runs = { numRuns: 300 };
const isBlank = (text: unknown) => typeof text !== 'string' || text.trim() === '';
const isObjectText = (text: string) => {
  const value: unknown = JSON.parse(text);
  return typeof value === 'object' && value !== null && !Array.isArray(value);
};

/** The texts that only their family may see, as they occur in a body, in order; `marks` finds them. */
const marks: Record<VendorFamily, RegExp> = { gemini: /sig-\d\S*?==/g, openai: /secret-\d\S*?==/g, openrouter: /detail-\d\S*?==/g };
const found = (body: unknown, family: VendorFamily) => JSON.stringify(body).match(marks[family]) ?? [];
function kept({ messages }: ModelRequest, family: VendorFamily, types: readonly string[]): string[] {
  const parts = messages.filter(({ role }) => role === 'assistant').flatMap(({ parts: all }) => all);
  return parts.flatMap((part) =>
    types.includes(part.type) && 'vendor' in part && part.vendor?.family === family ? (part.vendor.json.match(marks[family]) ?? []) : [],
  );
}

describe('Chat Completions', () => {
  const options = fc.record({
    reasoningEcho: fc.constantFrom('never' as const, 'always' as const, 'withTools' as const, undefined),
    modelId: fc.constantFrom('google/gemini-3-pro', 'anthropic/claude-sonnet-5', 'm1'),
    applied: fc.subarray<Adjustment>(['bridgeTools', 'systemAsUser', 'noReasoningEcho', 'noReasoningItems']),
  });

  it('P6: each result follows its call, roles take turns, nothing is empty, arguments are objects', async () => {
    await fc.assert(
      fc.asyncProperty(anyList, options, async (list, { applied, ...more }) => {
        const { messages } = await chatBody(wholeRequest(list, more), connection, 'https://example.com/v1', new Set(applied));
        let open: string[] = [];
        messages.forEach((message, at) => {
          const before = messages[at - 1]?.role;
          if (message.role === 'tool') expect(message.tool_call_id).toBe(open.shift());
          else expect(open).toEqual([]);
          if (at === 0) expect(message.role).toBe(applied.includes('systemAsUser') ? 'user' : 'system');
          else if (message.role === 'user')
            expect(applied.includes('bridgeTools') ? ['system', 'assistant'] : ['system', 'assistant', 'tool']).toContain(before);
          else if (message.role === 'assistant') expect(['user', 'tool']).toContain(before);
          if (message.role === 'assistant' && message.tool_calls) {
            open = message.tool_calls.map(({ id }) => id);
            expect(message.tool_calls.every((call) => call.type === 'function' && isObjectText(call.function.arguments))).toBe(true);
          } else expect(Array.isArray(message.content) ? message.content.length === 0 : isBlank(message.content)).toBe(false);
          if (Array.isArray(message.content))
            for (const part of message.content) if (part.type === 'text') expect(isBlank(part.text)).toBe(false);
        });
        expect(open).toEqual([]);
        if (messages.length > 1) expect(messages.at(-1)?.role).not.toBe('assistant');
      }),
      runs,
    );
  });

  it('P3, P6, X3: reasoning as the policy says, signatures and details to their own only, every byte', async () => {
    await fc.assert(
      fc.asyncProperty(anyList, options, async (list, { applied, ...more }) => {
        const request = wholeRequest(list, more);
        const body = await chatBody(request, connection, 'https://example.com/v1', new Set(applied));
        const isGoogle = more.modelId.includes('gemini');
        expect(found(body, 'gemini')).toEqual(isGoogle ? kept(request, 'gemini', ['toolCall']) : []);
        expect(found(body, 'openrouter')).toEqual(
          isGoogle && !applied.includes('noReasoningItems') ? kept(request, 'openrouter', ['vendor']) : [],
        );
        expect(found(body, 'openai')).toEqual([]);
        const answers = body.messages.filter((message) => message.role === 'assistant' && message.content !== 'Understood.');
        const own = request.messages.filter(({ role }) => role === 'assistant');
        expect(answers).toHaveLength(own.length);
        answers.forEach((answer, at) => {
          const said = 'reasoning_content' in answer ? answer.reasoning_content : null;
          const thought = own[at]?.parts.flatMap((part) => (part.type === 'reasoning' ? [part.text] : [])).join('') ?? '';
          const called = isTurnWithCalls(request.messages, own[at]);
          const wanted =
            !applied.includes('noReasoningEcho') && (more.reasoningEcho === 'withTools' ? called : more.reasoningEcho !== 'never');
          if ('reasoning_details' in answer) expect(said).toBeNull();
          else if (!wanted) expect(said).toBeNull();
          else if (thought !== '') expect(said).toBe(thought);
          else expect([null, ' ']).toContain(said);
        });
      }),
      runs,
    );
  });
});

/** From one message of the user to the next. */
function isTurnWithCalls(messages: readonly RequestMessage[], message: RequestMessage | undefined): boolean {
  let turn: RequestMessage[] = [];
  for (const one of messages) {
    if (one.role === 'user') {
      if (message && turn.includes(message)) break;
      turn = [];
    }
    turn.push(one);
  }
  return turn.some(({ parts }) => parts.some(({ type }) => type === 'toolCall'));
}

it('L7: the size of a picture is for counting, and is sent to nobody', async () => {
  const picture = { type: 'image' as const, hash: 'a'.repeat(64) as never, mime: 'image/png', name: 'x', width: 4321, height: 8765 };
  const request = wholeRequest([
    { role: 'user', parts: [picture] },
    { role: 'assistant', parts: [{ type: 'toolCall', callId: 'c', name: 'read_file', arguments: '{}' }] },
    { role: 'tool', parts: [{ type: 'toolResult', callId: 'c', name: 'read_file', content: 'it', isError: false, images: [picture] }] },
  ]);
  const bodies = [
    await chatBody(request, connection, 'https://example.com/v1', new Set()),
    await responsesBody(request, connection, new Set()),
    await geminiParameters(request, connection, new Set()),
  ];
  for (const body of bodies) {
    const text = JSON.stringify(body);
    expect(text).toContain(Buffer.from(onePixelBytes).toString('base64'));
    expect(text).not.toMatch(/4321|8765|"(?:width|height)"/);
  }
});

describe('a message of the system among the others', () => {
  const says = (role: 'user' | 'assistant' | 'system', text: string): RequestMessage => ({ role, parts: [{ type: 'text', text }] });
  const list = [says('user', 'first'), says('system', 'card'), says('user', 'now'), says('assistant', 'a'), says('user', 'next')];
  const openai = (kind: 'openai-chat' | 'openai-responses', baseUrl?: string) => connectTo(kind, baseUrl, { blobs });
  const chatRoles = async (to: Connection, applied: Adjustment[] = []) => {
    const { messages } = await chatBody(wholeRequest(list, {}, to.provider), to, 'https://api.openai.com/v1', new Set(applied));
    return messages.map(({ role, content }) => [role, content]);
  };

  it('L8: OpenAI’s own Chat Completions take it where it stands, as system', async () => {
    for (const baseUrl of [undefined, 'https://api.openai.com/v1', 'https://eu.api.openai.com/v1'])
      expect(await chatRoles(openai('openai-chat', baseUrl))).toEqual([
        ['system', 'Be brief.'],
        ['user', 'first'],
        ['system', 'card'],
        ['user', 'now'],
        ['assistant', 'a'],
        ['user', 'next'],
      ]);
  });

  it('L8: a model that takes no system message at all gets it as the user’s', async () => {
    const roles = await chatRoles(openai('openai-chat'), ['systemAsUser']);
    expect(roles.map(([role]) => role)).not.toContain('system');
    expect(JSON.stringify(roles)).toContain('card');
    expect(usableAdjustments(wholeRequest(list, { system: '' }, openai('openai-chat').provider), openai('openai-chat'))).toContain(
      'systemAsUser',
    );
  });

  it('L8: OpenAI’s own Responses take it as developer', async () => {
    const to = openai('openai-responses');
    const { input, instructions } = await responsesBody(wholeRequest(list, {}, to.provider), to, new Set());
    if (!Array.isArray(input)) throw new Error('items expected');
    expect(input.map((item) => ('role' in item ? item.role : item.type))).toEqual(['user', 'developer', 'user', 'assistant', 'user']);
    expect(input[1]).toEqual({ role: 'developer', content: 'card' });
    expect(instructions).toBe('Be brief.');
  });

  it('L8: every other server gets it as the user’s, in one message with its neighbours', async () => {
    for (const baseUrl of [
      'https://openrouter.ai/api/v1',
      'http://127.0.0.1:1234/v1',
      'https://x.openai.azure.com/v1',
      'https://api.openai.com.example/v1',
    ])
      expect(await chatRoles(openai('openai-chat', baseUrl))).toEqual([
        ['system', 'Be brief.'],
        ['user', 'first\n\ncard\n\nnow'],
        ['assistant', 'a'],
        ['user', 'next'],
      ]);
    const responses = openai('openai-responses', 'https://gateway.example/v1');
    const { input } = await responsesBody(wholeRequest(list, {}, responses.provider), responses, new Set());
    expect(Array.isArray(input) && input.map((item) => ('role' in item ? item.role : ''))).toEqual(['user', 'assistant', 'user']);
    const gemini = connectTo('gemini', undefined);
    const { contents } = await geminiParameters(wholeRequest(list, {}, gemini.provider), gemini, new Set());
    expect(contents).toMatchObject([
      { role: 'user', parts: [{ text: 'first' }, { text: 'card' }, { text: 'now' }] },
      { role: 'model' },
      { role: 'user' },
    ]);
  });

  it('L8: pictures are the user’s everywhere', () => {
    const pages: RequestMessage = {
      role: 'system',
      parts: [{ type: 'image', hash: 'a'.repeat(64) as never, mime: 'image/png', name: 'page 1' }],
    };
    expect(placeSystem([pages, memory], openai('openai-chat').provider).map(({ role }) => role)).toEqual(['user', 'system']);
  });
});

describe('Responses', () => {
  it('P6, X3: each output has its call before it, in order; reasoning items every byte, and nobody else’s', async () => {
    await fc.assert(
      fc.asyncProperty(anyList, fc.boolean(), async (list, refused) => {
        const request = wholeRequest(list, { modelId: 'o4-mini' });
        const body = await responsesBody(request, connection, new Set(refused ? (['noReasoningItems'] as const) : []));
        const items = Array.isArray(body.input) ? body.input : [];
        const open: string[] = [];
        let isAnswering = false;
        for (const item of items) {
          if (item.type === 'function_call') {
            expect(isAnswering).toBe(false);
            expect(isObjectText(item.arguments)).toBe(true);
            open.push(item.call_id);
          } else if (item.type === 'function_call_output') {
            expect(item.call_id).toBe(open.shift());
            expect(item.output.length).toBeGreaterThan(0);
            isAnswering = open.length > 0;
          } else if ('role' in item && 'content' in item) {
            if (item.role === 'user') expect(open).toEqual([]);
            const { content } = item;
            expect(Array.isArray(content) ? content.length === 0 : isBlank(content)).toBe(false);
            if (Array.isArray(content)) for (const part of content) if (part.type === 'input_text') expect(isBlank(part.text)).toBe(false);
          }
        }
        expect(open).toEqual([]);
        const last = items.at(-1);
        if (last) expect(last.type === 'function_call_output' || ('role' in last && last.role === 'user')).toBe(true);
        expect(found(body, 'openai')).toEqual(refused ? [] : kept(request, 'openai', ['vendor']));
        expect([...found(body, 'gemini'), ...found(body, 'openrouter')]).toEqual([]);
      }),
      runs,
    );
  });
});

describe('Gemini', () => {
  it('P6, X3: contents take turns, responses equal calls in number and order, signatures every byte, and nobody else’s', async () => {
    await fc.assert(
      fc.asyncProperty(anyList, async (list) => {
        const request = wholeRequest(list, { modelId: 'gemini-3-pro' });
        const { contents, config } = await geminiParameters(request, connection, new Set());
        if (!Array.isArray(contents)) throw new Error('contents expected');
        let calls: (string | undefined)[] = [];
        contents.forEach((content, at) => {
          if (typeof content !== 'object' || !('role' in content)) throw new Error('a content expected');
          const before = contents[at - 1];
          const isFirst = typeof before !== 'object' || !('role' in before);
          if (content.role === 'model') expect(isFirst ? null : before.role).toBe('user');
          // Words behind results are a content of their own.
          else if (!isFirst && before.role === 'user') expect(before.parts?.[0]).toHaveProperty('functionResponse');
          const parts = content.parts ?? [];
          expect(parts.length).toBeGreaterThan(0);
          expect(parts.flatMap(({ functionResponse }) => (functionResponse ? [functionResponse.name] : []))).toEqual(calls);
          // Responses stand before everything else.
          expect(parts.slice(0, calls.length).every(({ functionResponse }) => functionResponse)).toBe(true);
          calls = parts.flatMap(({ functionCall }) => (functionCall ? [functionCall.name] : []));
          for (const part of parts) if ('text' in part) expect(isBlank(part.text)).toBe(false);
        });
        expect(calls).toEqual([]);
        const last = contents.at(-1);
        if (last) expect(last).toHaveProperty('role', 'user');
        expect(found(contents, 'gemini')).toEqual(kept(request, 'gemini', ['text', 'reasoning', 'toolCall']));
        expect([...found(contents, 'openai'), ...found(contents, 'openrouter')]).toEqual([]);
        expect(config?.systemInstruction).toBe('Be brief.');
      }),
      runs,
    );
  });
});
