// A turn's start, its running step and its ends, each in one transaction.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Conversation } from '../../shared/model/conversation';
import { getConversation } from './conversations';
import { connectionOf } from './database';
import { readDraft, saveDraft } from './drafts';
import { dropStep, failStep, finishStep } from './endStep';
import { getFailedTurn, listFailedTurns, putFailedTurn } from './failedTurns';
import { listLiveSteps, liveContent, saveStep, startStep } from './liveSteps';
import { childrenOf, getMessage, readPath } from './messages';
import { openStore } from './open';
import { agentNamed, cnv, codeOf, makeFailed, makeMessage, makeStep, makeStore, msg, plant, type TestStore } from './storeFixture';
import { readTalk } from './talkView';
import { siblingTarget } from './tips';
import { recordTurn } from './turns';
import { usedAgents } from './usedAgents';

let test: TestStore;
beforeEach(() => {
  test = makeStore();
});
afterEach(() => test.remove());

const one = { conversationId: cnv('1') };
const demo = agentNamed('demo');
const fresh: Conversation = {
  id: cnv('1'),
  title: 'First words',
  titleSource: 'none',
  tipId: null,
  agentId: demo.id,
  pinned: false,
  archived: false,
  createdAt: 500,
  updatedAt: 500,
};
const tip = () => getConversation(test.db, cnv('1'))?.tipId;

describe('recording a turn', () => {
  it('T3, X9: a first message makes conversation, message, tip, running step and agent copy at once, and takes the draft away', () => {
    saveDraft(test.db, { key: 'new', draft: { text: 'Hello', attachments: [] }, now: 1 });
    const conversation = recordTurn(test.db, {
      conversation: fresh,
      userMessage: makeMessage('u', null),
      step: makeStep('s', 'u'),
      agents: [{ ...demo, approval: 'auto-edit' }],
      answersNext: demo.id,
      draftKey: 'new',
    });
    expect(conversation).toEqual({ ...fresh, tipId: msg('u'), updatedAt: 2000 });
    expect(readTalk(test.db, { ...one, count: 9 })).toMatchObject({
      length: 1,
      ending: { type: 'live', step: { parts: [] } },
      running: [{ id: 'stp_s' }],
    });
    expect(usedAgents(test.db, cnv('1'))).toEqual([demo]);
    expect(readDraft(test.db, 'new')).toEqual({ text: '', attachments: [] });
  });

  it('R2, X9: when any part is refused nothing of it stays', () => {
    saveDraft(test.db, { key: 'new', draft: { text: 'Hello', attachments: [] }, now: 1 });
    const wrong = {
      conversation: fresh,
      userMessage: makeMessage('u', null),
      step: makeStep('s', 'elsewhere'),
      agents: [demo],
      answersNext: demo.id,
      draftKey: 'new',
    };
    expect(codeOf(() => recordTurn(test.db, wrong))).toBe('conflict');
    expect(getConversation(test.db, cnv('1'))).toBeUndefined();
    expect(getMessage(test.db, msg('u'))).toBeUndefined();
    expect(readDraft(test.db, 'new').text).toBe('Hello');
  });

  it('T3: a send whose parent is no longer the tip is refused', () => {
    plant(test.db, ['a', 'b<a']);
    expect(
      codeOf(() =>
        recordTurn(test.db, {
          conversation: cnv('1'),
          userMessage: makeMessage('u', 'a'),
          step: null,
          agents: [demo],
          answersNext: demo.id,
        }),
      ),
    ).toBe('conflict');
    expect(tip()).toBe(msg('b'));
  });

  it('T5: an edit is a sibling; the old prompt, its answer and its tail stay and are found again', () => {
    plant(test.db, ['a', 'b<a', 'u<b', 'r<u', 'tail<r']);
    recordTurn(test.db, {
      conversation: cnv('1'),
      userMessage: makeMessage('u2', 'b'),
      parentId: msg('b'),
      step: makeStep('s', 'u2'),
      agents: [demo],
      answersNext: demo.id,
    });
    expect(childrenOf(test.db, { ...one, parentId: msg('b') }).map(({ id }) => id)).toEqual([msg('u'), msg('u2')]);
    expect(tip()).toBe(msg('u2'));
    expect(readPath(test.db, msg('tail'))).toHaveLength(5);
    expect(siblingTarget(test.db, { ...one, parentId: msg('b'), from: msg('u2'), direction: 'previous' }).to).toBe(msg('tail'));
  });

  it('T1, T5: an edited first prompt is a second root', () => {
    plant(test.db, ['a', 'b<a']);
    recordTurn(test.db, {
      conversation: cnv('1'),
      userMessage: makeMessage('a2', null),
      parentId: null,
      step: makeStep('s', 'a2'),
      agents: [demo],
      answersNext: demo.id,
    });
    expect(readTalk(test.db, { ...one, count: 9 }).slice.items).toMatchObject([{ id: msg('a2'), version: 2, versions: 2 }]);
    expect(siblingTarget(test.db, { ...one, parentId: null, from: msg('a2'), direction: 'previous' }).to).toBe(msg('b'));
  });

  it('T5, T12: regenerate is a running sibling of the answer, which stays', () => {
    plant(test.db, ['u', 'r<u', 'more<r']);
    recordTurn(test.db, { conversation: cnv('1'), parentId: msg('u'), step: makeStep('s', 'u'), agents: [demo], answersNext: demo.id });
    expect(tip()).toBe(msg('u'));
    expect(readTalk(test.db, { ...one, count: 9 }).ending).toMatchObject({ version: 2, versions: 2 });
    finishStep(test.db, { stepId: makeStep('s', 'u').id, message: makeMessage('r2', 'u', { role: 'assistant' }), tip: 'follow' });
    expect(readTalk(test.db, { ...one, count: 9 }).slice.items.at(-1)).toMatchObject({ id: msg('r2'), version: 2, versions: 2 });
    expect(siblingTarget(test.db, { ...one, parentId: msg('u'), from: msg('r2'), direction: 'previous' }).to).toBe(msg('more'));
  });

  it('T7: a send into a conversation whose tip was lost goes on from the newest message', () => {
    plant(test.db, ['a', 'b<a']);
    connectionOf(test.db).exec(`UPDATE conversations SET tip_id = 'msg_gone'`);
    recordTurn(test.db, {
      conversation: cnv('1'),
      userMessage: makeMessage('u', 'b'),
      step: makeStep('s', 'u'),
      agents: [demo],
      answersNext: demo.id,
    });
    expect(tip()).toBe(msg('u'));
  });

  it('A1: the agent that answers becomes the one that answers next', () => {
    plant(test.db, ['a']);
    recordTurn(test.db, {
      conversation: cnv('1'),
      parentId: msg('a'),
      step: makeStep('s', 'a', { agentId: 'other' as never }),
      agents: [agentNamed('other')],
      answersNext: agentNamed('other').id,
    });
    expect(getConversation(test.db, cnv('1'))?.agentId).toBe('other');
  });
});

