import { describe, expect, it } from 'vitest';
import { destroy, gate, head, json, type ScriptedServer, send, waitFor } from '../../e2e/fixtures/scriptedServer';
import { chatStream } from '../../e2e/fixtures/scripts/chat';
import type { AgentId, ConversationId, MessageId, StepId } from '../../shared/model/ids';
import { textOf } from '../../shared/model/message';
import { getConversation } from '../store/conversations';
import { listFailedTurns } from '../store/failedTurns';
import { listLiveSteps } from '../store/liveSteps';
import { childrenOf, getMessage, readPath } from '../store/messages';
import { readTalk } from '../store/talkView';
import { moveTip, siblingTarget } from '../store/tips';
import { helper, type TurnFixture } from './agentsFixture';
import { withTurns } from './turnsFixture';

const route = 'POST /v1/chat/completions';
let server: ScriptedServer;
let fixture: TurnFixture;

withTurns((made, by) => {
  [fixture, server] = [made, by];
});

const ended = (stepId: StepId | null) => fixture.event('stepEnded', (event) => event.stepId === stepId);
const send1 = (text: string, conversationId: ConversationId | null = null) =>
  fixture.scheduler.start({ conversationId, text, attachments: [], agentId: null });
const texts = (tipId: MessageId | null) => (tipId ? readPath(fixture.db, tipId).map(textOf) : []);
const tipOf = (id: ConversationId) => getConversation(fixture.db, id)?.tipId ?? null;

/** A first part of an answer, then whatever the test says. */
const half = (text: string) => [head(), send(`data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: text } }] })}\n\n`)];

describe('a turn', () => {
  it('T3, X9: records the message at once, streams the answer, and the tip follows', async () => {
    server.script(route, chatStream(['Hello there']));
    const { conversationId, messageId, stepId } = send1('Hi');
    expect(tipOf(conversationId)).toBe(messageId);
    expect(listLiveSteps(fixture.db).map((step) => step.id)).toEqual([stepId]);
    const end = await ended(stepId);
    expect(tipOf(conversationId)).toBe(end.messageId);
    expect(texts(end.messageId)).toEqual(['Hi', 'Hello there']);
    expect(listLiveSteps(fixture.db)).toEqual([]);
  });

  it('T5: an edited prompt is a sibling; the old prompt, its answer and its tail stay', async () => {
    server.script(route, chatStream(['one']), chatStream(['two']), chatStream(['three']));
    const first = send1('Question');
    await ended(first.stepId);
    const second = send1('More', first.conversationId);
    await ended(second.stepId);
    const oldTip = tipOf(first.conversationId);
    const edited = fixture.scheduler.edit({
      conversationId: first.conversationId,
      messageId: first.messageId,
      text: 'Other question',
      attachments: [],
    });
    await ended(edited.stepId);
    expect(texts(tipOf(first.conversationId))).toEqual(['Other question', 'three']);
    expect(texts(oldTip)).toEqual(['Question', 'one', 'More', 'two']);
    expect(childrenOf(fixture.db, { conversationId: first.conversationId, parentId: null })).toHaveLength(2);
    const back = siblingTarget(fixture.db, {
      conversationId: first.conversationId,
      parentId: null,
      from: edited.messageId,
      direction: 'previous',
    });
    expect(back.to).toBe(oldTip);
  });

  it('T5: regenerate makes a sibling of the answer, an answer edited by hand another one, marked', async () => {
    server.script(route, chatStream(['one']), chatStream(['two']));
    const first = send1('Question');
    const { messageId: one } = await ended(first.stepId);
    const again = fixture.scheduler.regenerate({ conversationId: first.conversationId, messageId: one as MessageId });
    await ended(again.stepId);
    const byHand = fixture.scheduler.editAnswer({ conversationId: first.conversationId, messageId: one as MessageId, text: 'mine' });
    const view = readTalk(fixture.db, { conversationId: first.conversationId, count: 50 });
    expect(view.slice.items.at(-1)).toMatchObject({ id: byHand.messageId, version: 3, versions: 3, edited: true });
    expect(textOf(getMessage(fixture.db, one as MessageId) ?? { parts: [] })).toBe('one');
  });

  it('T12: one running turn a head; another branch goes on meanwhile, and the tip stays where the user went', async () => {
    const { opened, open } = gate();
    server.script(
      route,
      chatStream(['one']),
      [...half('slow'), waitFor(opened), send('data: {"choices":[{"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n')],
      chatStream(['elsewhere']),
    );
    const first = send1('Question');
    await ended(first.stepId);
    const slow = send1('Slow one', first.conversationId);
    await fixture.event('stepDelta', (event) => event.stepId === slow.stepId);
    expect(() => send1('Too early', first.conversationId)).toThrow(/being written/);
    moveTip(fixture.db, { conversationId: first.conversationId, to: first.messageId });
    const other = fixture.scheduler.regenerate({ conversationId: first.conversationId, messageId: first.messageId });
    await ended(other.stepId);
    const tip = tipOf(first.conversationId);
    open();
    const slowEnd = await ended(slow.stepId);
    expect(tipOf(first.conversationId)).toBe(tip);
    expect(texts(slowEnd.messageId)).toEqual(['Question', 'one', 'Slow one', 'slow']);
  });
});

