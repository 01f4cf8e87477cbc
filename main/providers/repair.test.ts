import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RequestMessage, RequestPart } from '../../shared/model/request';
import { brokenArgumentsResult, cancelledResult } from './pairCalls';
import { repairMessages } from './repair';
import { anyMessages, cutHistory } from './requestFixture';
import { readArguments } from './toolArguments';

const isContent = (one: RequestPart) => one.type === 'image' || (one.type === 'text' && one.text.trim() !== '');
const named: RequestPart = { type: 'text', text: '[The answer showed the image “x” here.]' };
/** What a list says; pictures in answers by the words that stand for them. */
const contents = (list: RequestMessage[]) =>
  list.flatMap(({ role, parts }) => parts.filter(isContent).map((part) => (part.type === 'image' && role === 'assistant' ? named : part)));
const call = (callId: string, args = '{}'): RequestPart => ({ type: 'toolCall', callId, name: 'read_file', arguments: args });
const result = (callId: string, content = 'done'): RequestPart => ({
  type: 'toolResult',
  callId,
  name: 'read_file',
  content,
  isError: false,
});
const text = (words: string): RequestPart => ({ type: 'text', text: words });
const say = (role: RequestMessage['role'], ...parts: RequestPart[]): RequestMessage => ({ role, parts });
const callsOf = (message: RequestMessage | undefined) => message?.parts.flatMap((part) => (part.type === 'toolCall' ? [part] : [])) ?? [];
const resultsOf = (message: RequestMessage | undefined) =>
  message?.parts.flatMap((part) => (part.type === 'toolResult' ? [part] : [])) ?? [];

/** What every provider takes: user (assistant tool?)* …, each tool message answering exactly the calls before it. */
function expectSendable(repaired: RequestMessage[]): void {
  const ids = new Set<string>();
  repaired.forEach((message, at) => {
    const before = repaired[at - 1];
    const calls = callsOf(before);
    if (at === 0) expect(message.role).toBe('user');
    if (message.role === 'user') expect(before?.role).not.toBe('user');
    if (message.role === 'assistant') expect(['user', 'tool']).toContain(before?.role);
    expect(message.role === 'tool').toBe(calls.length > 0);
    if (message.role === 'tool') {
      expect(resultsOf(message).map(({ callId, name }) => [callId, name])).toEqual(calls.map(({ callId, name }) => [callId, name]));
      expect(resultsOf(message)).toHaveLength(message.parts.length);
    } else expect(resultsOf(message)).toEqual([]);
    if (message.role !== 'assistant') expect(callsOf(message)).toEqual([]);
    expect(message.parts.some((part) => isContent(part) || part.type === 'toolCall' || part.type === 'toolResult')).toBe(true);
    for (const part of message.parts) {
      if (part.type === 'text' || part.type === 'reasoning') expect(part.text.trim()).not.toBe('');
      if (part.type === 'toolResult') expect(part.content.trim()).not.toBe('');
      if (part.type !== 'toolCall') continue;
      expect(ids.has(part.callId)).toBe(false);
      ids.add(part.callId);
      expect(part.callId).not.toBe('');
      expect(part.name).toMatch(/^[\w-]{1,64}$/);
      expect(readArguments(part.arguments)).toEqual({ text: part.arguments, valid: true });
    }
  });
  expect(repaired.at(-1)?.role).not.toBe('assistant');
}

