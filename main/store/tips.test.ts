// Moves of the tip: what they write, where they lead, and that they survive.
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { MessageId } from '../../shared/model/ids';
import { getConversation } from './conversations';
import { change, connectionOf, transaction } from './database';
import { failStep, finishStep } from './endStep';
import { startStep } from './liveSteps';
import { appendMessage, childrenOf } from './messages';
import { openStore } from './open';
import { cnv, codeOf, makeFailed, makeMessage, makeStep, makeStore, msg, plant, type TestStore } from './storeFixture';
import { readTalk } from './talkView';
import { currentTip, forwardTarget, moveTip, siblingTarget } from './tips';

let test: TestStore;
beforeEach(() => {
  test = makeStore();
});
afterEach(() => test.remove());

const one = { conversationId: cnv('1') };
const tip = () => getConversation(test.db, cnv('1'))?.tipId?.replace('msg_', '') ?? null;
const go = (name: string | null) => moveTip(test.db, { ...one, to: name === null ? null : msg(name) });
const sibling = (parent: string | null, from: string | null, direction: 'previous' | 'next') =>
  siblingTarget(test.db, { ...one, parentId: parent === null ? null : msg(parent), from: from === null ? null : msg(from), direction });
const tips = () => connectionOf(test.db).prepare('SELECT child_id, tip_id, turn_id FROM branch_tips ORDER BY rowid').all();
const forked = ['a', 'b<a', 'c<b', 'd<c', 'e<a', 'f<e'];

describe('moving', () => {
  it('T4: a move writes the pointer and one row, and no message', () => {
    plant(test.db, forked);
    go('d');
    const db = connectionOf(test.db);
    const count = () => db.prepare('SELECT count(*) FROM messages').pluck().get();
    const changes = () => db.prepare<[], number>('SELECT total_changes()').pluck().get() ?? 0;
    const [messages, before] = [count(), changes()];
    go('f');
    expect(changes() - before).toBe(2);
    expect(count()).toBe(messages);
    expect(tips()).toContainEqual({ child_id: 'msg_b', tip_id: 'msg_d', turn_id: null });
    expect(tip()).toBe('f');
  });

  it('T3: only to a message of the same conversation', () => {
    plant(test.db, forked);
    plant(test.db, ['x'], '2');
    expect(codeOf(() => go('x'))).toBe('notFound');
    expect(codeOf(() => go('nobody'))).toBe('notFound');
    expect(codeOf(() => moveTip(test.db, { conversationId: cnv('none'), to: msg('a') }))).toBe('notFound');
    expect(tip()).toBe('d');
  });

  it('T3, T6: the tip and what moves remembered survive a restart', () => {
    plant(test.db, forked);
    go('c');
    go('f');
    test.store.close();
    test.store = openStore({ file: test.file, mode: 'write', now: () => 1 });
    test.db = test.store.db;
    expect(tip()).toBe('f');
    expect(sibling('a', 'e', 'previous')).toEqual({ to: msg('c'), slot: 'message' });
  });

  it('T4: a move does not bring the conversation to the top of the list', () => {
    plant(test.db, forked);
    const before = getConversation(test.db, cnv('1'))?.updatedAt;
    go('b');
    expect(getConversation(test.db, cnv('1'))?.updatedAt).toBe(before);
  });

  it('T3: before the first message, and back', () => {
    plant(test.db, forked);
    go(null);
    expect(tip()).toBeNull();
    expect(tips()).toEqual([{ child_id: 'msg_a', tip_id: 'msg_d', turn_id: null }]);
  });
});

