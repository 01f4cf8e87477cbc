// Turns of several steps with real tools in a real folder: what is stored at each boundary, what the next request holds, what waits for whom.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ScriptedServer, startScriptedServer } from '../../e2e/fixtures/scriptedServer';
import { chatCalls, chatStream } from '../../e2e/fixtures/scripts/chat';
import type { AgentId, ConversationId, MessageId, StepId } from '../../shared/model/ids';
import { type Message, textOf } from '../../shared/model/message';
import { getConversation } from '../store/conversations';
import { listFailedTurns } from '../store/failedTurns';
import { listLiveSteps } from '../store/liveSteps';
import { getMessage, readPath } from '../store/messages';
import { readTalk } from '../store/talkView';
import { helper, makeTurnFixture, type TurnFixture } from './agentsFixture';
import { callResult } from './callResult';
import { allTools } from './tools/registry';

const route = 'POST /v1/chat/completions';
const worker = { ...helper, tools: allTools.map(({ name }) => name) };
const demo = { ...worker, id: 'demo' as AgentId, name: 'Demo', model: 'demo/demo' };
let server: ScriptedServer;
let fixture: TurnFixture;
beforeEach(async () => {
  server = await startScriptedServer();
  fixture = await makeTurnFixture(`${server.url}/v1`, { agents: [worker, demo] });
  writeFileSync(join(fixture.workspace, 'notes.txt'), 'the oak is old\n');
});
afterEach(async () => {
  await fixture.close();
  await server.close();
  fixture.remove();
});

const send = (text: string, agentId: AgentId | null = null, conversationId: ConversationId | null = null) =>
  fixture.scheduler.start({ conversationId, text, attachments: [], agentId });
/** The turn that begins with this step is over. */
const turnOver = (conversationId: ConversationId, after: StepId | null) =>
  fixture.event('stepEnded', (event) => {
    const at = fixture.events.findIndex((one) => one.type === 'stepStarted' && one.step.id === after);
    return event.conversationId === conversationId && !event.goesOn && fixture.events.indexOf(event) > at;
  });
const asked = (name?: string) =>
  fixture.event('callChanged', ({ call }) => call.state === 'waiting' && call.needs !== undefined && (!name || call.callId === name));
const tipOf = (id: ConversationId) => getConversation(fixture.db, id)?.tipId as MessageId;
const path = (id: ConversationId): Message[] => readPath(fixture.db, tipOf(id));
const calls = (message: Message | undefined) => message?.parts.flatMap((part) => (part.type === 'toolCall' ? [part] : [])) ?? [];
const sent = (request: number): { messages: Record<string, unknown>[]; tools?: unknown[] } =>
  JSON.parse(server.requests[request]?.body ?? '{}');

/** Not gone, and not a dead process that nobody has asked about. */
function runs(pid: string): boolean {
  return existsSync(`/proc/${pid}/stat`) && !/^\d+ \(.*\) [ZX]/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
}

