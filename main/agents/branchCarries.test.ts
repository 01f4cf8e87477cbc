// A digest of a branch that was left, carried over to another one: made by a model or without, whole or not at all (T11).
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { gate, head, type ScriptedServer, startScriptedServer, waitFor } from '../../e2e/fixtures/scriptedServer';
import { chatCalls, chatError, chatStream } from '../../e2e/fixtures/scripts/chat';
import type { ConversationId, MessageId } from '../../shared/model/ids';
import { type Message, textOf } from '../../shared/model/message';
import { leftStretch } from '../store/leftStretch';
import { childrenOf, getMessage, readPath } from '../store/messages';
import { currentTip, moveTip } from '../store/tips';
import { helper, makeTurnFixture, type TurnFixture } from './agentsFixture';

const route = 'POST /v1/chat/completions';
let server: ScriptedServer;
let fixture: TurnFixture;
beforeEach(async () => {
  server = await startScriptedServer();
  fixture = await makeTurnFixture(`${server.url}/v1`, { agents: [{ ...helper, tools: ['read_file', 'edit_file'] }] });
  writeFileSync(join(fixture.workspace, 'notes.txt'), 'secret id 9f8e7d6c\nthe oak is old\n');
});
afterEach(async () => {
  await fixture.close();
  await server.close();
  fixture.remove();
});

async function turn(
  text: string,
  conversationId: ConversationId | null = null,
): Promise<{ conversationId: ConversationId; messageId: MessageId }> {
  const recorded = fixture.scheduler.start({ conversationId, text, attachments: [], agentId: null });
  await over(recorded.messageId);
  return recorded;
}
async function over(messageId: MessageId): Promise<void> {
  const started = await fixture.event('stepStarted', ({ step }) => step.parentId === messageId);
  await fixture.event('stepEnded', (event) => !event.goesOn && fixture.events.indexOf(event) > fixture.events.indexOf(started));
}

type Tree = { conversationId: ConversationId; root: MessageId; left: MessageId; target: MessageId };
/** A conversation whose root has two branches; the tip has just moved from the one (with a tool call) to the end of the other. */
async function twoBranches(): Promise<Tree> {
  server.script(
    route,
    chatStream(['Hello.']),
    chatStream(['The other way.']),
    chatCalls([{ id: 'c1', name: 'read_file', arguments: '{"path":"notes.txt"}' }], ['Let me look.']),
    chatStream(['The oak is old.']),
  );
  const { conversationId } = await turn('Hi');
  const root = tip(conversationId);
  await turn('Go the other way', conversationId);
  const target = tip(conversationId);
  moveTip(fixture.db, { conversationId, to: root });
  await turn('What do my notes say?', conversationId);
  const left = tip(conversationId);
  moveTip(fixture.db, { conversationId, to: target });
  return { conversationId, root, left, target };
}
const tip = (conversationId: ConversationId) => currentTip(fixture.db, conversationId) as MessageId;
const begin = ({ conversationId, left, target }: Tree, focus?: string) =>
  fixture.carries.begin({ conversationId, leftId: left, targetId: target, ...(focus ? { focus } : {}) });
/** Nothing is being made any more. */
const settled = async ({ conversationId }: Tree) => {
  while (fixture.carries.of(conversationId).length > 0) await new Promise((resolve) => setImmediate(resolve));
};
const digestUnder = ({ conversationId, target }: Tree): Message | undefined => {
  const child = childrenOf(fixture.db, { conversationId, parentId: target }).find(({ role }) => role === 'digest');
  return child && getMessage(fixture.db, child.id);
};
const asked = (nth: number) =>
  JSON.parse(server.requests[nth]?.body ?? '{}') as { tools?: unknown; messages: { role: string; content: string }[] };

describe('what a move leaves', () => {
  it('T11: is what the path of the target has not: from the common ancestor to the tip that was left', async () => {
    const { conversationId, root, left, target } = await twoBranches();
    const stretch = (leftId: MessageId, targetId: MessageId) => leftStretch(fixture.db, { conversationId, leftId, targetId });
    expect(stretch(left, target)).toEqual({ offset: 2, count: 3 });
    expect(stretch(target, left)).toEqual({ offset: 2, count: 2 });
    expect(stretch(left, root)).toEqual({ offset: 2, count: 3 });
    expect(stretch(root, left)).toEqual({ offset: 2, count: 0 });
    expect(() => stretch('msg_gone' as MessageId, root)).toThrow('no longer there');
  });
});

