// The demo's orders with the real tools: what it calls must run, and what comes back must lead it to an end.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ScriptedServer, startScriptedServer, textAnswer } from '../../../e2e/fixtures/scriptedServer';
import type { RequestMessage, ToolCallEvent } from '../../../shared/model/request';
import type { ToolResult } from '../../../shared/model/tool';
import { stepSession } from '../../agents/sessionEffects';
import { scopeKey } from '../../agents/tools/approvals/policy';
import { allTools, describeTools, performCall } from '../../agents/tools/registry';
import { makeToolTest, type ToolTest } from '../../agents/tools/toolsFixture';
import { digestFrame } from '../../context/wording';
import { plainCanvas, pngOf } from '../pictures/pictureFixture';
import { ask, connectTo, readAll } from '../providerFixture';
import { createDemo } from './demo';

let files: ToolTest;
let server: ScriptedServer;
beforeAll(async () => {
  server = await startScriptedServer();
  files = makeToolTest();
  files.put('notes.txt', 'the oak is old\n');
  files.put('src/tree.md', 'the birch\n');
  files.put('cat.png', pngOf(plainCanvas(20, 10)));
});
afterAll(async () => {
  files.dispose();
  await server.close();
});

const demo = createDemo({ natural: 0, fast: 0, slow: 0 });
const tools = describeTools(
  allTools,
  allTools.map(({ name }) => name),
);
const user = (text: string): RequestMessage => ({ role: 'user', parts: [{ type: 'text', text }] });
const say = (messages: RequestMessage[]) =>
  readAll(demo, ask('', { modelId: 'demo', messages, tools }), connectTo('demo', undefined, { apiKey: null }));

type Done = { name: string; arguments: string; result: ToolResult };
type Ran = { messages: RequestMessage[]; steps: Done[][]; text: string };

/** Plays a turn to its end as the agents do: calls allowed and run, checkpoints set and gone back to at the end of their step. */
async function play(words: string, start: RequestMessage[] = [], most = 60): Promise<Ran> {
  let messages = [...start, user(words)];
  const points = new Map<string, number>();
  const steps: Done[][] = [];
  for (let step = 0; step < most; step++) {
    const answer = await say(messages);
    if (answer.failure) throw new Error(answer.failure.message);
    if (answer.calls.length === 0) return { messages, steps, text: answer.text };
    const session = stepSession(() => [...points.keys()].map((label) => ({ label })));
    const done: Done[] = [];
    for (const call of answer.calls) done.push({ name: call.name, arguments: call.arguments, result: await run(call, session) });
    steps.push(done);
    messages = [...messages, ...stepOf(answer.text, answer.calls, done)];
    for (const { type, label } of session.asked()) {
      if (type === 'checkpoint') points.set(label, messages.length);
      else messages = [...messages.slice(0, points.get(label)), user(digestFrame({ label }, digestIn(done)))];
    }
  }
  return { messages, steps, text: '' };
}

async function run(call: ToolCallEvent, session: ReturnType<typeof stepSession>): Promise<ToolResult> {
  const context = { ...files.context, session };
  const first = await performCall(allTools, call, { mode: 'ask', grants: new Set() }, context);
  if (first.type === 'done') return first.result;
  const second = await performCall(allTools, call, { mode: 'ask', grants: new Set(first.needs.map(scopeKey)) }, context);
  if (second.type === 'ask') throw new Error('asked again');
  return second.result;
}

function stepOf(text: string, calls: ToolCallEvent[], done: Done[]): RequestMessage[] {
  return [
    {
      role: 'assistant',
      parts: [
        { type: 'text', text },
        ...calls.map(({ callId, name, arguments: written }) => ({ type: 'toolCall' as const, callId, name, arguments: written })),
      ],
    },
    {
      role: 'tool',
      parts: calls.map(({ callId, name }, at) => {
        const result = done[at]?.result;
        return {
          type: 'toolResult' as const,
          callId,
          name,
          content: result?.content ?? result?.summary ?? '',
          isError: result?.isError === true,
        };
      }),
    },
  ];
}

function digestIn(done: Done[]): string {
  const { digest } = JSON.parse(done.find(({ name }) => name === 'rewind')?.arguments ?? '{}');
  return digest;
}
const ran = ({ steps }: Ran) => steps.map((step) => step.map(({ name }) => name).join(' '));
const failed = ({ steps }: Ran) =>
  steps
    .flat()
    .filter(({ result }) => result.isError)
    .map(({ result }) => result.summary);

it.each([
  ['read notes.txt', 'read_file', 'the oak is old'],
  ['list files', 'list_files', 'src/tree.md'],
  ['list files in src', 'list_files', 'src/tree.md'],
  ['search for oak', 'search_files', 'oak'],
  ['write new.txt: some words', 'write_file', 'Wrote new.txt'],
  ['edit notes.txt "old" to "very old"', 'edit_file', '+the oak is very old'],
  ['run `echo hello`', 'run_command', 'hello'],
  ['view cat.png', 'view_image', 'Viewed cat.png (20 × 10'],
])('P1, A2: %s', async (words, tool, said) => {
  const turn = await play(words);
  expect(ran(turn)).toEqual([tool]);
  expect(failed(turn)).toEqual([]);
  expect(turn.text).toContain('That was one call.');
  expect(turn.text).toContain(said);
});