describe('a turn with tools', () => {
  it('A2, X2, X3: each step is one message with its calls; the next request has the calls and their results', async () => {
    server.script(
      route,
      chatCalls([{ id: 'c1', name: 'read_file', arguments: '{"path":"notes.txt"}' }], ['Let me look.']),
      chatStream(['The oak is old.']),
    );
    const first = send('What do my notes say?');
    await turnOver(first.conversationId, first.stepId);
    const [, looked, answered] = path(first.conversationId);
    expect(looked?.parts).toMatchObject([
      { type: 'text', text: 'Let me look.' },
      { type: 'toolCall', callId: 'c1', name: 'read_file', summary: 'Read notes.txt (1 line)', durationMs: expect.any(Number) },
    ]);
    expect(answered && textOf(answered)).toBe('The oak is old.');
    expect(new Set(path(first.conversationId).map(({ turnId }) => turnId)).size).toBe(1);
    expect(sent(0).tools).toHaveLength(allTools.length);
    expect(sent(1).messages.slice(-2)).toMatchObject([
      {
        role: 'assistant',
        content: 'Let me look.',
        tool_calls: [{ id: 'c1', function: { name: 'read_file', arguments: '{"path":"notes.txt"}' } }],
      },
      { role: 'tool', tool_call_id: 'c1', content: '1\tthe oak is old' },
    ]);
    expect(listLiveSteps(fixture.db)).toEqual([]);
    expect(await callResult(fixture, { messageId: looked?.id, callId: 'c1' })).toMatchObject({ content: '1\tthe oak is old' });
  });

  it('A2: the demo does twelve steps of one call each, every one stored before the next begins', async () => {
    const first = send('run twelve steps', demo.id);
    await turnOver(first.conversationId, first.stepId);
    const steps = path(first.conversationId).slice(1);
    expect(steps).toHaveLength(13);
    expect(steps.map((step) => calls(step).length)).toEqual([...Array(12).fill(1), 0]);
    const order = fixture.events.flatMap((event) => (event.type === 'stepStarted' || event.type === 'stepEnded' ? [event.type] : []));
    expect(order.slice(0, 4)).toEqual(['stepStarted', 'stepEnded', 'stepStarted', 'stepEnded']);
  });

  it('A5: forty calls at once: the first sixteen run, every one has a result, and the model is told', async () => {
    const forty = Array.from({ length: 40 }, (_, n) => ({ id: `c${n}`, name: 'list_files', arguments: `{"path":".","pattern":"*${n}"}` }));
    server.script(route, chatCalls(forty), chatStream(['Enough.']));
    const first = send('All at once');
    await turnOver(first.conversationId, first.stepId);
    const done = calls(path(first.conversationId)[1]);
    expect(done.filter(({ isError }) => !isError)).toHaveLength(16);
    expect(done.every(({ summary }) => summary !== undefined)).toBe(true);
    expect(sent(1).messages.filter(({ role }) => role === 'tool')).toHaveLength(40);
  });

  it('A5, X8: an agent that loops on one call is stopped; what it did is kept, and the turn says why', async () => {
    const again = chatCalls([{ id: 'c1', name: 'read_file', arguments: '{"path":"notes.txt"}' }]);
    for (let n = 0; n < 30; n++) server.script(route, again);
    const first = send('Loop');
    await turnOver(first.conversationId, first.stepId);
    const [turn] = listFailedTurns(fixture.db, { conversationId: first.conversationId });
    expect(turn).toMatchObject({ failure: { code: 'agentLoop' }, parentId: tipOf(first.conversationId) });
    expect(server.requests.length).toBeLessThan(15);
  });

  it('R3: a tool that does not exist, arguments that are no JSON: the model reads what is wrong and goes on', async () => {
    server.script(
      route,
      chatCalls([
        { id: 'c1', name: 'make_coffee', arguments: '{}' },
        { id: 'c2', name: 'read_file', arguments: '{"path": "no' },
      ]),
      chatStream(['I see.']),
    );
    const first = send('Try');
    await turnOver(first.conversationId, first.stepId);
    const [one, two] = calls(path(first.conversationId)[1]);
    expect(one).toMatchObject({ isError: true, summary: expect.stringContaining('no tool make_coffee') });
    expect(two).toMatchObject({ isError: true, summary: expect.stringContaining('not JSON') });
  });

  it('A1: an agent that is removed while its turn runs finishes it', async () => {
    server.script(
      route,
      chatCalls([{ id: 'c1', name: 'write_file', arguments: '{"path":"new.txt","content":"x"}' }]),
      chatStream(['Done.']),
    );
    const first = send('Write');
    const { stepId, call } = await asked();
    fixture.settings.agents = [demo];
    fixture.desk.answer(stepId, call.callId, { type: 'once' });
    await turnOver(first.conversationId, first.stepId);
    expect(textOf(path(first.conversationId).at(-1)!)).toBe('Done.');
  });
});