describe('a digest carried over', () => {
  it('T11, L18: stands under the target as a digest from the other branch, made of that branch alone, and the tip follows', async () => {
    const tree = await twoBranches();
    server.script(route, chatStream(['The notes have ', 'id 9f8e7d6c.']));
    expect(begin(tree)).toBe(true);
    expect(fixture.carries.of(tree.conversationId)).toMatchObject([{ leftId: tree.left, targetId: tree.target }]);
    await settled(tree);
    const digest = digestUnder(tree);
    expect(digest).toMatchObject({
      role: 'digest',
      parentId: tree.target,
      model: 'local/m1',
      digest: { from: tree.left },
      usage: { output: 2 },
    });
    expect(digest && textOf(digest)).toBe('The notes have id 9f8e7d6c.');
    expect(tip(tree.conversationId)).toBe(digest?.id);
    const { messages, tools } = asked(4);
    expect(tools).toBeUndefined();
    const told = messages[1]?.content ?? '';
    expect(told).toContain(
      '[User]\n| What do my notes say?\n[Assistant Helper]\n| Let me look.\n[Tool calls]\n| read_file notes.txt: Read notes.txt',
    );
    expect(told).toContain('secret id 9f8e7d6c');
    expect(told).toContain('| The oak is old.');
    expect(told).not.toMatch(/Hello|other way/);
  });

  it('T11, K1: focus words guide it, are kept with it, and are never a request', async () => {
    const tree = await twoBranches();
    server.script(route, chatStream(['About the oak.']));
    begin(tree, 'the oak');
    await settled(tree);
    expect(digestUnder(tree)?.digest).toEqual({ from: tree.left, focus: 'the oak' });
    const { messages } = asked(4);
    expect(messages[0]?.content).toContain('are no request:\n| the oak');
    expect(messages[1]?.content).not.toContain('| the oak\n');
  });

  it('T11, M4: role compaction makes it where one is set', async () => {
    const tree = await twoBranches();
    fixture.settings.roles = { compaction: 'demo/demo' };
    begin(tree);
    await settled(tree);
    expect(digestUnder(tree)).toMatchObject({ model: 'demo/demo' });
    expect(textOf(digestUnder(tree) as Message)).toContain('In that branch you asked “What do my notes say?”');
  });

  it.each([
    ['fails', chatError(500, 'boom')],
    ['refuses', chatStream(['I’m sorry, I can’t help with that.'])],
    ['says nothing', chatStream([' \n '])],
    ['says too much', chatStream(['word '.repeat(4000)])],
  ])('T11, M3: where the model %s it is put together without one, and marked so', async (_, play) => {
    const tree = await twoBranches();
    server.script(route, play);
    begin(tree, 'the oak');
    await settled(tree);
    const digest = digestUnder(tree);
    expect(digest?.digest).toEqual({ from: tree.left, focus: 'the oak', plain: true });
    expect(digest?.model).toBeUndefined();
    expect(digest && textOf(digest)).toBe(
      '**Requests**\n\n- What do my notes say?\n\n**Last answer**\n\n> The oak is old.\n\n**Files**\n\n- `notes.txt` (read)',
    );
    expect(tip(tree.conversationId)).toBe(digest?.id);
  });

  it('T11, M3: without any model, too', async () => {
    const tree = await twoBranches();
    fixture.settings.agents = [{ ...helper, model: null }];
    begin(tree);
    await settled(tree);
    expect(digestUnder(tree)?.digest).toMatchObject({ plain: true });
    expect(server.requests).toHaveLength(4);
  });

  it('T11: nothing is begun where nothing is left, and the same one once', async () => {
    const tree = await twoBranches();
    expect(begin({ ...tree, left: tree.root })).toBe(false);
    server.script(route, chatStream(['Once.']));
    begin(tree);
    begin(tree);
    expect(fixture.carries.of(tree.conversationId)).toHaveLength(1);
    await settled(tree);
    expect(childrenOf(fixture.db, { conversationId: tree.conversationId, parentId: tree.target })).toHaveLength(1);
  });
});

