// The view of a conversation: its slice, its ending, what runs, in every state.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createConversation } from './conversations';
import { connectionOf, type ReadableDb, transaction } from './database';
import { failStep } from './endStep';
import { startStep } from './liveSteps';
import { appendMessage, depthOf, readSlice } from './messages';
import { openStore } from './open';
import { cnv, codeOf, makeFailed, makeMessage, makeStep, makeStore, msg, plant, type TestStore } from './storeFixture';
import { readTalk } from './talkView';
import { moveTip } from './tips';

let test: TestStore;
beforeEach(() => {
  test = makeStore();
});
afterEach(() => test.remove());

const read = (count = 50, offset?: number) =>
  readTalk(test.db, { conversationId: cnv('1'), count, ...(offset === undefined ? {} : { offset }) });
const shown = (count?: number, offset?: number) =>
  read(count, offset).slice.items.map(({ id, version, versions }) => `${id.slice(4)} ${version}/${versions}`);

describe('a talk', () => {
  it('T3: of an empty conversation is empty', () => {
    createConversation(test.db, { id: cnv('1'), now: 1, agentId: null });
    expect(read()).toEqual({
      conversation: expect.objectContaining({ id: cnv('1') }),
      tipId: null,
      length: 0,
      slice: { offset: 0, items: [] },
      ending: null,
      tipChildren: 0,
      running: [],
      checkpoints: [],
      queue: [],
    });
    expect(codeOf(() => readTalk(test.db, { conversationId: cnv('none'), count: 1 }))).toBe('notFound');
  });

  it('T2, T6: shows the end of the path, or the part that is asked for, with versions', () => {
    plant(test.db, ['a', 'b<a', 'b2<a', 'c<b', 'd<c', 'c2<b', 'c3<b']);
    expect(shown()).toEqual(['a 1/1', 'b 1/2', 'c 1/3', 'd 1/1']);
    expect(shown(2)).toEqual(['c 1/3', 'd 1/1']);
    expect(shown(2, 1)).toEqual(['b 1/2', 'c 1/3']);
    expect(shown(2, -5)).toEqual(['a 1/1', 'b 1/2']);
    expect(shown(2, 99)).toEqual([]);
    expect(read(2)).toMatchObject({ length: 4, slice: { offset: 2 }, tipChildren: 0 });
    moveTip(test.db, { conversationId: cnv('1'), to: msg('b') });
    expect(read()).toMatchObject({ length: 2, tipChildren: 3, ending: null });
  });

  it('T12: lists every running step of the conversation, and the ending under the tip alone', () => {
    plant(test.db, ['a', 'b<a', 'c<a']);
    plant(test.db, ['x'], '2');
    startStep(test.db, makeStep('1', 'c'));
    startStep(test.db, makeStep('2', 'b'));
    startStep(test.db, makeStep('3', 'x', { conversationId: cnv('2') }));
    expect(read()).toMatchObject({ tipId: msg('b'), ending: { type: 'live', step: { id: 'stp_2' }, version: 1, versions: 1 } });
    expect(read().running.map(({ id }) => id)).toEqual(['stp_1', 'stp_2']);
    moveTip(test.db, { conversationId: cnv('1'), to: msg('a') });
    expect(read()).toMatchObject({ tipChildren: 2, ending: null });
  });

  it('T12: a message beside a running or failed answer counts it', () => {
    plant(test.db, ['a', 'b<a', 'c<b']);
    startStep(test.db, makeStep('1', 'a'));
    expect(shown()).toEqual(['a 1/1', 'b 1/2', 'c 1/1']);
    failStep(test.db, { stepId: makeStep('1', 'a').id, failed: makeFailed('1', 'a') });
    expect(shown()).toEqual(['a 1/1', 'b 1/2', 'c 1/1']);
    expect(readSlice(test.db, { tipId: msg('c'), offset: 1, count: 1 }).items).toMatchObject([{ version: 1, versions: 2 }]);
  });

  it('T7: messages without a tip, as another program may leave them, are shown from the newest', () => {
    createConversation(test.db, { id: cnv('1'), now: 1, agentId: null });
    connectionOf(test.db).exec(
      "INSERT INTO messages (id, conversation_id, parent_id, role) VALUES ('msg_p', 'cnv_1', NULL, 'user'), ('msg_q', 'cnv_1', 'msg_p', 'assistant')",
    );
    expect(read()).toMatchObject({ tipId: msg('q'), length: 2, notice: 'tipLost' });
  });

  it('T7: a tip in another conversation is no tip', () => {
    plant(test.db, ['a']);
    plant(test.db, ['x', 'y<x'], '2');
    connectionOf(test.db).exec("UPDATE conversations SET tip_id = 'msg_y' WHERE id = 'cnv_1'");
    expect(read()).toMatchObject({ tipId: msg('a'), length: 1, notice: 'tipLost' });
  });

  it('W4: is the same from a read-only database', () => {
    plant(test.db, ['a', 'b<a', 'b2<a']);
    startStep(test.db, makeStep('1', 'b'));
    const reader = openStore({ file: test.file, mode: 'read', now: () => 1 });
    expect(readTalk(reader.db, { conversationId: cnv('1'), count: 9 })).toEqual(read(9));
    reader.close();
  });
});

