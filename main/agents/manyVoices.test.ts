// What a user does around a running turn: addresses several agents, steers, queues, names checkpoints; and an agent that goes back to one.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { gate, type ScriptedServer, startScriptedServer, waitFor } from '../../e2e/fixtures/scriptedServer';
import { chatCalls, chatError, chatStream } from '../../e2e/fixtures/scripts/chat';
import type { AgentId, ConversationId, MessageId, StepId } from '../../shared/model/ids';
import { type Message, requestInProgress, textOf } from '../../shared/model/message';
import { checkpointsOnPath } from '../store/checkpointRows';
import { getConversation } from '../store/conversations';
import { listFailedTurns } from '../store/failedTurns';
import { childrenOf, getMessage, readPath } from '../store/messages';
import { listQueued } from '../store/queuedMessages';
import { forwardTarget, moveTip } from '../store/tips';
import { helper, makeTurnFixture, type TurnFixture } from './agentsFixture';
import { addAndTell, rewindByUser } from './checkpoints';
import { allTools } from './tools/registry';

const route = 'POST /v1/chat/completions';
const worker = { ...helper, tools: allTools.map(({ name }) => name) };
const reviewer = { ...helper, id: 'reviewer' as AgentId, name: 'Strict Reviewer', systemPrompt: 'Find faults.' };
let server: ScriptedServer;
let fixture: TurnFixture;
beforeEach(async () => {
  server = await startScriptedServer();
  fixture = await makeTurnFixture(`${server.url}/v1`, { agents: [worker, reviewer] });
  writeFileSync(join(fixture.workspace, 'notes.txt'), 'the oak is old\n');
});
afterEach(async () => {
  await fixture.close();
  await server.close();
  fixture.remove();
});

const send = (text: string, conversationId: ConversationId | null = null) =>
  fixture.scheduler.start({ conversationId, text, attachments: [], agentId: null });
const over = (stepId: StepId | null) =>
  fixture.event('stepEnded', (event) => {
    const begun = fixture.events.findIndex((one) => one.type === 'stepStarted' && one.step.id === stepId);
    return begun >= 0 && fixture.events.indexOf(event) > begun && !event.goesOn;
  });
const tipOf = (id: ConversationId) => getConversation(fixture.db, id)?.tipId as MessageId;
const path = (id: ConversationId): Message[] => readPath(fixture.db, tipOf(id));
const texts = (id: ConversationId) => path(id).map((message) => `${message.agentId ?? message.role}: ${textOf(message)}`);
const sent = (request: number): { role: string; content: string }[] => JSON.parse(server.requests[request]?.body ?? '{}').messages;
const read = (id: string) => chatCalls([{ id, name: 'read_file', arguments: '{"path":"notes.txt"}' }]);
const call = (id: string, name: string, args: object) => chatCalls([{ id, name, arguments: JSON.stringify(args) }]);
const deps = () => ({ ...fixture, newId: (prefix: string) => `${prefix}_made${++made}` as never, now: () => 50_000 });
let made = 0;