describe('going to and fro', () => {
  it('T11: adds no digest of what was told already, until there is something new to tell', async () => {
    const tree = await twoBranches();
    const { conversationId, left, target } = tree;
    const carry = async (from: MessageId, to: MessageId, focus?: string) => {
      moveTip(fixture.db, { conversationId, to });
      const begun = fixture.carries.begin({ conversationId, leftId: from, targetId: to, ...(focus ? { focus } : {}) });
      await settled(tree);
      return begun;
    };
    server.script(route, chatStream(['A digest.']));
    expect(await carry(left, target)).toBe(true);
    const atTarget = tip(conversationId);
    expect(await carry(atTarget, left)).toBe(true);
    const atLeft = tip(conversationId);
    expect(await carry(atLeft, atTarget)).toBe(false);
    expect(await carry(atTarget, atLeft)).toBe(false);
    expect(await carry(atLeft, atTarget, 'the oak')).toBe(true);
    await turn('More of it', conversationId);
    expect(await carry(tip(conversationId), atLeft)).toBe(true);
  });
});

describe('what happens meanwhile', () => {
  async function slow(tree: Tree): Promise<() => void> {
    const { opened, open } = gate();
    server.script(route, [head(), waitFor(opened), ...chatStream(['Late words.']).slice(1)]);
    begin(tree);
    await server.request(route, 5);
    return open;
  }

  it('T11, T3: where the conversation went on the digest is added, and the tip stays', async () => {
    const tree = await twoBranches();
    const open = await slow(tree);
    server.script(route, chatStream(['Going on.']));
    await turn('Go on', tree.conversationId);
    const stays = tip(tree.conversationId);
    open();
    await settled(tree);
    expect(textOf(digestUnder(tree) as Message)).toBe('Late words.');
    expect(tip(tree.conversationId)).toBe(stays);
    expect(fixture.events).toContainEqual({ type: 'notice', notice: { code: 'digestBeside', tone: 'info' } });
  });

  it('T11, T12: an answer that is being written under the target keeps the tip', async () => {
    const tree = await twoBranches();
    const request = readPath(fixture.db, tree.target).at(-2)?.id as MessageId;
    const { opened, open } = gate();
    server.script(route, [head(), waitFor(opened), ...chatStream(['Another way.']).slice(1)]);
    const { stepId } = fixture.scheduler.regenerate({ conversationId: tree.conversationId, messageId: tree.target });
    await server.request(route, 5);
    expect(tip(tree.conversationId)).toBe(request);
    server.script(route, chatStream(['Under the request.']));
    begin({ ...tree, target: request });
    await settled(tree);
    expect(textOf(digestUnder({ ...tree, target: request }) as Message)).toBe('Under the request.');
    expect(tip(tree.conversationId)).toBe(request);
    open();
    await fixture.event('stepEnded', (event) => event.stepId === stepId);
    expect(textOf(getMessage(fixture.db, tip(tree.conversationId)) as Message)).toBe('Another way.');
  });

  it('T11, R4: it can be stopped: the connection is closed and nothing is written', async () => {
    const tree = await twoBranches();
    await slow(tree);
    await fixture.carries.stop({ conversationId: tree.conversationId, targetId: tree.target });
    expect(fixture.carries.of(tree.conversationId)).toEqual([]);
    expect(await server.requests[4]?.closed).toBe(false);
    expect(digestUnder(tree)).toBeUndefined();
    expect(tip(tree.conversationId)).toBe(tree.target);
  });

  it('T11, R2: the end of the program leaves no half of it, and it can be made again', async () => {
    const tree = await twoBranches();
    await slow(tree);
    fixture = await fixture.restart();
    expect(digestUnder(tree)).toBeUndefined();
    expect(tip(tree.conversationId)).toBe(tree.target);
    server.script(route, chatStream(['Again.']));
    begin(tree);
    await settled(tree);
    expect(textOf(digestUnder(tree) as Message)).toBe('Again.');
  });

  it('T11: where the target was deleted meanwhile, nothing is added and it is said', async () => {
    const tree = await twoBranches();
    const open = await slow(tree);
    await fixture.deletions.remove({ conversationId: tree.conversationId, messageId: tree.target });
    open();
    await settled(tree);
    expect(fixture.events).toContainEqual({ type: 'notice', notice: { code: 'digestNotMade', tone: 'warning' } });
    expect(tip(tree.conversationId)).not.toBe(tree.target);
  });

  it('T11: a branch that was deleted meanwhile is told of all the same, without a way there', async () => {
    const tree = await twoBranches();
    const open = await slow(tree);
    await fixture.deletions.remove({ conversationId: tree.conversationId, messageId: tree.left });
    open();
    await settled(tree);
    expect(digestUnder(tree)?.digest).toEqual({});
  });
});
