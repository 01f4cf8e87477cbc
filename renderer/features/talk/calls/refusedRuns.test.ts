import { expect, it } from 'vitest';
import type { LiveCall } from '../../../../shared/model/live';
import type { Part, ToolCallPart } from '../../../../shared/model/message';
import { refusedRuns } from './refusedRuns';

const call = (callId: string, more: Partial<ToolCallPart> = {}): Part => ({
  type: 'toolCall',
  callId,
  name: 'x',
  arguments: '{}',
  ...more,
});
const refused = (callId: string, summary = 'Not run: too many') => call(callId, { outcome: 'refused', isError: true, summary });
const done = call('ok', { outcome: undefined, summary: 'Read it' });

it('A5: calls in a row that were refused for one reason are one run; others, and two, stand for themselves', () => {
  const parts = [done, refused('1'), refused('2'), refused('3'), refused('4', 'Not run: the same'), refused('5'), refused('6')];
  expect(refusedRuns(parts, [])).toEqual([{ from: 1, to: 4, summary: 'Not run: too many' }]);
  const text: Part = { type: 'text', text: 'on' };
  expect(refusedRuns([refused('1'), refused('2'), text, refused('3')], [])).toEqual([]);
  expect(refusedRuns([done, done, done], [])).toEqual([]);
});

it('A5: the calls of a running step count by how they stand there', () => {
  const live = (callId: string, state: LiveCall['state']) =>
    ({ callId, state, outcome: 'refused', isError: true, summary: 'Not run: too many' }) as LiveCall;
  const parts = ['1', '2', '3'].map((id) => call(id));
  expect(
    refusedRuns(
      parts,
      ['1', '2', '3'].map((id) => live(id, 'done')),
    ),
  ).toEqual([{ from: 0, to: 3, summary: 'Not run: too many' }]);
  expect(refusedRuns(parts, [live('1', 'done'), live('2', 'done'), live('3', 'waiting')])).toEqual([]);
});
