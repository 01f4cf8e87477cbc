// P6 on the exact list that goes out: whatever a tree of turns was cut to, each dialect's body is one that its servers take.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ModelRequest, RequestMessage, VendorFamily } from '../../shared/model/request';
import type { Adjustment } from './adjust';
import { geminiParameters } from './gemini/geminiRequest';
import { chatBody } from './openai/chatRequest';
import { responsesBody } from './openai/responses';
import { withoutPictures } from './pictures/leaveOut';
import { ask, connectTo, onePixelBytes, readTool } from './providerFixture';
import { repairMessages } from './repair';
import { anyMessages, cutHistory } from './requestFixture';

const blobs = { ['a'.repeat(64)]: onePixelBytes };
const connection = connectTo('openai-chat', 'https://example.com/v1', { blobs });
const anyList = fc.oneof(
  anyMessages,
  cutHistory.map(({ list }) => list),
);
/** As attempts.ts makes it, without which nothing is sent. */
function wholeRequest(list: RequestMessage[], more: Partial<ModelRequest> = {}): ModelRequest {
  const request = ask('', { messages: list, system: 'Be brief.', tools: [readTool], ...more });
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