describe('approvals', () => {
  const write = (id: string, file: string) =>
    chatCalls([{ id, name: 'write_file', arguments: JSON.stringify({ path: file, content: 'x' }) }]);

  it('A4: nothing is written before the word; allowed once it asks again, allowed for the conversation it does not', async () => {
    server.script(route, write('c1', 'a.txt'), write('c2', 'a.txt'), write('c3', 'a.txt'), write('c4', 'b.txt'), chatStream(['Done.']));
    const first = send('Write');
    const one = await asked('c1');
    expect(one.call.needs).toMatchObject([{ kind: 'edit', path: join(fixture.workspace, 'a.txt') }]);
    expect(existsSync(join(fixture.workspace, 'a.txt'))).toBe(false);
    fixture.desk.answer(one.stepId, 'c1', { type: 'once' });
    fixture.desk.answer((await asked('c2')).stepId, 'c2', { type: 'conversation' });
    fixture.desk.answer((await asked('c4')).stepId, 'c4', { type: 'deny', words: 'Not that one.' });
    await turnOver(first.conversationId, first.stepId);
    expect(fixture.events.some((event) => event.type === 'callChanged' && event.call.callId === 'c3' && event.call.needs)).toBe(false);
    expect([existsSync(join(fixture.workspace, 'a.txt')), existsSync(join(fixture.workspace, 'b.txt'))]).toEqual([true, false]);
    expect(sent(4).messages.at(-1)).toMatchObject({
      role: 'tool',
      content: expect.stringMatching(/^Denied by the user; it has not run\. The user says: Not that one\.$/),
    });
    expect(fixture.grants.get(first.conversationId)?.size).toBe(1);
    expect(() => fixture.desk.answer(one.stepId, 'c1', { type: 'once' })).toThrow('no longer waits');
  });

  it('A4, X9: what waits for a word waits on after a restart, and then runs', async () => {
    server.script(route, write('c1', 'a.txt'), chatStream(['Done.']));
    const first = send('Write');
    await asked();
    fixture = await fixture.restart();
    const again = await asked();
    expect(again.stepId).toBe(first.stepId);
    const view = readTalk(fixture.db, { conversationId: first.conversationId, count: 9 });
    expect(view.ending).toMatchObject({ type: 'live', step: { calls: [{ callId: 'c1', state: 'waiting', needs: [{ kind: 'edit' }] }] } });
    fixture.desk.answer(again.stepId, 'c1', { type: 'once' });
    await turnOver(first.conversationId, first.stepId);
    expect(readFileSync(join(fixture.workspace, 'a.txt'), 'utf8')).toBe('x');
    expect(textOf(path(first.conversationId).at(-1)!)).toBe('Done.');
  });

  it('A5, X9: Stop while it waits: the call is cancelled, what was done before it is kept, Continue goes on', async () => {
    server.script(
      route,
      chatCalls([
        { id: 'c1', name: 'read_file', arguments: '{"path":"notes.txt"}' },
        { id: 'c2', name: 'write_file', arguments: '{"path":"a.txt","content":"x"}' },
      ]),
      chatStream(['Then not.']),
    );
    const first = send('Read and write');
    await asked('c2');
    await fixture.running.stop({ conversationId: first.conversationId });
    const broken = path(first.conversationId).at(-1);
    expect(broken).toMatchObject({ status: 'interrupted' });
    expect(calls(broken).map(({ summary }) => summary)).toEqual(['Read notes.txt (1 line)', 'Cancelled; it may have run']);
    const next = fixture.scheduler.continue({ conversationId: first.conversationId, messageId: broken?.id as MessageId });
    await turnOver(first.conversationId, next.stepId);
    expect(sent(1).messages.slice(-2)).toMatchObject([
      { tool_call_id: 'c1', content: '1\tthe oak is old' },
      { tool_call_id: 'c2', content: expect.stringContaining('ancelled; it may have run') },
    ]);
    expect(path(first.conversationId)).toHaveLength(3);
  });

  it('A5, X9: Stop ends a running command at once, with its process group; its step is interrupted, with what it had printed', async () => {
    const line = 'echo begun; sleep 60 & echo $! > pid; wait';
    server.script(route, chatCalls([{ id: 'c1', name: 'run_command', arguments: JSON.stringify({ command: line }) }]));
    const first = send('Run');
    fixture.desk.answer((await asked()).stepId, 'c1', { type: 'once' });
    // The shell makes the file before it writes into it.
    const pidThere = () =>
      existsSync(join(fixture.workspace, 'pid')) && readFileSync(join(fixture.workspace, 'pid'), 'utf8').endsWith('\n');
    while (!pidThere()) await new Promise((resolve) => setImmediate(resolve));
    const begun = Date.now();
    await fixture.running.stop({ conversationId: first.conversationId });
    expect(Date.now() - begun).toBeLessThan(5000);
    const pid = readFileSync(join(fixture.workspace, 'pid'), 'utf8').trim();
    expect(runs(pid)).toBe(false);
    const broken = getMessage(fixture.db, tipOf(first.conversationId));
    expect(broken).toMatchObject({ status: 'interrupted', parts: [{ type: 'toolCall', isError: true }] });
    expect(await callResult(fixture, { messageId: broken?.id, callId: 'c1' })).toMatchObject({ content: expect.stringContaining('begun') });
  });
});