describe('several agents', () => {
  it('A1, X1, T12: those that are addressed answer one after the other, each seeing the ones before as attributed text only', async () => {
    server.script(route, read('c1'), chatStream(['It says oak.']), chatStream(['Too short.']), chatStream(['Sorry.']));
    const first = send('@Helper read my notes, and @strict reviewer judge');
    await over(first.stepId);
    expect(texts(first.conversationId)).toEqual([
      'user: @Helper read my notes, and @strict reviewer judge',
      'helper: ',
      'helper: It says oak.',
      'reviewer: Too short.',
    ]);
    expect(getConversation(fixture.db, first.conversationId)?.agentId).toBe('helper');
    expect(sent(2)).toMatchObject([
      { role: 'system', content: 'Find faults.' },
      { role: 'user', content: expect.stringMatching(/judge\n\n\[Helper answered:\]\nIt says oak\.$/) },
    ]);
    expect(JSON.stringify(sent(2))).not.toContain('read_file');
    const second = send('Go on', first.conversationId);
    await over(second.stepId);
    expect(sent(3).map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool', 'assistant', 'user']);
  });
});

describe('queue and steer', () => {
  it('A6: a steered message goes in before the next step, a queued one is sent after the turn', async () => {
    const { opened, open } = gate();
    server.script(route, [waitFor(opened), ...read('c1')], chatStream(['Steered.']), chatStream(['Queued.']));
    const first = send('Look');
    const { conversationId } = first;
    const waiting = fixture.waiting.add({ conversationId, text: 'And then?', attachments: [], mode: 'queue' });
    fixture.waiting.add({ conversationId, text: 'Only the first line.', attachments: [], mode: 'steer' });
    const gone = fixture.waiting.add({ conversationId, text: 'Never mind', attachments: [], mode: 'queue' });
    fixture.waiting.remove({ queuedId: gone.id });
    fixture.waiting.change({ queuedId: waiting.id, text: 'And now?', attachments: [], mode: 'queue' });
    open();
    await over(first.stepId);
    await fixture.event('stepEnded', (event) => event.messageId !== null && texts(conversationId).at(-1) === 'helper: Queued.');
    expect(texts(conversationId)).toEqual([
      'user: Look',
      'helper: ',
      'user: Only the first line.',
      'helper: Steered.',
      'user: And now?',
      'helper: Queued.',
    ]);
    const turns = path(conversationId).map(({ turnId }) => turnId);
    expect([new Set(turns.slice(0, 4)).size, new Set(turns.slice(4)).size, new Set(turns).size]).toEqual([1, 1, 2]);
    expect(listQueued(fixture.db, conversationId)).toEqual([]);
    expect(() => fixture.waiting.change({ queuedId: waiting.id, text: 'x', attachments: [], mode: 'queue' })).toThrow(
      'was sent or removed',
    );
  });

  it('A6, X8: after Stop or a failure what waits is held, over a restart too, and sent when the user says so', async () => {
    const { opened, open } = gate();
    server.script(route, [waitFor(opened), ...chatError(400, 'bad request')], chatStream(['Now.']));
    const first = send('Look');
    const { conversationId } = first;
    const { id } = fixture.waiting.add({ conversationId, text: 'Later', attachments: [], mode: 'steer' });
    open();
    await over(first.stepId);
    expect(listQueued(fixture.db, conversationId)).toMatchObject([{ id, held: true }]);
    fixture = await fixture.restart();
    expect(() => fixture.waiting.add({ conversationId, text: 'x', attachments: [], mode: 'queue' })).toThrow('No turn runs here');
    const second = fixture.waiting.send({ queuedId: id });
    await over(second.stepId);
    expect(texts(conversationId)).toEqual(['user: Look', 'user: Later', 'helper: Now.']);
  });

  it('A6, T12: what waits goes under the turn it waited for, also when the user went elsewhere', async () => {
    const { opened, open } = gate();
    server.script(route, chatStream(['One.']), [waitFor(opened), ...chatStream(['Two.'])], chatStream(['Three.']));
    const first = send('First');
    await over(first.stepId);
    const { conversationId } = first;
    const home = tipOf(conversationId);
    const second = send('Second', conversationId);
    fixture.waiting.add({ conversationId, text: 'Third', attachments: [], mode: 'queue' });
    moveTip(fixture.db, { conversationId, to: home });
    open();
    const { messageId } = await over(second.stepId);
    await fixture.event('stepEnded', (event) => event.messageId !== null && event.messageId !== messageId && event.stepId !== first.stepId);
    expect(tipOf(conversationId)).toBe(home);
    const [third] = childrenOf(fixture.db, { conversationId, parentId: messageId });
    expect(third?.role).toBe('user');
  });

  it('A6, T6, T12: who comes back to a branch where a message waited finds it and its answer, and what waited behind it', async () => {
    const { opened, open } = gate();
    server.script(
      route,
      chatStream(['One.']),
      [waitFor(opened), ...chatStream(['Two.'])],
      chatStream(['Three.']),
      chatStream(['Four.']),
      chatStream(['Two again.']),
    );
    const first = send('First');
    await over(first.stepId);
    const { conversationId } = first;
    const home = tipOf(conversationId);
    const second = send('Second', conversationId);
    fixture.waiting.add({ conversationId, text: 'Third', attachments: [], mode: 'queue' });
    fixture.waiting.add({ conversationId, text: 'Fourth', attachments: [], mode: 'queue' });
    moveTip(fixture.db, { conversationId, to: home });
    open();
    const { messageId } = await over(second.stepId);
    const end = () => texts(conversationId).at(-1);
    const back = () => moveTip(fixture.db, { conversationId, to: forwardTarget(fixture.db, home) });
    await fixture.event('stepEnded', (event) => textOf(getMessage(fixture.db, event.messageId ?? home)!) === 'Four.');
    back();
    expect(end()).toBe('helper: Four.');
    // Another answer of the same turn, left while it stands, is remembered for itself.
    const again = fixture.scheduler.regenerate({ conversationId, messageId: messageId as MessageId });
    await over(again.stepId);
    moveTip(fixture.db, { conversationId, to: home });
    back();
    expect(end()).toBe('helper: Two again.');
  });
});

describe('checkpoints', () => {
  it('C1, C2, C3: an agent names a place, explores, and goes back with a digest; what it explored stays as a branch', async () => {
    server.script(
      route,
      call('c1', 'checkpoint', { label: 'clean' }),
      read('c2'),
      call('c3', 'rewind', { label: 'clean', digest: 'The notes are about an oak.' }),
      chatStream(['An oak.']),
    );
    const first = send('What is it about?');
    await over(first.stepId);
    const { conversationId } = first;
    expect(path(conversationId).map(({ role }) => role)).toEqual(['user', 'assistant', 'digest', 'assistant']);
    const [, named, digest] = path(conversationId);
    expect(digest).toMatchObject({ parts: [{ text: 'The notes are about an oak.' }], digest: { label: 'clean' }, turnId: named?.turnId });
    expect(checkpointsOnPath(fixture.db, { conversationId, tipId: tipOf(conversationId) })).toMatchObject([
      { label: 'clean', messageId: named?.id, by: 'agent' },
    ]);
    // The model no longer reads what was explored, and is told what came of it.
    expect(JSON.stringify(sent(3))).not.toContain('the oak is old');
    expect(sent(3).at(-1)).toMatchObject({ role: 'user', content: expect.stringContaining('The notes are about an oak.') });
    const branches = childrenOf(fixture.db, { conversationId, parentId: named?.id as MessageId });
    expect(branches.map(({ role }) => role)).toEqual(['assistant', 'digest']);
    expect(readPath(fixture.db, digest?.digest?.from as MessageId)).toHaveLength(4);
  });

  it('C3, A5: an agent that does nothing but go back, with another digest each time, is stopped, and the turn says why', async () => {
    const again = Array.from({ length: 30 }, (_, at) => call(`c${at}`, 'rewind', { label: 'clean', digest: `Try ${at}.` }));
    server.script(route, call('c', 'checkpoint', { label: 'clean' }), ...again);
    const first = send('What is it about?');
    await over(first.stepId);
    const { conversationId } = first;
    expect(path(conversationId).filter(({ role }) => role === 'digest')).toHaveLength(1);
    expect(listFailedTurns(fixture.db, { conversationId })).toMatchObject([
      { failure: { code: 'agentLoop' }, parentId: tipOf(conversationId) },
    ]);
    expect(server.requests.length).toBeLessThan(20);
  });

  it('C5: unknown and used labels are errors that list the live ones', async () => {
    server.script(
      route,
      call('c1', 'checkpoint', { label: 'a' }),
      chatCalls([
        { id: 'c2', name: 'checkpoint', arguments: '{"label":"a"}' },
        { id: 'c3', name: 'rewind', arguments: '{"label":"b","digest":"x"}' },
      ]),
      chatStream(['I see.']),
    );
    const first = send('Try');
    await over(first.stepId);
    const results = sent(2).filter(({ role }) => role === 'tool');
    expect(results.slice(1).map(({ content }) => content)).toEqual([
      expect.stringMatching(/"a" on this path already.*There are: a/s),
      expect.stringMatching(/no checkpoint "b".*There are: a/s),
    ]);
  });

  it('C1, C3: a rewind to before the turn carries the request in progress, whole', async () => {
    server.script(route, chatStream(['Hello.']), call('c1', 'rewind', { label: 'start', digest: 'Nothing.' }), chatStream(['Done.']));
    const first = send('Hi');
    await over(first.stepId);
    const { conversationId } = first;
    addAndTell(deps(), { conversationId, label: 'start' });
    const second = send('Find the *bug*', conversationId);
    await over(second.stepId);
    expect(path(conversationId).map(({ role }) => role)).toEqual(['user', 'assistant', 'digest', 'assistant']);
    expect(path(conversationId)[2]?.parts).toMatchObject([{ text: 'Nothing.' }, { text: requestInProgress }, { text: 'Find the *bug*' }]);
    expect(JSON.stringify(sent(2))).toContain('Find the *bug*');
  });

  it('C1, C3, T12: the user names and goes back; an agent that goes back moves its head, never the tip of a user who went elsewhere', async () => {
    const { opened, open } = gate();
    server.script(
      route,
      call('c1', 'checkpoint', { label: 'here' }),
      [waitFor(opened), ...call('c2', 'rewind', { label: 'here', digest: 'Back.' })],
      chatStream(['Done.']),
    );
    const first = send('Go');
    const { conversationId } = first;
    await fixture.event('stepEnded', (event) => event.goesOn === true);
    const root = first.messageId;
    moveTip(fixture.db, { conversationId, to: root });
    open();
    const { messageId } = await over(first.stepId);
    expect(tipOf(conversationId)).toBe(root);
    expect(readPath(fixture.db, messageId as MessageId).map(({ role }) => role)).toEqual(['user', 'assistant', 'digest', 'assistant']);
    moveTip(fixture.db, { conversationId, to: messageId });
    rewindByUser(deps(), { conversationId, label: 'here', digest: ' I saw enough. ' });
    expect(path(conversationId).map(textOf)).toEqual(['Go', '', 'I saw enough.']);
    expect(() => rewindByUser(deps(), { conversationId, label: 'nowhere', digest: '' })).toThrow('There are: here');
    rewindByUser(deps(), { conversationId, label: 'here', digest: '' });
    expect(path(conversationId)).toHaveLength(2);
    expect(() => addAndTell(deps(), { conversationId, label: 'here' })).toThrow('already');
  });
});
