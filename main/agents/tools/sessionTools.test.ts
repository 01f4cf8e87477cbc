// The tools that act on the conversation itself: checkpoint, rewind, tasks (C1, C3, A2).
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { stepSession } from '../sessionEffects';
import { allTools, performCall } from './registry';
import { makeToolTest, type ToolTest } from './toolsFixture';

let test: ToolTest;
beforeEach(() => {
  test = makeToolTest();
});
afterEach(() => test.dispose());

const call = (name: string, input: unknown) => test.call(name, input, allTools);
const has = (...labels: string[]) => test.live.push(...labels.map((label) => ({ label })));

describe('checkpoint', () => {
  it('C1, C2: asks for nothing, is noted for the end of the step, and holds in every mode', async () => {
    for (const mode of ['ask', 'auto-edit', 'read-only'] as const) {
      const end = await performCall(
        allTools,
        { name: 'checkpoint', arguments: `{"label":" ${mode} "}` },
        { mode, grants: new Set() },
        test.context,
      );
      expect(end).toMatchObject({ type: 'done', result: { summary: `Checkpoint "${mode}" is set when this step ends` } });
    }
    expect(test.context.session.asked()).toEqual(['ask', 'auto-edit', 'read-only'].map((label) => ({ type: 'checkpoint', label })));
  });

  it('C5: a used label is an error that lists the live ones, also one set earlier in the step; case counts', async () => {
    has('start');
    expect(await call('checkpoint', { label: 'Start' })).toEqual({ summary: 'Checkpoint "Start" is set when this step ends' });
    for (const label of ['start', 'Start'])
      expect(await call('checkpoint', { label })).toEqual({
        summary: `There is a checkpoint "${label}" on this path already. There are: start, Start`,
        isError: true,
      });
    expect(test.context.session.asked()).toHaveLength(1);
    expect(test.reported).toEqual([]);
  });

  it('C5: of two calls at the same time with one label one is set', async () => {
    const results = await Promise.all([call('checkpoint', { label: 'a' }), call('checkpoint', { label: 'a' })]);
    expect(results.map((result) => result.isError === true)).toEqual([false, true]);
  });

  it('C5: what is no label comes back with what is wrong', async () => {
    for (const input of [{}, { label: '' }, { label: '  ' }, { label: 'a\nb' }, { label: 'x'.repeat(81) }, { label: 5 }])
      expect(await call('checkpoint', input)).toMatchObject({
        isError: true,
        summary: expect.stringMatching(/^Invalid arguments for checkpoint: .*label/),
      });
    expect(test.context.session.asked()).toEqual([]);
  });
});

describe('rewind', () => {
  it('C3: is noted for the end of the step, once', async () => {
    has('a', 'b');
    expect(await call('rewind', { label: 'a', digest: 'It is in x.ts' })).toEqual({
      summary: 'Going back to checkpoint "a" at the end of this step',
    });
    expect(await call('rewind', { label: 'b', digest: 'more' })).toEqual({
      summary: 'This step goes back to checkpoint "a" already. Only one rewind a step.',
      isError: true,
    });
    expect(test.context.session.asked()).toEqual([{ type: 'rewind', label: 'a' }]);
  });

  it('C5: an unknown label is an error that lists the live ones; one of this very step cannot be gone back to', async () => {
    expect(await call('rewind', { label: 'a', digest: 'x' })).toEqual({
      summary: 'There is no checkpoint "a" on this path. There are none yet.',
      isError: true,
    });
    has('a', 'b');
    await call('checkpoint', { label: 'here' });
    expect(await call('rewind', { label: 'c', digest: 'x' })).toMatchObject({
      summary: 'There is no checkpoint "c" on this path. There are: a, b',
    });
    expect(await call('rewind', { label: 'here', digest: 'x' })).toMatchObject({
      isError: true,
      summary: expect.stringContaining('nothing to go back from yet'),
    });
    expect(await call('rewind', { label: 'b', digest: 'x' })).toMatchObject({ summary: expect.stringMatching(/^Going back to .*"b"/) });
  });

  it('C5: a long list of live labels reaches the model whole', async () => {
    has(...Array.from({ length: 40 }, (_, index) => `checkpoint number ${index}`));
    const result = await call('rewind', { label: 'none', digest: 'x' });
    expect(result.content).toContain('checkpoint number 39');
  });

  it('C3: the digest must say something, in at most 20,000 characters', async () => {
    has('a');
    for (const digest of ['', ' \n ', 'x'.repeat(20_001), 5, undefined])
      expect(await call('rewind', { label: 'a', digest })).toMatchObject({ isError: true, summary: expect.stringContaining('digest') });
    expect(await call('rewind', { label: 'a', digest: 'x'.repeat(20_000) })).not.toHaveProperty('isError');
  });
});

describe('the session of a step', () => {
  it('C2, X9: a step that goes on after a restart knows what it asked for before', async () => {
    has('a');
    const content = [
      { type: 'toolCall' as const, callId: '1', name: 'checkpoint', arguments: '{"label":"b"}' },
      { type: 'toolCall' as const, callId: '2', name: 'rewind', arguments: '{"label":"a","digest":"d"}' },
      { type: 'toolCall' as const, callId: '3', name: 'checkpoint', arguments: '{"label":"c"}' },
    ];
    test.context.session = stepSession(() => test.live, {
      content,
      results: [
        { callId: '1', summary: '' },
        { callId: '2', summary: '' },
      ],
    });
    expect(test.context.session.checkpoints()).toEqual([{ label: 'a' }, { label: 'b' }]);
    expect(await call('checkpoint', { label: 'b' })).toMatchObject({ isError: true });
    expect(await call('rewind', { label: 'a', digest: 'd' })).toMatchObject({ isError: true });
    expect(await call('checkpoint', { label: 'c' })).not.toHaveProperty('isError');
  });

  it('C5: a checkpoint that the user sets while the step runs counts', async () => {
    const session = stepSession(() => test.live);
    has('late');
    expect(session.checkpoints()).toEqual([{ label: 'late' }]);
  });
});

describe('tasks', () => {
  it('A2: the whole list comes back as task lines, with a count as its summary', async () => {
    const tasks = [
      { text: 'Read', state: 'done' },
      { text: 'Write', state: 'doing' },
      { text: 'Test [x]', state: 'open' },
    ];
    expect(await call('tasks', { tasks })).toEqual({
      summary: '1 of 3 tasks done',
      content: '- [x] Read\n- [ ] Write (in progress)\n- [ ] Test [x]',
    });
    expect((await call('tasks', { tasks: [tasks[1]] })).summary).toBe('0 of 1 task done');
    expect(await call('tasks', { tasks: [] })).toEqual({ summary: 'The task list is empty' });
  });

  it('A2: a broken list is refused with what is wrong', async () => {
    const task = { text: 'a', state: 'open' };
    for (const tasks of [
      undefined,
      'a',
      [{ text: 'a' }],
      [{ ...task, state: 'maybe' }],
      [{ ...task, text: ' ' }],
      [{ ...task, text: 'a\nb' }],
      [{ ...task, text: 'x'.repeat(301) }],
      Array(101).fill(task),
    ])
      expect(await call('tasks', { tasks })).toMatchObject({
        isError: true,
        summary: expect.stringMatching(/^Invalid arguments for tasks/),
      });
    expect((await call('tasks', { tasks: Array(100).fill(task) })).summary).toBe('0 of 100 tasks done');
  });
});
