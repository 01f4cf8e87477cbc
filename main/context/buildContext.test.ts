// What an agent is sent of a path: its own steps as they were, others as text (X1, X3).
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Agent } from '../../shared/model/agent';
import type { AgentId, ConversationId, MessageId, StepId, TurnId } from '../../shared/model/ids';
import type { Message } from '../../shared/model/message';
import type { Step, StepPart, StepResult } from '../../shared/model/transcript';
import { buildContext } from './buildRequest';
import { brokeOff, cancelled, continueOrder } from './wording';

const me = 'me' as AgentId;
const you = 'you' as AgentId;
const agent: Agent = { id: me, name: 'Me', model: 'p/m', systemPrompt: '', tools: [], approval: 'ask', parameters: {} };
const message = (name: string, role: Message['role'], more: Partial<Message> = {}): Message => ({
  id: `msg_${name}` as MessageId,
  conversationId: 'cnv_1' as ConversationId,
  parentId: null,
  role,
  status: 'complete',
  parts: [{ type: 'text', text: name }],
  createdAt: 0,
  ...more,
});
const stepOf = (of: Message, content: StepPart[], results: StepResult[] = []): [MessageId, Step] => [
  of.id,
  {
    id: of.id.replace('msg', 'stp') as StepId,
    messageId: of.id,
    parentId: 'msg_q' as MessageId,
    turnId: 'trn_1' as TurnId,
    model: 'p/m',
    content,
    results,
    createdAt: 0,
  },
];
const build = (path: Message[], steps?: [MessageId, Step][], names?: [AgentId, string][]) =>
  buildContext({ path, agent, model: { id: 'm' }, texts: new Map(), steps: steps && new Map(steps), agentNames: new Map(names) });

