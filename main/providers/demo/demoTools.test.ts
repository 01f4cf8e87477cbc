// The demo model with tools: it makes the calls that it is told to make (P1).
import { expect, it } from 'vitest';
import type { ModelRequest, RequestMessage, ToolDefinition } from '../../../shared/model/request';
import { allTools } from '../../agents/tools/registry';
import { ask, connectTo, type Outcome, readAll } from '../providerFixture';
import { createDemo } from './demo';
import { help } from './samples';
import { toolHelp } from './toolOrders';

const demo = createDemo({ natural: 0, fast: 0, slow: 0 });
const connection = connectTo('demo', undefined, { apiKey: null });
const names = allTools.map(({ name }) => name);
const tools: ToolDefinition[] = names.map((name) => ({ name, description: name, inputSchema: { type: 'object' } }));
const send = (messages: RequestMessage[], more: Partial<ModelRequest> = {}) =>
  readAll(demo, ask('', { modelId: 'demo', messages, tools, ...more }), connection);
const user = (text: string): RequestMessage => ({ role: 'user', parts: [{ type: 'text', text }] });
const say = (text: string, more: Partial<ModelRequest> = {}) => send([user(text)], more);
const called = ({ calls }: Outcome) => calls.map((call) => [call.name, call.valid ? JSON.parse(call.arguments) : call.arguments]);
const answered = ({ text, calls }: Outcome, content = 'fine', isError = false): RequestMessage[] => [
  {
    role: 'assistant',
    parts: [
      { type: 'text', text },
      ...calls.map(({ callId, name, arguments: written }) => ({ type: 'toolCall' as const, callId, name, arguments: written })),
    ],
  },
  { role: 'tool', parts: calls.map(({ callId, name }) => ({ type: 'toolResult' as const, callId, name, content, isError })) },
];

it.each<[string, [string, unknown][]]>([
  ['read notes.txt', [['read_file', { path: 'notes.txt' }]]],
  [
    'read "two words.md" and заметки.txt',
    [
      ['read_file', { path: 'two words.md' }],
      ['read_file', { path: 'заметки.txt' }],
    ],
  ],
  ['write "my notes/to do.txt": milk', [['write_file', { path: 'my notes/to do.txt', content: 'milk\n' }]]],
  [
    'Please read src/a.ts and “b.md”.',
    [
      ['read_file', { path: 'src/a.ts' }],
      ['read_file', { path: 'b.md' }],
    ],
  ],
  ['search for oak', [['search_files', { pattern: 'oak', literal: true }]]],
  ['Search "two words" please', [['search_files', { pattern: 'two words', literal: true }]]],
  ['edit notes.txt "oak" to "birch"', [['edit_file', { path: 'notes.txt', oldText: 'oak', newText: 'birch' }]]],
  ['edit notes.txt: replace `a b` with ``', [['edit_file', { path: 'notes.txt', oldText: 'a b', newText: '' }]]],
  ['write notes.txt: Two lines\nhere', [['write_file', { path: 'notes.txt', content: 'Two lines\nhere\n' }]]],
  ['list the files', [['list_files', {}]]],
  ['list files in src/lib.', [['list_files', { path: 'src/lib' }]]],
  ['list src/', [['list_files', { path: 'src' }]]],
  ['list **/*.md', [['list_files', { glob: '**/*.md' }]]],
  ['view pictures/cat.png', [['view_image', { path: 'pictures/cat.png' }]]],
  ['run command ls -la', [['run_command', { command: 'ls -la' }]]],
  ['set checkpoint "before the change"', [['checkpoint', { label: 'before the change' }]]],
  ['rewind to “start”: It was the wrong file.', [['rewind', { label: 'start', digest: 'It was the wrong file.' }]]],
  ['run `echo hi`', [['run_command', { command: 'echo hi' }]]],
  ['fetch https://example.com/', [['fetch_url', { url: 'https://example.com/' }]]],
  ['call an unknown tool', [['no_such_tool', {}]]],
  ['call a tool that does not exist', [['no_such_tool', {}]]],
  ['call a tool with broken arguments', [['list_files', '{"path": "notes']]],
])('P1: %s', async (words, calls) => {
  const outcome = await say(words);
  expect(called(outcome)).toEqual(calls);
  expect(outcome.last).toEqual({ type: 'done', finish: 'toolCalls' });
  expect((await say(words)).events).toEqual(outcome.events);
  // Without tools, or without this one, it is no order.
  expect((await say(words, { tools: undefined })).calls).toEqual([]);
  if (names.includes(calls[0]?.[0] ?? '') && outcome.calls[0]?.valid)
    expect((await say(words, { tools: tools.filter(({ name }) => name !== calls[0]?.[0]) })).calls).toEqual([]);
});