it('P1, A2: fetch URL', async () => {
  server.script('GET /page', textAnswer('<p>A page about oaks</p>'));
  const turn = await play(`fetch ${server.url}/page`);
  expect(failed(turn)).toEqual([]);
  expect(turn.text).toContain('A page about oaks');
});

it('P1, C1, C3: explore then rewind looks around, goes back with a digest, ends, and looks around no second time', async () => {
  const turn = await play('explore then rewind');
  expect(ran(turn)).toEqual(['checkpoint', 'list_files', 'search_files', 'read_file', 'rewind']);
  expect(failed(turn)).toEqual([]);
  expect(turn.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user']);
  expect(turn.text).toContain('I went back. What I found is in the digest:');
  expect(turn.text).toContain('I looked around in 3 steps');
  // A remark behind it is answered as ever, a second order explores again under another label.
  const ended: RequestMessage[] = [...turn.messages, { role: 'assistant', parts: [{ type: 'text', text: turn.text }] }];
  expect((await play('say thanks', ended)).text).toBe('thanks');
  const again = await play('explore oak then rewind', ended);
  expect(ran(again)).toEqual(['checkpoint', 'list_files', 'search_files', 'read_file', 'rewind']);
  expect(again.steps[0]?.[0]?.arguments).toBe('{"label":"explore 2"}');
  expect(failed(again)).toEqual([]);
});

it('P1, C5: a label that is taken is not tried for ever, and a rewind that fails is told', async () => {
  const taken = await say([user('explore then rewind')]);
  const refused: Done[] = taken.calls.map((call) => ({ ...call, result: { summary: 'That label is used', isError: true } }));
  let messages = [user('explore then rewind'), ...stepOf('', taken.calls, refused)];
  const second = await say(messages);
  expect(second.calls.map(({ arguments: written }) => written)).toEqual(['{"label":"explore 2"}']);
  for (let n = 0; n < 2; n++) messages = [...messages, ...stepOf('', second.calls, refused)];
  expect((await say(messages)).calls).toEqual([]);
  expect((await play('rewind to "nowhere"')).text).toContain('`rewind` failed:');
});

it('T11: a digest from another branch is neither an order nor the end of one that follows it', async () => {
  const digest = user(digestFrame('otherBranch', 'read notes.txt'));
  const before: RequestMessage[] = [user('hi'), { role: 'assistant', parts: [{ type: 'text', text: 'Hello.' }] }, digest];
  expect(ran(await play('read src/tree.md', before))).toEqual(['read_file']);
  expect((await play('say hello', before)).text).toBe('hello');
});

it('P1, A2: plan tasks goes through its list', async () => {
  const turn = await play('plan tasks');
  expect(ran(turn)).toEqual(['tasks', 'tasks', 'tasks', 'tasks']);
  expect(failed(turn)).toEqual([]);
  expect(turn.text).toContain('[x] Say what I found');
});

it('P1: run twelve steps, call forty tools at once', async () => {
  const twelve = await play('run twelve steps');
  expect(ran(twelve)).toEqual(Array(12).fill('list_files'));
  expect(failed(twelve)).toEqual([]);
  expect(twelve.text).toContain('That was 12 calls.');
  const forty = await play('call forty tools at once');
  expect(forty.steps.map((step) => step.length)).toEqual([40]);
});

it('P1, R3: a tool that does not exist and broken arguments are told, and end; a loop does not', async () => {
  expect((await play('call a tool that does not exist')).text).toContain('`no_such_tool` failed:');
  expect((await play('call a tool with broken arguments')).text).toContain('failed:');
  expect((await play('loop on one call', [], 20)).steps).toHaveLength(20);
});

it('P7: fail with picture refuses the picture and nothing else', async () => {
  const hash = 'e'.repeat(64) as never;
  const look: RequestMessage = {
    role: 'user',
    parts: [
      { type: 'text', text: 'fail with picture' },
      { type: 'image', hash, mime: 'image/png', name: 'cat.png' },
    ],
  };
  const { last } = await say([look]);
  expect(last).toMatchObject({ type: 'failed', failure: { code: 'imageRefused' }, images: [hash] });
  const without = await readAll(
    demo,
    ask('', { modelId: 'demo', messages: [look], leaveOut: new Set([hash]) }),
    connectTo('demo', undefined),
  );
  expect(without.text).toBe('I was told to refuse a picture, and there is none here.');
});

it('S10: fail with vision refuses every request that shows a picture', async () => {
  const told: RequestMessage = { role: 'user', parts: [{ type: 'text', text: 'fail with vision' }] };
  const shown: RequestMessage = {
    role: 'user',
    parts: [...told.parts, { type: 'image', hash: 'e'.repeat(64) as never, mime: 'image/png', name: 'cat.png' }],
  };
  expect((await say([shown])).last).toMatchObject({ type: 'failed', failure: { code: 'visionRefused' } });
  expect((await say([told])).text).toBe('I was told to refuse a picture, and there is none here.');
});
