// The hot queries go through indexes: asserted on SQLite's own plans, caught while the real functions run.

import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AgentId } from '../../shared/model/ids';
import { listConversations } from './conversations';
import { asWritable, type WritableDb } from './database';
import { finishStep } from './endStep';
import { saveStep, startStep } from './liveSteps';
import { appendMessage, childrenOf, readPath, readSlice } from './messages';
import { cnv, makeMessage, makeStep, makeStore, msg, plant, type TestStore } from './storeFixture';
import { readTalk } from './talkView';
import { forwardTarget, moveTip, siblingTarget } from './tips';
import { transcriptStepOf } from './transcriptSteps';
import { usedAgent, usedAgents } from './usedAgents';

let test: TestStore;
let spied: Database.Database;
let db: WritableDb;
let seen: string[];
beforeEach(() => {
  test = makeStore();
  plant(test.db, ['a', 'b<a', 'c<b', 'd<c', 'e<a', 'f<e']);
  seen = [];
  spied = new Database(test.file, { verbose: (text) => seen.push(String(text)) });
  db = asWritable(spied);
});
afterEach(() => {
  spied.close();
  test.remove();
});

/** Plan lines of everything that `work` ran, `SCAN`s and sorts among them. */
function plans(work: () => void): string[] {
  seen = [];
  work();
  const ran = [...new Set(seen)].filter((text) => /^\s*(SELECT|INSERT|UPDATE|DELETE)/.test(text));
  expect(ran.length).toBeGreaterThan(0);
  return ran.flatMap((text) =>
    spied
      .prepare<[], { detail: string }>(`EXPLAIN QUERY PLAN ${text}`)
      .all()
      .map(({ detail }) => detail),
  );
}
const bad = (lines: readonly string[]) => lines.filter((line) => /^SCAN (?!CONSTANT)|TEMP B-TREE/.test(line));

describe('query plans', () => {
  it('T2, R1: reading a talk, a slice and a path is index seeks only', () => {
    const lines = plans(() => {
      readTalk(db, { conversationId: cnv('1'), count: 50 });
      readSlice(db, { tipId: msg('d'), offset: 1, count: 2 });
      readPath(db, msg('d'));
      childrenOf(db, { conversationId: cnv('1'), parentId: msg('a') });
    });
    expect(bad(lines)).toEqual([]);
    expect(lines).toContain('SEARCH s USING COVERING INDEX messages_tree (conversation_id=? AND recovered=? AND parent_id=?)');
    expect(lines).toContain('SEARCH messages USING INDEX messages_underived (conversation_id=?)');
  });

  it('T3, T6, R1: appending, moving and finding a sibling are index seeks only', () => {
    const lines = plans(() => {
      appendMessage(db, { message: makeMessage('g', 'f'), tip: 'follow' });
      moveTip(db, { conversationId: cnv('1'), to: msg('d') });
      siblingTarget(db, { conversationId: cnv('1'), parentId: msg('a'), from: msg('b'), direction: 'next' });
      startStep(db, makeStep('s', 'd'));
      saveStep(db, { stepId: makeStep('s', 'd').id, content: [], now: 1 });
      const transcript = { agentId: 'demo' as AgentId, file: 1 };
      finishStep(db, { stepId: makeStep('s', 'd').id, message: makeMessage('h', 'd'), tip: 'follow', transcript });
      transcriptStepOf(db, { messageId: msg('h'), agentId: transcript.agentId });
    });
    expect(bad(lines)).toEqual([]);
    expect(lines).toContain('SEARCH messages USING COVERING INDEX messages_tree (conversation_id=? AND recovered=? AND parent_id=?)');
  });

  it('U1, R1: the list of conversations comes from its index in order', () => {
    const lines = plans(() => listConversations(db, { archived: false }));
    expect(lines).toEqual(['SEARCH c USING INDEX conversations_shown (<expr>=?)']);
  });

  it('T6, R1: forward sorts only the remembered children of one message', () => {
    const lines = plans(() => forwardTarget(db, msg('a')));
    expect(bad(lines)).toEqual(['USE TEMP B-TREE FOR ORDER BY']);
  });

  it('N1: a query that sorts hides its parameters from the planner, else SQLite prepares it anew at each bind', () => {
    const texts: string[] = [];
    const prepare = spied.prepare.bind(spied);
    Object.assign(spied, {
      prepare: (text: string) => {
        texts.push(text);
        return prepare(text);
      },
    });
    readTalk(db, { conversationId: cnv('1'), count: 50 });
    childrenOf(db, { conversationId: cnv('1'), parentId: null });
    childrenOf(db, { conversationId: cnv('1'), parentId: msg('a') });
    listConversations(db, { archived: false });
    usedAgents(db, cnv('1'));
    usedAgent(db, 'demo' as AgentId);
    startStep(db, makeStep('s', 'd'));
    moveTip(db, { conversationId: cnv('1'), to: msg('d') });
    moveTip(db, { conversationId: cnv('1'), to: msg('a') });
    forwardTarget(db, msg('a'));
    siblingTarget(db, { conversationId: cnv('1'), parentId: msg('a'), from: msg('b'), direction: 'next' });
    const sorted = texts.filter((text) => text.includes('ORDER BY'));
    expect(sorted.length).toBeGreaterThan(7);
    expect(sorted.filter((text) => /[^+]\?/.test(text))).toEqual([]);
  });

  it('N1: a view of 50 messages is 50 row reads and a fixed number of others', () => {
    const count = (size: number) => {
      seen = [];
      readTalk(db, { conversationId: cnv('1'), count: size });
      return seen.length;
    };
    count(1);
    moveTip(db, { conversationId: cnv('1'), to: msg('d') });
    const [three, four] = [count(3), count(4)];
    // The root's number of siblings is asked for apart, hence three more for the fourth message.
    expect(three).toBeLessThanOrEqual(7);
    expect(four - three).toBeLessThanOrEqual(4);
  });
});