it('P1: twelve steps are twelve steps, then an answer that says what came back', async () => {
  const messages = [user('run twelve steps')];
  const ids = new Set<string>();
  for (let step = 1; step <= 12; step += 1) {
    const outcome = await send(messages);
    expect(outcome.text).toBe(`Step ${step} of 12.`);
    // Each call another one: the same over and over is what the loop limit stops.
    expect(called(outcome)).toEqual([['list_files', { limit: step }]]);
    for (const { callId } of outcome.calls) ids.add(callId);
    messages.push(...answered(outcome));
    // A word on the way does not stop it.
    if (step === 5) messages.push(user('Good so far'));
  }
  expect(ids.size).toBe(12);
  const end = await send(messages);
  expect(end.text).toBe('That was 12 calls.\n\n`list_files` said:\n\n    fine');
  expect(end.last).toEqual({ type: 'done', finish: 'stop' });
});

it('P1: several calls at once, a call without end, and an error that is told', async () => {
  expect((await say('run 40 steps at once')).calls).toHaveLength(40);
  const outcome = await say('call forty tools at once');
  expect(new Set(outcome.calls.map(({ arguments: written }) => written)).size).toBe(40);
  expect((await send([user('call forty tools at once'), ...answered(outcome, 'no', true)])).text).toContain(
    'That was 40 calls.\n\n`list_files` failed:',
  );
  const messages = [user('loop on one call')];
  for (let step = 0; step < 30; step += 1) messages.push(...answered(await send(messages)));
  expect(called(await send(messages))).toEqual([['list_files', {}]]);
  expect((await say('repeat one call forever')).calls).toHaveLength(1);
});

it('P1: other orders stay what they are, the help tells of tools only where there are some', async () => {
  expect((await say('say hello')).text).toBe('hello');
  for (const words of ['write 30 words', 'show a list', 'explore this', 'what is on the list', 'view of the world', 'plan a trip'])
    expect((await say(words)).calls, words).toEqual([]);
  expect((await say('hi')).text).toBe(`${help}\n\n${toolHelp(tools)}`);
  const reading = tools.filter(({ name }) => name === 'read_file');
  expect((await say('hi', { tools: reading })).text).toContain('once the tools for them are ticked in Settings, Agents');
  expect(toolHelp(tools)).not.toContain('Settings, Agents');
  expect((await say('hi', { tools: [] })).text).toBe(help);
  expect((await send([...answeredOrder(), user('say hello')])).text).toBe('hello');
});

function answeredOrder(): RequestMessage[] {
  return [user('read a.txt'), { role: 'assistant', parts: [{ type: 'text', text: 'Done.' }] }];
}

it('P6: an interrupted step goes on: the open call is answered, the order still stands', async () => {
  const first = await say('run two steps');
  const messages = [
    user('run two steps'),
    ...answered(first).slice(0, 1),
    user('Your answer above broke off. Continue exactly where it stopped.'),
  ];
  expect((await send(messages)).text).toBe('Step 2 of 2.');
});

it('L8: a message of the system is read as the user’s', async () => {
  const card = (role: 'system' | 'user'): RequestMessage => ({ role, parts: [{ type: 'text', text: 'What was done.' }] });
  const [one, other] = await Promise.all(
    (['system', 'user'] as const).map((role) => send([user('first'), card(role), user('read notes.txt')])),
  );
  expect(called(one as Outcome)).toEqual([['read_file', { path: 'notes.txt' }]]);
  expect(one?.events).toEqual(other?.events);
});