describe('versions', () => {
  it('T6: previous and next between branches come back to where each was left', () => {
    plant(test.db, forked);
    go('c');
    const there = sibling('a', 'b', 'next');
    expect(there).toEqual({ to: msg('f'), slot: 'message' });
    go('f');
    go('e');
    expect(sibling('a', 'e', 'previous').to).toBe(msg('c'));
    go('c');
    expect(sibling('a', 'b', 'next').to).toBe(msg('e'));
    expect(codeOf(() => sibling('a', 'e', 'next'))).toBe('notFound');
    expect(codeOf(() => sibling('a', 'b', 'previous'))).toBe('notFound');
  });

  it('T6: a tip with children goes forward along the branch left last, else the newest', () => {
    plant(test.db, forked);
    go('a');
    expect(forwardTarget(test.db, msg('a'))).toBe(msg('d'));
    go('f');
    go('a');
    expect(forwardTarget(test.db, msg('a'))).toBe(msg('f'));
    expect(forwardTarget(test.db, msg('b'))).toBe(msg('d'));
    expect(forwardTarget(test.db, msg('d'))).toBeNull();
    expect(codeOf(() => forwardTarget(test.db, msg('nobody')))).toBe('notFound');
  });

  it('T12: a running answer counts as the last version; from it and to it', () => {
    plant(test.db, ['a', 'b<a']);
    startStep(test.db, makeStep('1', 'a'));
    expect(sibling('a', 'b', 'next')).toEqual({ to: msg('a'), slot: 'ending' });
    go('a');
    expect(readTalk(test.db, { ...one, count: 9 })).toMatchObject({ tipChildren: 1, ending: { type: 'live', version: 2, versions: 2 } });
    expect(sibling('a', null, 'previous')).toEqual({ to: msg('b'), slot: 'message' });
    go('b');
    expect(readTalk(test.db, { ...one, count: 9 }).slice.items.map(({ version, versions }) => `${version}/${versions}`)).toEqual([
      '1/1',
      '1/2',
    ]);
  });

  it('T12: a failed answer counts too, and both at once count once', () => {
    plant(test.db, ['a', 'b<a']);
    startStep(test.db, makeStep('1', 'a'));
    failStep(test.db, { stepId: makeStep('1', 'a').id, failed: makeFailed('1', 'a', { agentId: 'other' as never }) });
    startStep(test.db, makeStep('2', 'a'));
    go('a');
    expect(readTalk(test.db, { ...one, count: 9 }).ending).toMatchObject({ type: 'live', version: 2, versions: 2 });
    expect(sibling('a', 'b', 'next').slot).toBe('ending');
  });

  it('T12: a turn that ran on after its branch was left is followed to its end', () => {
    plant(test.db, ['a', 'q<a', 'x<a']);
    const turnId = 'trn_t' as never;
    startStep(test.db, makeStep('s1', 'q', { turnId }));
    go('q');
    go('x');
    finishStep(test.db, { stepId: makeStep('s1', 'q').id, message: makeMessage('s1', 'q', { role: 'assistant', turnId }), tip: 'follow' });
    expect(tip()).toBe('x');
    expect(sibling('a', 'x', 'previous').to).toBe(msg('s1'));
    startStep(test.db, makeStep('s2', 's1', { turnId }));
    expect(sibling('a', 'x', 'previous').to).toBe(msg('s1'));
    finishStep(test.db, {
      stepId: makeStep('s2', 's1').id,
      message: makeMessage('s2', 's1', { role: 'assistant', turnId }),
      tip: 'follow',
    });
    appendMessage(test.db, { message: makeMessage('later', 's2'), tip: 'follow' });
    go(sibling('a', 'x', 'previous').to.replace('msg_', ''));
    expect(tip()).toBe('s2');
  });

  it('T12: going to a branch on which a turn runs goes to its head, so that the tip follows again', () => {
    plant(test.db, ['a', 'q<a', 'x<a']);
    go('q');
    go('x');
    startStep(test.db, makeStep('s1', 'q'));
    go(sibling('a', 'x', 'previous').to.replace('msg_', ''));
    finishStep(test.db, { stepId: makeStep('s1', 'q').id, message: makeMessage('s1', 'q', { role: 'assistant' }), tip: 'follow' });
    expect(tip()).toBe('s1');
  });
});

describe('a tip that was lost', () => {
  it('T7: the newest message stands in for it, for reading and for what comes next', () => {
    plant(test.db, forked);
    connectionOf(test.db).exec(`UPDATE conversations SET tip_id = 'msg_gone'`);
    expect(currentTip(test.db, cnv('1'))).toBe(msg('f'));
    go('d');
    expect(tip()).toBe('d');
    expect(tips()).toEqual([]);
  });
});

describe('always', () => {
  type Move = { to: number } | { child: number; next: boolean } | { append: number };
  const moves: fc.Arbitrary<Move[]> = fc.array(
    fc.oneof(fc.record({ to: fc.nat(40) }), fc.record({ child: fc.nat(40), next: fc.boolean() }), fc.record({ append: fc.nat(40) })),
    { maxLength: 25 },
  );

  it('T3, T6: after any moves, a switch there and back comes to the same tip; appends move it only from its parent', () => {
    fc.assert(
      fc.property(moves, (list) => {
        transaction(test.db, () => {
          for (const table of ['branch_tips', 'messages', 'conversations']) change(test.db, `DELETE FROM ${table}`).run();
          plant(test.db, ['m0']);
          const ids: MessageId[] = [msg('m0')];
          const pick = (at: number) => ids[at % ids.length] ?? msg('m0');
          for (const move of list) {
            const before = currentTip(test.db, cnv('1'));
            if ('to' in move) moveTip(test.db, { ...one, to: pick(move.to) });
            else if ('append' in move) {
              const parentId = pick(move.append);
              const id = msg(`m${ids.length}`);
              const { moved } = appendMessage(test.db, { message: { ...makeMessage('x', null), id, parentId }, tip: 'follow' });
              ids.push(id);
              expect(moved).toBe(parentId === before);
              expect(currentTip(test.db, cnv('1'))).toBe(moved ? id : before);
            } else switchThereAndBack(pick(move.child), move.next);
          }
        });
      }),
      { numRuns: 60 },
    );
  });

  function switchThereAndBack(tipId: MessageId, next: boolean): void {
    moveTip(test.db, { ...one, to: tipId });
    const talk = readTalk(test.db, { ...one, count: 200 });
    const item = talk.slice.items.find(({ version, versions }) => (next ? version < versions : version > 1));
    if (item === undefined) return;
    const step = { ...one, parentId: item.parentId };
    const there = siblingTarget(test.db, { ...step, from: item.id, direction: next ? 'next' : 'previous' });
    moveTip(test.db, { ...one, to: there.to });
    const other = childrenOf(test.db, step)[item.version - 1 + (next ? 1 : -1)];
    const back = siblingTarget(test.db, { ...step, from: other?.id ?? null, direction: next ? 'previous' : 'next' });
    moveTip(test.db, { ...one, to: back.to });
    expect(currentTip(test.db, cnv('1'))).toBe(tipId);
  }
});
