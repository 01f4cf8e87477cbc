import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AgentId } from '../../shared/model/ids';
import type { Message } from '../../shared/model/message';
import { compareBranches, endOfBranch } from './compare';
import { createConversation } from './conversations';
import { connectionOf, transaction } from './database';
import { putFailedTurn } from './failedTurns';
import { setLabel } from './marks';
import { appendMessage, readSlice } from './messages';
import { cnv, codeOf, makeFailed, makeMessage, makeStore, msg, plant, type TestStore } from './storeFixture';
import { moveTip } from './tips';

let test: TestStore;
beforeEach(() => {
  test = makeStore();
});
afterEach(() => test.remove());

const conversationId = cnv('1');
const compare = (left: string, right: string) => compareBranches(test.db, { conversationId, left: msg(left), right: msg(right) });
const add = (name: string, parent: string | null, more: Partial<Message> = {}) =>
  appendMessage(test.db, { message: makeMessage(name, parent, more), tip: 'follow' });
const answer = { role: 'assistant', agentId: 'sage' as AgentId } as const;

describe('two branches from their common ancestor', () => {
  it('T13: tells where they part, what each is made of and called, and who answered last', () => {
    plant(test.db, ['a']);
    add('b', 'a', answer);
    add('c', 'b');
    add('d', 'c', { ...answer, createdAt: 7000 });
    add('e', 'b');
    add('f', 'e', answer);
    add('g', 'f', { ...answer, agentId: 'other' as AgentId });
    setLabel(test.db, { conversationId, messageId: msg('b'), label: 'shared', now: 1 });
    setLabel(test.db, { conversationId, messageId: msg('e'), label: 'plan B', now: 2 });
    expect(compare('d', 'g')).toEqual({
      shared: { id: msg('b'), depth: 1, role: 'assistant', text: 'text of b', agentId: 'sage' },
      left: { endId: msg('d'), roles: ['user', 'assistant'], prompt: 'text of c', agentId: 'sage', endedAt: 7000 },
      right: {
        endId: msg('g'),
        roles: ['user', 'assistant', 'assistant'],
        prompt: 'text of e',
        agentId: 'other',
        endedAt: 2000,
        label: 'plan B',
      },
    });
  });

  it('T13: one may be the start of the other; then it has nothing of its own', () => {
    plant(test.db, ['a', 'b<a', 'c<b']);
    expect(compare('a', 'c')).toMatchObject({
      shared: { id: msg('a') },
      left: { endId: msg('a'), roles: [], prompt: '' },
      right: { endId: msg('c'), roles: ['user', 'user'], prompt: 'text of b' },
    });
    expect(compare('c', 'c')).toMatchObject({ shared: { id: msg('c') }, left: { roles: [] }, right: { roles: [] } });
  });

  it('T13: branches under different first prompts share nothing but the start', () => {
    plant(test.db, ['a', 'b<a', 'r']);
    expect(compare('b', 'r')).toMatchObject({ shared: null, left: { roles: ['user', 'user'] }, right: { roles: ['user'] } });
  });

  it('T13: where they begin alike, the first prompts that differ name them', () => {
    plant(test.db, ['a']);
    for (const side of ['l', 'r']) {
      add(`${side}1`, 'a', { parts: [{ type: 'text', text: 'go on' }] });
      add(`${side}2`, `${side}1`);
    }
    expect(compare('l2', 'r2')).toMatchObject({ left: { prompt: 'text of l2' }, right: { prompt: 'text of r2' } });
  });

  it('T13: what is no message of this conversation, or in the trash, is not found', () => {
    plant(test.db, ['a', 'b<a']);
    createConversation(test.db, { id: cnv('2'), now: 1, agentId: null });
    appendMessage(test.db, { message: makeMessage('z', null, { conversationId: cnv('2') }), tip: 'follow' });
    expect(codeOf(() => compare('a', 'nothing'))).toBe('notFound');
    expect(codeOf(() => compare('z', 'b'))).toBe('notFound');
    expect(codeOf(() => compareBranches(test.db, { conversationId: cnv('3'), left: msg('a'), right: msg('b') }))).toBe('notFound');
    expect(codeOf(() => endOfBranch(test.db, { conversationId, messageId: msg('z') }))).toBe('notFound');
  });

  it('T13: 10,000 messages on a side are told at once, and read a page at a time from anywhere', () => {
    plant(test.db, ['a']);
    transaction(test.db, () => {
      for (const side of ['l', 'r'])
        for (let at = 0; at < 10_000; at++) add(`${side}${at}`, at === 0 ? 'a' : `${side}${at - 1}`, at % 2 === 0 ? {} : answer);
    });
    const { left, right, shared } = compare('l9999', 'r9999');
    expect([left.roles.length, right.roles.length, shared?.depth]).toEqual([10_000, 10_000, 0]);
    expect(left.roles.slice(-2)).toEqual(['user', 'assistant']);
    const page = readSlice(test.db, { tipId: left.endId, offset: 5001, count: 200 });
    expect(page.items.map(({ id }) => id)).toEqual(Array.from({ length: 200 }, (_, at) => msg(`l${5000 + at}`)));
  });
});

describe('a damaged tree', () => {
  const set = (name: string, parent: string) =>
    connectionOf(test.db).prepare('UPDATE messages SET parent_id = ? WHERE id = ?').run(msg(parent), msg(name));

  it('T7, T13: a ring, a missing parent and a moved message neither hang nor lose a message', () => {
    plant(test.db, ['a', 'b<a', 'c<b', 'd<c', 'e<b', 'f<e']);
    set('b', 'd');
    const ring = compare('d', 'f');
    expect(ring.left.roles.length + ring.right.roles.length).toBeLessThanOrEqual(6);
    set('b', 'a');
    set('e', 'gone');
    expect(compare('d', 'f')).toMatchObject({ shared: null, right: { roles: ['user', 'user'] } });
    set('e', 'd');
    expect(compare('d', 'f')).toMatchObject({ shared: { id: msg('d') }, left: { roles: [] }, right: { roles: ['user', 'user'] } });
  });
});

describe('the end of a branch', () => {
  const end = (name: string, version?: 'previous' | 'next') => endOfBranch(test.db, { conversationId, messageId: msg(name), version });

  it('T6, T13: as it was left; the tip for what is on the path; the version beside a message', () => {
    plant(test.db, ['a', 'b<a', 'c<b', 'd<c', 'e<a', 'f<e']);
    moveTip(test.db, { conversationId, to: msg('c') });
    moveTip(test.db, { conversationId, to: msg('f') });
    expect([end('b'), end('d'), end('e'), end('a')]).toEqual([msg('c'), msg('d'), msg('f'), msg('f')]);
    expect([end('e', 'previous'), end('b', 'next')]).toEqual([msg('c'), msg('f')]);
    expect(codeOf(() => end('b', 'previous'))).toBe('notFound');
  });

  it('T12, T13: of a version that failed it is the message it would answer', () => {
    plant(test.db, ['a', 'b<a']);
    putFailedTurn(test.db, makeFailed('1', 'a'));
    expect(end('b', 'next')).toBe(msg('a'));
  });
});
