// A person edits a file in an editor while an agent works: no whole file is written over what the agent has not seen (A2).
import { readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { chatCalls, chatStream } from '../../e2e/fixtures/scripts/chat';
import type { AgentId, ConversationId } from '../../shared/model/ids';
import { readPath } from '../store/messages';
import { moveTip } from '../store/tips';
import { helper } from './agentsFixture';
import { begin, restart, route, tipOf, withWorld, world } from './ladder/passesFixture';
import { type Call, put } from './ladder/workerPassesFixture';

withWorld();

const old = 'one\ntwo\n';
const byHand = 'one\ntwo, by hand\n';
const read: Call = ['read_file', { path: 'a.txt' }];
const write: Call = ['write_file', { path: 'a.txt', content: 'one\n2\n' }];
const edit: Call = ['edit_file', { path: 'a.txt', oldText: 'one', newText: '1' }];
const refused = 'a.txt was changed since you last read or wrote it. Read it, then write it.';
const wrote = expect.stringMatching(/^Wrote a\.txt/);
const text = () => readFileSync(join(world.fixture.workspace, 'a.txt'), 'utf8');

let id: ConversationId | null;
let nth = 0;
beforeEach(async () => {
  await begin({ window: 100_000, tools: ['read_file', 'edit_file', 'write_file', 'run_command'], approval: 'auto-edit' });
  id = null;
  put('a.txt', old);
});

type Between = () => void;
/** What came of each call of one turn, one a step; functions run before the step that follows. `together`: all of them in one step. */
async function turn(all: readonly (Call | Between)[], { together = false, agentId = null as AgentId | null } = {}): Promise<string[]> {
  const left = [...all];
  const made: string[] = [];
  const next = () => {
    while (typeof left[0] === 'function') (left.shift() as Between)();
    const call = left.shift() as Call | undefined;
    if (!call) return [];
    const callId = `c${++nth}`;
    made.push(callId);
    return [{ id: callId, name: call[0], arguments: JSON.stringify(call[1]) }];
  };
  world.server.script(route, () => {
    const calls = next();
    while (together && left.length > 0) calls.push(...next());
    return calls.length > 0 ? chatCalls(calls) : chatStream(['Done.']);
  });
  const { fixture } = world;
  const from = fixture.events.length;
  id = fixture.scheduler.start({ conversationId: id, text: 'Do it', attachments: [], agentId }).conversationId;
  await fixture.event('stepEnded', (event) => !event.goesOn && fixture.events.indexOf(event) >= from);
  const parts = readPath(fixture.db, tipOf(id)).flatMap((message) => message.parts);
  return made.map(
    (callId) => parts.flatMap((part) => (part.type === 'toolCall' && part.callId === callId ? [part.summary ?? ''] : []))[0] ?? '',
  );
}
const edited = () => put('a.txt', byHand);

it('A2: a file that was changed after it was read is not written over; read again, it is', async () => {
  expect(await turn([read, edited, write])).toEqual([expect.any(String), refused]);
  expect(text()).toBe(byHand);
  expect(await turn([write, read, write])).toEqual([refused, 'Read a.txt (2 lines)', wrote]);
  expect(text()).toBe('one\n2\n');
});

it('A2: also over turns and a restart, and after what the agent wrote itself', async () => {
  expect(await turn([write])).toEqual([wrote]);
  edited();
  await restart();
  expect(await turn([write])).toEqual([refused]);
  expect(text()).toBe(byHand);
});

it('A2: also within one step, whose calls know of each other', async () => {
  expect(await turn([read, write, edit, write], { together: true })).toEqual([
    'Read a.txt (2 lines)',
    wrote,
    expect.stringMatching(/^Edited/),
    wrote,
  ]);
  expect(text()).toBe('one\n2\n');
});

it('A2: an edit beside what a person changed is made, and the rest of it is still not known', async () => {
  expect(await turn([read, edited, edit, write])).toEqual(['Read a.txt (2 lines)', 'Edited a.txt (+1 −1)', refused]);
  expect(text()).toBe('1\ntwo, by hand\n');
  put('a.txt', byHand);
  expect(await turn([read, edit, write])).toEqual(['Read a.txt (2 lines)', expect.stringMatching(/^Edited/), wrote]);
});

it('A2, A4: one that the agent has never seen, that is as it left it, or that is gone, is written as ever', async () => {
  edited();
  expect(await turn([write])).toEqual([wrote]);
  expect(await turn([read, ['read_file', { path: 'a.txt', offset: 2 }], write])).toEqual([
    expect.any(String),
    expect.any(String),
    'a.txt already has this content',
  ]);
  expect(await turn([() => rmSync(join(world.fixture.workspace, 'a.txt')), write])).toEqual(['Wrote a.txt (new, 2 lines)']);
});

it('A2: a change back to what was read is none; a read that failed saw nothing', async () => {
  expect(await turn([read, edited, ['read_file', { path: 'a.txt', offset: 99 }], write])).toEqual([
    expect.any(String),
    expect.stringContaining('only'),
    refused,
  ]);
  put('a.txt', old);
  expect(await turn([write])).toEqual([wrote]);
});

it('A2, A3: the place counts, not the way there', async () => {
  symlinkSync('a.txt', join(world.fixture.workspace, 'link.txt'));
  const overLink: Call = ['write_file', { path: 'link.txt', content: 'over the link\n' }];
  const readLink: Call = ['read_file', { path: './link.txt' }];
  expect(await turn([readLink, edited, overLink])).toEqual([expect.any(String), refused]);
  expect(await turn([read, overLink])).toEqual(['Read a.txt (2 lines)', wrote]);
});

it('A1, A2: what another agent wrote counts as changed, and so does what another branch saw', async () => {
  const second = { ...helper, id: 'second' as AgentId, name: 'Second', tools: ['read_file', 'write_file'], approval: 'auto-edit' as const };
  world.fixture.settings.agents.push(second);
  expect(await turn([read])).toEqual(['Read a.txt (2 lines)']);
  const fork = tipOf(id as ConversationId);
  expect(await turn([write], { agentId: second.id })).toEqual([wrote]);
  expect(await turn([write], { agentId: helper.id })).toEqual([refused]);
  expect(await turn([read], { agentId: helper.id })).toEqual(['Read a.txt (2 lines)']);
  moveTip(world.fixture.db, { conversationId: id as ConversationId, to: fork });
  expect(await turn([write], { agentId: helper.id })).toEqual([refused]);
});

it('A2, A4: one that was changed while the call waited for the word is not written over', async () => {
  await turn([read]);
  world.fixture.settings.agents = world.fixture.settings.agents.map((agent) => ({ ...agent, approval: 'ask' }));
  const { fixture } = world;
  const asked = fixture.event('callChanged', ({ call }) => call.state === 'waiting' && call.needs !== undefined);
  const ended = turn([write]);
  const { stepId, call } = await asked;
  edited();
  fixture.desk.answer(stepId, call.callId, { type: 'once' });
  expect(await ended).toEqual([refused]);
  expect(text()).toBe(byHand);
});