describe('depth and siblings do not count', () => {
  /** Reads of rows, as SQLite reports each statement it starts. */
  function statements(work: (db: ReadableDb) => void): number {
    const seen: unknown[] = [];
    const spy = openStore({ file: test.file, mode: 'read', now: () => 1 });
    const connection = connectionOf(spy.db);
    const prepare = connection.prepare.bind(connection);
    Object.assign(connection, {
      prepare: (sql: string) => {
        const statement = prepare(sql);
        const [get, all] = [statement.get.bind(statement), statement.all.bind(statement)];
        const counted =
          <T>(run: (...values: unknown[]) => T) =>
          (...values: unknown[]) => {
            seen.push(sql);
            return run(...values);
          };
        return Object.assign(statement, { get: counted(get), all: counted(all) });
      },
    });
    work(spy.db);
    spy.close();
    return seen.length;
  }

  it('N1: the last 50 and any 50 of a path of 20,000 cost what they cost on a short one, but for a few jumps', () => {
    transaction(test.db, () => plant(test.db, ['m0', ...Array.from({ length: 19_999 }, (_, n) => `m${n + 1}<m${n}`)]));
    plant(
      test.db,
      ['s0', ...Array.from({ length: 99 }, (_, n) => `s${n + 1}<s${n}`)].map((name) => name),
      '2',
    );
    const deep = statements((db) => readTalk(db, { conversationId: cnv('1'), count: 50 }));
    const short = statements((db) => readTalk(db, { conversationId: cnv('2'), count: 50 }));
    expect(deep).toBe(short);
    expect(deep).toBeLessThanOrEqual(51);
    for (const offset of [0, 9_999, 19_000]) {
      const slice = statements((db) => readSlice(db, { tipId: msg('m19999'), offset, count: 50 }));
      expect(slice).toBeLessThanOrEqual(50 + 4 + 2 * 2 * 15);
    }
    expect(statements((db) => depthOf(db, msg('m19999')))).toBeLessThanOrEqual(3);
  }, 60_000);

  it('N1: a message with 2,000 siblings is read like one with none', () => {
    transaction(test.db, () => {
      plant(test.db, ['hub', 'only<hub']);
      for (let n = 0; n < 2_000; n += 1) appendMessage(test.db, { message: makeMessage(`n${n}`, 'hub'), tip: 'stay' });
    });
    const many = statements((db) => readTalk(db, { conversationId: cnv('1'), count: 50 }));
    expect(shown()).toEqual(['hub 1/1', 'only 1/2001']);
    plant(test.db, ['h2', 'o2<h2'], '2');
    expect(statements((db) => readTalk(db, { conversationId: cnv('2'), count: 50 }))).toBe(many);
  });
});
