// A turn with passes on a disk that is full at one write after the other (R3, L11, L12).
import { SqliteError } from 'better-sqlite3';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { FailureError } from '../../shared/model/failure';
import type { ModelRequest } from '../../shared/model/request';
import { listFailedTurns } from '../store/failedTurns';
import { readPath } from '../store/messages';
import { passReceiptsOf } from '../store/passReceipts';
import { makeWorkspace, type TestWorkspace } from '../workspace/workspaceFixture';
import { agentsOf } from './crashFixture';
import type { Faults } from './faultsFixture';
import { answers, isForCard, prepare, preparedSteps, reader, smallModel } from './passCrashFixture';
import { contextWith, conversationIn, copyOf, entriesIn, replay, standAt } from './passReplayFixture';

const patience = 600_000;
let prepared: TestWorkspace;
beforeAll(async () => {
  prepared = makeWorkspace();
  const workspace = await prepared.opened();
  await prepare(workspace);
  workspace.close();
}, patience);
afterAll(() => prepared.remove());

type Fault = { kind: 'file' | 'database'; written: number };

/** The writes `from` and the next one fail, as on a disk that is full for a while. Null: none. */
function fullFrom(from: number | null): Faults & { writes: Fault[]; over: boolean } {
  const writes: Fault[] = [];
  const faults = {
    writes,
    over: false,
    before(kind: Fault['kind']) {
      if (faults.over) return;
      writes.push({ kind, written: writes.length + 1 });
      if (from === null || writes.length < from || writes.length > from + 1) return;
      throw kind === 'file'
        ? Object.assign(new Error('no space'), { code: 'ENOSPC' })
        : new SqliteError('database or disk is full', 'SQLITE_FULL');
    },
    after: () => undefined,
  };
  return faults;
}

/** What a person does who is told that the disk is full: the same again. */
async function again<T>(work: () => T | Promise<T>): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await work();
    } catch (error) {
      expect(error instanceof FailureError && error.failure.code).toBe('diskFull');
      expect(tries).toBeLessThan(4);
    }
  }
}

async function actOn(from: number | null): Promise<{ writes: Fault[]; failed: string[]; told: string[] }> {
  const test = copyOf(prepared);
  try {
    const workspace = await test.opened();
    const { db } = workspace.store;
    const { id } = conversationIn(workspace);
    const heard: ModelRequest[] = [];
    const faults = fullFrom(from);
    let over: () => void = () => undefined;
    const ending = () =>
      new Promise<void>((resolve) => {
        over = resolve;
      });
    let ended = ending();
    const told: string[] = [];
    const agents = await agentsOf(workspace, {
      models: smallModel(answers, (request) => isForCard(request) || heard.push(request)),
      faults,
      told: (event) => {
        if (event.type === 'stepEnded' && !event.goesOn) over();
        if (event.type === 'context.compaction_failed') told.push(`${event.rung} ${event.reason}`);
      },
    });
    await again(() => agents.scheduler.start({ conversationId: id, text: 'Read all three.', attachments: [], agentId: null }));
    await ended;
    // Where the next request could not be read the turn failed, says so, and goes on by Retry.
    for (const { id: failedTurnId, failure } of listFailedTurns(db, { conversationId: id })) {
      expect(failure.code).toBe('diskFull');
      ended = ending();
      await again(() => agents.scheduler.retry({ conversationId: id, failedTurnId }));
      await ended;
    }
    faults.over = true;
    const path = readPath(db, conversationIn(workspace).tipId).filter(({ role }) => role === 'assistant');
    expect(path.map(({ status }) => status)).toEqual(Array(7).fill('complete'));
    // Nothing was left out of a request that was not on record before it.
    const stand = await standAt(workspace, conversationIn(workspace).tipId);
    const request = stand.built.findLastIndex(({ role }) => role === 'user');
    const states = replay(stand, entriesIn(test).slice(preparedSteps), request + 1).map(({ context }) => context);
    const legal = [contextWith(stand, request + 1, []), ...states];
    const places = heard.map(({ messages }) => legal.indexOf(JSON.stringify(messages)));
    expect(places, 'each request is that of an entry').not.toContain(-1);
    expect(places).toEqual([...places].sort((a, b) => a - b));
    const rows = passReceiptsOf(db, { conversationId: id, agentId: reader.id, count: 50 });
    const failed = rows.flatMap(({ outcome, detail }) =>
      outcome === 'failed' ? detail.failures.map((one) => `${one.rung} ${one.reason}`) : [],
    );
    // With space again it works, by hand and by itself.
    const place = { conversationId: id, agentId: null };
    const { type } = await agents.memory.compact(place, { rung: 'summary', focus: null }, new AbortController().signal);
    expect(['done', 'already']).toContain(type);
    const { memory } = await agents.looks.view(place);
    expect(memory?.folded).toBeGreaterThan(2);
    await agents.close();
    return { writes: faults.writes, failed, told };
  } finally {
    test.remove();
  }
}

it(
  'R3, L11, L12: at every write the turn goes on, a pass that cannot be written counts as failed, and nothing is left out that is not on record',
  async () => {
    const { writes: all } = await actOn(null);
    const writes = all.filter(({ kind, written }) => kind === 'file' || written % 3 === 0);
    const failures: string[] = [];
    const [failed, told] = [new Set<string>(), new Set<string>()];
    for (const { written, kind } of writes) {
      await actOn(written).then(
        (end) => {
          for (const one of end.failed) failed.add(one);
          for (const one of end.told) told.add(one);
        },
        (error: unknown) => failures.push(`${written} ${kind}: ${error}`),
      );
    }
    expect(failures).toEqual([]);
    expect([...failed]).toEqual(['summary diskFull']);
    expect([...told]).toEqual(['summary diskFull']);
  },
  patience,
);