describe('repairMessages', () => {
  it('P6: any list becomes one that every provider takes', () => {
    fc.assert(
      fc.property(anyMessages, (list) => expectSendable(repairMessages(list))),
      { numRuns: 400 },
    );
  });

  it('P6: so does any history of turns and steps, wherever it is cut, branched and interrupted', () => {
    fc.assert(
      fc.property(cutHistory, ({ list }) => expectSendable(repairMessages(list))),
      { numRuns: 400 },
    );
  });

  it('P6: a history that is whole keeps every call, result and id as it was', () => {
    fc.assert(
      fc.property(cutHistory, ({ whole }) => {
        const repaired = repairMessages(whole);
        expect(repaired.flatMap(callsOf)).toEqual(whole.flatMap(callsOf));
        expect(repaired.flatMap(resultsOf)).toEqual(whole.flatMap(resultsOf));
      }),
    );
  });

  it('P6: everything with content is still there, in order; twice is the same as once; the list given is not touched', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          anyMessages,
          cutHistory.map(({ list }) => list),
        ),
        (list) => {
          const before = structuredClone(list);
          const repaired = repairMessages(list);
          expect(list).toEqual(before);
          expect(repairMessages(repaired)).toEqual(repaired);
          expect(repaired.flatMap(callsOf)).toHaveLength(
            list.filter(({ role }) => role === 'assistant').reduce((sum, message) => sum + callsOf(message).length, 0),
          );
          const wanted = contents(list);
          const kept = contents(repaired);
          expect(kept.length - wanted.length).toBeLessThanOrEqual(2);
          const start = kept.length > wanted.length && kept[0] !== wanted[0] ? 1 : 0;
          expect(kept.slice(start, start + wanted.length)).toEqual(wanted);
        },
      ),
    );
  });

  it('P6: an empty list stays empty', () => {
    expect(repairMessages([{ role: 'user', parts: [{ type: 'text', text: ' ' }] }])).toEqual([]);
    expect(repairMessages([say('tool', result('gone'))])).toEqual([]);
  });

  it('P6, X9: an open call gets a result, an orphan result goes, a late one follows its call', () => {
    const list = [say('tool', result('old')), say('user', text('Go')), say('assistant', call('a'), call('b')), say('user', text('Wait'))];
    expect(repairMessages([...list, say('tool', result('b', 'late'))])).toEqual([
      say('user', text('Go')),
      say('assistant', call('a'), call('b')),
      say('tool', { type: 'toolResult', callId: 'a', name: 'read_file', content: cancelledResult, isError: true }, result('b', 'late')),
      say('user', text('Wait')),
    ]);
  });

  it('P6: ids that come again in a later step, or twice in one, are told apart; missing ones are made up, the same each time', () => {
    const step = [say('assistant', call('x')), say('tool', result('x', 'one'))];
    const again = [say('assistant', call('x'), call('x')), say('tool', result('x', 'two'), result('x', 'three'))];
    const repaired = repairMessages([say('user', text('Go')), ...step, ...again]);
    expect(repaired.flatMap(resultsOf).map(({ callId, content }) => [callId, content])).toEqual([
      ['x', 'one'],
      ['x_2', 'two'],
      ['x_3', 'three'],
    ]);
    const nameless = repairMessages([
      say('user', text('Go')),
      say('assistant', call(''), call('call00007')),
      say('tool', result('', 'mine')),
    ]);
    expect(nameless.flatMap(resultsOf).map(({ callId, content }) => [callId, content])).toEqual([
      ['call00008', 'mine'],
      ['call00007', cancelledResult],
    ]);
  });

  it('P6: a result belongs to the nearest call of its id, not to one that was cut off before', () => {
    const cut = [say('user', text('Go')), say('assistant', call('x')), say('user', text('Again'))];
    const repaired = repairMessages([...cut, say('assistant', call('x')), say('tool', result('x', 'mine'))]);
    expect(repaired.flatMap(resultsOf).map(({ content }) => content)).toEqual([cancelledResult, 'mine']);
  });

  it('P6: broken arguments are never sent back: an empty object and an error take their place', () => {
    const [, step, answer] = repairMessages([say('user', text('Go')), say('assistant', call('a', '{"path": "no')), say('user', text('?'))]);
    expect(callsOf(step)).toEqual([call('a', '{}')]);
    expect(resultsOf(answer)).toMatchObject([{ callId: 'a', content: brokenArgumentsResult, isError: true }]);
  });
});