describe('what an agent is sent', () => {
  const answer = message('a', 'assistant', { agentId: me });

  it('X1, X3: its own step as the transcript has it: text, calls, results and opaque data in their places', () => {
    const step = stepOf(
      answer,
      [
        { type: 'reasoning', text: 'hm', vendor: { family: 'gemini', json: '{"thoughtSignature":"x+/="}' } },
        { type: 'text', text: 'exact' },
        { type: 'vendor', vendor: { family: 'openai', json: '{"type":"reasoning"}' } },
        { type: 'vendor', vendor: { family: 'unknown', json: '{}' } },
        { type: 'toolCall', callId: '1', name: 'read', arguments: '{"p":1}', vendor: { family: 'gemini', json: '{"id":"c"}' } },
        { type: 'toolCall', callId: '2', name: 'run', arguments: '{}' },
      ],
      [{ callId: '1', summary: 'read it', content: 'the file' }],
    );
    const { request, retold } = build([message('q', 'user'), answer, message('n', 'user')], [step]);
    expect(request.messages.slice(1, 3)).toEqual([
      {
        role: 'assistant',
        parts: [
          { type: 'reasoning', text: 'hm', vendor: { family: 'gemini', json: '{"thoughtSignature":"x+/="}' } },
          { type: 'text', text: 'exact' },
          { type: 'vendor', vendor: { family: 'openai', json: '{"type":"reasoning"}' } },
          { type: 'toolCall', callId: '1', name: 'read', arguments: '{"p":1}', vendor: { family: 'gemini', json: '{"id":"c"}' } },
          { type: 'toolCall', callId: '2', name: 'run', arguments: '{}' },
        ],
      },
      {
        role: 'tool',
        parts: [
          { type: 'toolResult', callId: '1', name: 'read', content: 'the file', isError: false },
          { type: 'toolResult', callId: '2', name: 'run', content: cancelled, isError: true },
        ],
      },
    ]);
    expect(retold).toEqual([]);
  });

  it('X1: another agent’s answer as text with its name, without reasoning and tool traffic, and its steps never', () => {
    const theirs = message('b', 'assistant', {
      agentId: you,
      parts: [
        { type: 'reasoning', text: 'secret' },
        { type: 'text', text: 'said' },
        { type: 'toolCall', callId: '1', name: 'run', arguments: '{"hidden":1}', summary: 'ran' },
      ],
    });
    const silent = message('c', 'assistant', { agentId: you, parts: [{ type: 'toolCall', callId: '1', name: 'run', arguments: '{}' }] });
    const cut = message('d', 'assistant', { agentId: 'x]\n[y' as AgentId, status: 'interrupted' });
    const path = [message('q', 'user'), theirs, silent, cut, message('n', 'user')];
    const { request, retold } = build(path, [stepOf(theirs, [{ type: 'text', text: 'not this' }])], [[you, 'You']]);
    expect(request.messages).toEqual([
      { role: 'user', parts: [{ type: 'text', text: 'q' }] },
      { role: 'user', parts: [{ type: 'text', text: '[You answered:]\nsaid' }] },
      { role: 'user', parts: [{ type: 'text', text: `[x   y answered:]\n${brokeOff}` }] },
      { role: 'user', parts: [{ type: 'text', text: 'n' }] },
    ]);
    expect(retold).toEqual([]);
  });

  it('X7: what the transcript lacks is told from the store, and marked', () => {
    const imported = message('i', 'assistant');
    const { request, retold } = build([message('q', 'user'), answer, message('n', 'user'), imported, message('o', 'user')], []);
    expect(request.messages[1]).toEqual({ role: 'assistant', parts: [{ type: 'text', text: 'a' }] });
    expect(retold).toEqual([answer.id, imported.id]);
  });

  it('X7, L10: always: for one agent the request is the same bytes with its transcript as without', () => {
    const text = fc.string({ minLength: 1 });
    const part = fc.oneof(
      fc.record({ type: fc.constant('text' as const), text }),
      fc.record({ type: fc.constant('reasoning' as const), text, source: text }),
    );
    const entry = fc.record({
      role: fc.constantFrom('user' as const, 'assistant' as const),
      parts: fc.array(part, { maxLength: 3 }),
      status: fc.constantFrom('complete' as const, 'interrupted' as const),
      turnId: fc.constantFrom('trn_1' as TurnId, 'trn_2' as TurnId),
    });
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 8 }), (entries) => {
        const path = entries.map((one, index) =>
          one.role === 'user' ? message(`u${index}`, 'user') : message(`a${index}`, 'assistant', { ...one, agentId: me }),
        );
        const steps = path.filter(({ role }) => role === 'assistant').map((one) => stepOf(one, one.parts));
        expect(JSON.stringify(build(path, steps).request)).toBe(JSON.stringify(build(path).request));
      }),
    );
  });

  it('L10: always: what follows is added behind the bytes that were sent before', () => {
    const entry = fc.record({
      kind: fc.constantFrom('user' as const, 'digest' as const, 'mine' as const, 'calls' as const, 'theirs' as const),
      text: fc.string({ minLength: 1 }),
    });
    fc.assert(
      fc.property(fc.array(entry, { minLength: 1, maxLength: 10 }), (entries) => {
        const steps: [MessageId, Step][] = [];
        const path = entries.map(({ kind, text }, at) => {
          if (kind === 'user' || kind === 'digest') return message(`${at}`, kind);
          const made = message(`${at}`, 'assistant', { agentId: kind === 'theirs' ? you : me, parts: [{ type: 'text', text }] });
          const calls: StepPart[] = kind === 'calls' ? [{ type: 'toolCall', callId: `${at}`, name: 'read', arguments: '{}' }] : [];
          if (kind !== 'theirs') steps.push(stepOf(made, [{ type: 'text', text }, ...calls], [{ callId: `${at}`, summary: text }]));
          return made;
        });
        for (let length = 1; length < path.length; length++) {
          const sent = build(path.slice(0, length), steps).request.messages;
          const order = sent.at(-1)?.parts[0];
          const before = order?.type === 'text' && order.text === continueOrder ? sent.slice(0, -1) : sent;
          const next = build(path.slice(0, length + 1), steps).request.messages;
          expect(JSON.stringify(next.slice(0, before.length))).toBe(JSON.stringify(before));
        }
      }),
    );
  });
});
