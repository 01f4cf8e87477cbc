import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Agent } from '../../shared/model/agent';
import type { AgentId, BlobHash, ConversationId, MessageId, TurnId } from '../../shared/model/ids';
import type { Message } from '../../shared/model/message';
import { estimateTokens } from '../../shared/text/estimateTokens';
import { buildRequest } from './buildRequest';
import { addMessage, emptySum, measureContext } from './measureContext';
import { mostTokens } from './mostTokens';
import { brokeOff, continueOrder } from './wording';

const agent: Agent = {
  id: 'a' as AgentId,
  name: 'A',
  model: 'p/m',
  systemPrompt: 'sys',
  tools: [],
  approval: 'ask',
  parameters: { temperature: 0.5 },
};
const message = (role: Message['role'], text: string, more: Partial<Message> = {}): Message => ({
  id: `msg_${text}` as MessageId,
  conversationId: 'cnv_1' as ConversationId,
  parentId: null,
  role,
  status: 'complete',
  parts: [{ type: 'text', text }],
  createdAt: 0,
  ...more,
});
const build = (path: Message[], model = { id: 'm' }, texts = new Map<BlobHash, string>()) => buildRequest({ path, agent, model, texts });

it('X9: an interrupted answer goes as one line, whole once it was continued', () => {
  const turnId = 'trn_1' as TurnId;
  const cut = message('assistant', 'half', { status: 'interrupted', turnId });
  const left = build([message('user', 'q'), cut, message('user', 'next')]);
  expect(left.messages[1]).toEqual({ role: 'assistant', parts: [{ type: 'text', text: brokeOff }] });
  const continued = build([message('user', 'q'), cut, message('assistant', 'rest', { turnId }), message('user', 'next')]);
  expect(continued.messages[1]).toEqual({ role: 'assistant', parts: [{ type: 'text', text: 'half' }] });
  const now = build([message('user', 'q'), cut]);
  expect(now.messages.slice(1)).toEqual([
    { role: 'assistant', parts: [{ type: 'text', text: 'half' }] },
    { role: 'user', parts: [{ type: 'text', text: continueOrder }] },
  ]);
});

it('X9: an answer stopped before its first word, then continued, is simply answered', () => {
  const turnId = 'trn_1' as TurnId;
  const empty = message('assistant', '', { status: 'interrupted', turnId, parts: [] });
  expect(build([message('user', 'q'), empty]).messages).toEqual([{ role: 'user', parts: [{ type: 'text', text: 'q' }] }]);
  expect(build([message('user', 'q'), empty, message('user', 'next')]).messages[1]?.parts).toEqual([{ type: 'text', text: brokeOff }]);
});

it('P2: a picture goes only to a model that sees; the others are told', () => {
  const image = message('user', 'q', { parts: [{ type: 'image', hash: 'h' as BlobHash, mime: 'image/png', name: 'cat.png', size: 1 }] });
  expect(build([image], { id: 'm', vision: true } as never).messages[0]?.parts[0]).toMatchObject({ type: 'image', hash: 'h' });
  expect(build([image], { id: 'm', vision: false } as never).messages[0]?.parts[0]).toMatchObject({ type: 'text' });
});

it('U4: the text of a file goes along under its name; a lost one is told, never a bare reference', () => {
  const file = message('user', 'q', {
    parts: [{ type: 'file', hash: 'h' as BlobHash, mime: 'text/plain', name: 'a"<b>.txt', size: 1, textHash: 't' as BlobHash }],
  });
  expect(build([file], { id: 'm' }, new Map([['t' as BlobHash, 'inside']])).messages[0]?.parts[0]).toEqual({
    type: 'text',
    text: '<file name="a  b .txt">\ninside\n</file>',
  });
  expect(build([file]).messages[0]?.parts[0]).toMatchObject({ text: expect.stringContaining('no longer') });
});

it('P3, X3: reasoning goes along with the model’s policy, which the adapters follow; never without one', () => {
  const thought = message('assistant', 'a', {
    parts: [
      { type: 'reasoning', text: 'hm', source: 'x' },
      { type: 'text', text: 'a' },
    ],
  });
  const path = [message('user', 'q'), thought, message('user', 'n')];
  expect(build(path)).toMatchObject({ reasoningEcho: 'never', messages: [{}, { parts: thought.parts }, {}] });
  expect(build(path, { id: 'm', reasoningEcho: 'withTools' } as never).reasoningEcho).toBe('withTools');
});

it('X9: an answer that was stopped while it still thought says nothing', () => {
  const turnId = 'trn_1' as TurnId;
  const thinking = message('assistant', 'a', { status: 'interrupted', turnId, parts: [{ type: 'reasoning', text: 'hm' }] });
  expect(build([message('user', 'q'), thinking]).messages).toEqual([{ role: 'user', parts: [{ type: 'text', text: 'q' }] }]);
});

it('T1: always: the same path gives the same bytes, and every complete text is in it', () => {
  const path = fc.array(
    fc.record({
      role: fc.constantFrom('user' as const, 'assistant' as const),
      text: fc.string({ minLength: 1 }).filter((text) => text.trim() !== ''),
    }),
  );
  fc.assert(
    fc.property(path, (entries) => {
      const messages = entries.map(({ role, text }) => message(role, text));
      const request = build(messages);
      expect(JSON.stringify(build(structuredClone(messages)))).toBe(JSON.stringify(request));
      expect(request.messages.slice(0, entries.length).map((entry) => entry.parts)).toEqual(messages.map((entry) => entry.parts));
    }),
  );
});

it('U4: the ring rests on reported use plus what came after, or on the estimate where that is more', () => {
  const model = { id: 'm', contextWindow: 1000, maxOutput: 200 };
  const path = [
    message('user', 'q'),
    message('assistant', 'a', { usage: { input: 500, output: 60, reasoning: 10 } }),
    message('user', 'x'.repeat(410)),
  ];
  const reported = measureContext(path.reduce(addMessage, emptySum), 'sys', model);
  expect(reported.reported).toBe(true);
  expect(reported.tokens).toBe(500 + 50 + 4 + estimateTokens('x'.repeat(410)));
  const estimated = measureContext([message('user', 'x'.repeat(4100))].reduce(addMessage, emptySum), '', null);
  expect(estimated).toMatchObject({ reported: false, window: null, tokens: 4 + estimateTokens('x'.repeat(4100)) });
});

it.each([
  ['The quick brown fox jumps over the lazy dog near the river bank today.', 15],
  ['Съешь же ещё этих мягких французских булок, да выпей чаю.', 18],
  ['敏捷的棕色狐狸跳过了懒狗然后继续向前跑。', 15],
])('U4: %j is about %i tokens', (text, tokens) => {
  expect(Math.abs(estimateTokens(text) - tokens) / tokens).toBeLessThan(0.35);
});

it('L7: always: the quick bound is never below the estimate', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(mostTokens(text)).toBeGreaterThanOrEqual(estimateTokens(text));
    }),
  );
});