describe('a turn that ends badly', () => {
  it('X9: stop keeps the text as an interrupted message; later requests carry one line of it unless it was continued', async () => {
    server.script(
      route,
      [...half('Half an answer'), waitFor(new Promise(() => undefined))],
      chatStream(['fine']),
      chatStream([' and the rest']),
    );
    const first = send1('Question');
    await fixture.event('stepDelta');
    await fixture.running.stop({ conversationId: first.conversationId });
    const { messageId } = await ended(first.stepId);
    const message = getMessage(fixture.db, messageId as MessageId);
    expect(message).toMatchObject({ status: 'interrupted', parts: [{ type: 'text', text: 'Half an answer' }] });
    expect(message?.failure).toBeUndefined();
    const second = send1('And?', first.conversationId);
    await ended(second.stepId);
    expect(server.requests[1]?.body).not.toContain('Half an answer');
    expect(server.requests[1]?.body).toContain('broke off');
    const continued = fixture.scheduler.continue({ conversationId: first.conversationId, messageId: messageId as MessageId });
    await ended(continued.stepId);
    expect(server.requests[2]?.body).toContain('Half an answer');
    expect(getMessage(fixture.db, tipOf(first.conversationId) as MessageId)?.turnId).toBe(message?.turnId);
  });

  it('X9, P3: a connection that breaks keeps what was shown, with the cause', async () => {
    server.script(route, [...half('Half'), destroy()]);
    const { stepId } = send1('Question');
    const { messageId } = await ended(stepId);
    expect(getMessage(fixture.db, messageId as MessageId)).toMatchObject({ status: 'interrupted', failure: { code: 'connectionLost' } });
  });

  it('X8: a failed turn is stored with its failure; Retry runs it again in its place', async () => {
    server.script(route, json({ error: { message: 'model m1 not found', code: 'model_not_found' } }, 404), chatStream(['now it works']));
    const first = send1('Question');
    expect((await ended(first.stepId)).messageId).toBeNull();
    const [failed] = listFailedTurns(fixture.db, { conversationId: first.conversationId });
    expect(failed?.failure).toMatchObject({ code: 'unknownModel' });
    expect(readTalk(fixture.db, { conversationId: first.conversationId, count: 10 }).ending).toMatchObject({
      type: 'failed',
      version: 1,
      versions: 1,
    });
    const again = fixture.scheduler.retry({ conversationId: first.conversationId, failedTurnId: failed?.id as never });
    await ended(again.stepId);
    expect(texts(tipOf(first.conversationId))).toEqual(['Question', 'now it works']);
    expect(listFailedTurns(fixture.db, { conversationId: first.conversationId })).toEqual([]);
    expect(() => fixture.scheduler.retry({ conversationId: first.conversationId, failedTurnId: failed?.id as never })).toThrow(/no longer/);
  });

  it('P5: 429 waits as long as the server asks, visibly, then goes on; Stop ends the wait', async () => {
    server.script(
      route,
      json({ error: { message: 'slow down' } }, 429, { 'retry-after': '7' }),
      chatStream(['ok']),
      json({ error: { message: 'slow down' } }, 429),
    );
    const first = send1('Question');
    const phase = await fixture.event('stepPhase', (event) => event.phase === 'retrying');
    expect(phase.retry).toMatchObject({ attempt: 1, failure: { code: 'rateLimited' } });
    expect(fixture.waits[0]?.ms).toBeGreaterThanOrEqual(7000);
    fixture.waits[0]?.go();
    await ended(first.stepId);
    expect(texts(tipOf(first.conversationId))).toEqual(['Question', 'ok']);
    const second = send1('Again', first.conversationId);
    await fixture.event('stepPhase', (event) => event.stepId === second.stepId && event.phase === 'retrying');
    await fixture.running.stop({ conversationId: first.conversationId });
    const { messageId } = await ended(second.stepId);
    expect(getMessage(fixture.db, messageId as MessageId)).toMatchObject({ status: 'interrupted', parts: [] });
  });

  it('X8: a turn without a model is recorded and fails with what to do, the words are kept', async () => {
    fixture.settings.agents = [{ ...(fixture.settings.agents[0] as never as object), model: null } as never];
    const first = send1('Question');
    await ended(first.stepId);
    expect(listFailedTurns(fixture.db, { conversationId: first.conversationId })[0]?.failure.code).toBe('noModel');
    expect(texts(tipOf(first.conversationId))).toEqual(['Question']);
  });
});

describe('titles', () => {
  it('U1: the first words at once, then the title role, once, never over a title by hand', async () => {
    fixture.settings.preferences.autoTitle = true;
    fixture.settings.roles = { title: 'local/m1' };
    server.script(route, chatStream(['Answer']), chatStream(['"A good title."']));
    const first = send1('What is a good title for a talk about trees?');
    expect(getConversation(fixture.db, first.conversationId)?.title).toBe('What is a good title for a talk about trees?');
    await fixture.event('conversationChanged', (event) => event.conversation.titleSource === 'auto');
    expect(getConversation(fixture.db, first.conversationId)).toMatchObject({ title: 'A good title', titleSource: 'auto' });
  });
});

it('W2: an agent that only the workspace knows still answers, with approvals back at asking', async () => {
  server.script(route, chatStream(['one']), chatStream(['two']));
  const first = send1('Question');
  await ended(first.stepId);
  fixture.settings.agents = [{ ...helper, id: 'other' as AgentId, name: 'Other' }];
  const second = send1('Still you?', first.conversationId);
  await ended(second.stepId);
  expect(getMessage(fixture.db, tipOf(first.conversationId) as MessageId)?.agentId).toBe(helper.id);
});
