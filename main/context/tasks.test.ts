import { describe, expect, it } from 'vitest';
import type { StepPart, StepResult } from '../../shared/model/transcript';
import { taskLines, tasksOnPath } from './tasks';

const call = (callId: string, text: string, state = 'open', name = 'tasks'): StepPart => ({
  type: 'toolCall',
  callId,
  name,
  arguments: JSON.stringify({ tasks: [{ text, state }] }),
});
const ok = (callId: string): StepResult => ({ callId, summary: 'Done' });

describe('tasksOnPath', () => {
  it('A2: the newest list on the path stands, of several calls in one step the last', () => {
    const steps = [
      { content: [call('1', 'old')], results: [ok('1')] },
      { content: [call('1', 'first'), call('2', ' second ', 'doing')], results: [ok('1'), ok('2')] },
      { content: [{ type: 'text' as const, text: 'Done.' }, call('1', 'x', 'open', 'other')], results: [ok('1')] },
    ];
    expect(tasksOnPath(steps)).toEqual([{ text: 'second', state: 'doing' }]);
    expect(tasksOnPath(steps.slice(0, 1))).toEqual([{ text: 'old', state: 'open' }]);
    expect(tasksOnPath([])).toBeUndefined();
  });

  it('A2, R3: calls that failed, never ran or hold no list are passed over', () => {
    const steps = [
      { content: [call('1', 'stands')], results: [ok('1')] },
      {
        content: [
          call('1', 'failed'),
          call('2', 'never ran'),
          { ...call('3', ''), arguments: '{"tasks":' },
          { ...call('4', ''), arguments: '{"tasks":[{"text":5}]}' },
          call('5', 'x', 'maybe'),
        ] as StepPart[],
        results: [{ ...ok('1'), isError: true }, ok('3'), ok('4'), ok('5')],
      },
    ];
    expect(tasksOnPath(steps)).toEqual([{ text: 'stands', state: 'open' }]);
  });

  it('A2: an empty list stands too, as one that was cleared', () => {
    const cleared = { content: [{ ...call('1', ''), arguments: '{"tasks":[]}' } as StepPart], results: [ok('1')] };
    expect(tasksOnPath([{ content: [call('1', 'old')], results: [ok('1')] }, cleared])).toEqual([]);
  });

  it('A2: lines are Markdown task lines', () => {
    expect(
      taskLines([
        { text: 'a', state: 'done' },
        { text: 'b', state: 'doing' },
        { text: 'c', state: 'open' },
      ]),
    ).toBe('- [x] a\n- [ ] b (in progress)\n- [ ] c');
  });
});