describe('a running step', () => {
  beforeEach(() => plant(test.db, ['u']));

  it('X9: is one row that moves no tip and is no message, and survives a restart with its content and calls', () => {
    const step = makeStep('s', 'u', { local: true });
    startStep(test.db, step);
    const parts = [{ type: 'text' as const, text: 'half an ans' }];
    const calls = [{ callId: 'c1', name: 'read_file', arguments: '{}', state: 'done' as const, result: { summary: 'read' } }];
    saveStep(test.db, { stepId: step.id, content: parts, calls, now: 3500 });
    saveStep(test.db, { stepId: step.id, content: parts, now: 3600 });
    test.store.close();
    test.store = openStore({ file: test.file, mode: 'write', now: () => 1 });
    test.db = test.store.db;
    expect(listLiveSteps(test.db)).toEqual([{ ...step, parts, calls: [{ callId: 'c1', state: 'done', summary: 'read' }], phase: 'tools' }]);
    expect(liveContent(test.db, step.id)).toEqual({ content: parts, calls });
    expect(tip()).toBe(msg('u'));
    expect(readTalk(test.db, { ...one, count: 9 })).toMatchObject({ length: 1, tipChildren: 0 });
  });

  it('X9, T3: its end is one transaction: row gone, message there, tip moved only from its parent', () => {
    startStep(test.db, makeStep('s', 'u'));
    const answer = makeMessage('s', 'u', { role: 'assistant' });
    expect(finishStep(test.db, { stepId: makeStep('s', 'u').id, message: answer, tip: 'follow' })).toEqual({ moved: true });
    expect(listLiveSteps(test.db, one)).toEqual([]);
    expect(tip()).toBe(answer.id);
    startStep(test.db, makeStep('s2', 'u'));
    expect(finishStep(test.db, { stepId: makeStep('s2', 'u').id, message: makeMessage('s2', 'u'), tip: 'follow' })).toEqual({
      moved: false,
    });
    expect(tip()).toBe(answer.id);
  });

  it('R2: an end that cannot be written leaves the row as it was', () => {
    startStep(test.db, makeStep('s', 'u'));
    expect(codeOf(() => finishStep(test.db, { stepId: makeStep('s', 'u').id, message: makeMessage('u', 'u'), tip: 'follow' }))).toBe(
      'wouldCloseRing',
    );
    expect(codeOf(() => finishStep(test.db, { stepId: makeStep('s', 'u').id, message: makeMessage('u', null), tip: 'follow' }))).toBe(
      'conflict',
    );
    expect(listLiveSteps(test.db, one)).toHaveLength(1);
    expect(codeOf(() => finishStep(test.db, { stepId: 'stp_none' as never, message: makeMessage('x', 'u'), tip: 'follow' }))).toBe(
      'notFound',
    );
    expect(getMessage(test.db, msg('x'))).toBeUndefined();
  });

  it('T12: one running turn a head', () => {
    startStep(test.db, makeStep('s', 'u'));
    expect(codeOf(() => startStep(test.db, makeStep('s2', 'u')))).toBe('turnRunning');
    dropStep(test.db, makeStep('s', 'u').id);
    startStep(test.db, makeStep('s2', 'u'));
    expect(listLiveSteps(test.db, one).map(({ id }) => id)).toEqual(['stp_s2']);
  });

  it('X9: content saved after the end changes nothing', () => {
    saveStep(test.db, { stepId: 'stp_none' as never, content: [], now: 1 });
    expect(listLiveSteps(test.db)).toEqual([]);
  });
});

describe('a failed turn', () => {
  beforeEach(() => plant(test.db, ['u']));
  const fail = (name: string, more = {}) => {
    startStep(test.db, makeStep(name, 'u', more));
    failStep(test.db, { stepId: makeStep(name, 'u').id, failed: makeFailed(name, 'u', more) });
  };

  it('X8: is stored with its failure and is there after a restart', () => {
    fail('f');
    test.store.close();
    test.store = openStore({ file: test.file, mode: 'write', now: () => 1 });
    test.db = test.store.db;
    expect(getFailedTurn(test.db, makeFailed('f', 'u').id)).toEqual(makeFailed('f', 'u'));
    expect(readTalk(test.db, { ...one, count: 9 }).ending).toEqual({
      type: 'failed',
      turn: makeFailed('f', 'u'),
      version: 1,
      versions: 1,
    });
  });

  it('X8: a newer one of the same agent under the same message replaces it; of another agent it stands beside', () => {
    fail('f');
    fail('g');
    expect(listFailedTurns(test.db, one).map(({ id }) => id)).toEqual(['fld_g']);
    fail('h', { agentId: 'other' });
    expect(listFailedTurns(test.db, one).map(({ id }) => id)).toEqual(['fld_g', 'fld_h']);
    expect(readTalk(test.db, { ...one, count: 9 }).ending).toMatchObject({ turn: { id: 'fld_h' } });
  });

  it('X8: a retry takes it away when it starts, an answer when it comes', () => {
    fail('f');
    recordTurn(test.db, { conversation: cnv('1'), parentId: msg('u'), step: makeStep('s', 'u'), agents: [demo], answersNext: demo.id });
    expect(listFailedTurns(test.db, one)).toEqual([]);
    putFailedTurn(test.db, makeFailed('g', 'u'));
    finishStep(test.db, {
      stepId: makeStep('s', 'u').id,
      message: makeMessage('r', 'u', { role: 'assistant', agentId: demo.id }),
      tip: 'follow',
    });
    expect(listFailedTurns(test.db, one)).toEqual([]);
  });

  it('X10: a failure that cannot be read is still a failed turn', () => {
    fail('f');
    connectionOf(test.db).exec(`UPDATE failed_turns SET failure = '{"code":"no such"}'`);
    expect(listFailedTurns(test.db, one)[0]?.failure.code).toBe('internal');
  });
});
