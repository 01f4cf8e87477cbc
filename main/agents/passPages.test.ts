// A pass that makes pages, killed at each point at which something more is on disk, and on a disk that is full at each of its writes (X2, R2, R3, L11).
import { SqliteError } from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MessageId } from '../../shared/model/ids';
import type { MemoryRecord } from '../../shared/model/memoryRecord';
import type { ModelRequest } from '../../shared/model/request';
import { connectionOf } from '../store/database';
import { listFailedTurns } from '../store/failedTurns';
import { listLiveSteps } from '../store/liveSteps';
import { looseHashes } from '../store/looseBlobs';
import { getMessage, readPath } from '../store/messages';
import { hashOf } from '../transcript/blobs';
import { buildEntry, type Line, runChild } from '../workspace/childFixture';
import type { OpenedWorkspace } from '../workspace/openWorkspace';
import { makeWorkspace, type TestWorkspace } from '../workspace/workspaceFixture';
import { agentsOf } from './crashFixture';
import { isForCard, sendAndWait } from './passCrashFixture';
import { preparedTurns, prepareSeen, seeing, seer, turnWithPages } from './passPagesFixture';
import { contextOf, contextWith, conversationIn, copyOf, entriesIn, standAt } from './passReplayFixture';

/** Processes start slowly on a busy machine. */
const patience = 600_000;
let built: string;
let prepared: TestWorkspace;
let points: number;
beforeAll(async () => {
  built = await buildEntry('main/agents/passPagesFixture.ts');
  prepared = makeWorkspace();
  const workspace = await prepared.opened();
  await prepareSeen(workspace);
  workspace.close();
}, patience);
afterAll(() => prepared.remove());

async function run(test: TestWorkspace, deadly: string): Promise<Line[]> {
  const child = runChild(built, ['pages', test.folder, deadly]);
  await child.ended;
  expect(child.errors()).toBe('');
  return child.lines;
}
const recordsIn = (test: TestWorkspace): MemoryRecord[] => entriesIn(test).flatMap((one) => (one.type === 'record' ? [one.record] : []));
const blobsIn = (records: readonly MemoryRecord[]) =>
  records.flatMap(({ body }) => (body?.pages ?? []).flatMap(({ hash, textHash }) => (textHash ? [hash, textHash] : [hash])));

/** Every picture and text that a record names is there, byte for byte, and stays when the trash is emptied. */
async function picturesStay(workspace: OpenedWorkspace, agents: Awaited<ReturnType<typeof agentsOf>>, records: readonly MemoryRecord[]) {
  const named = blobsIn(records);
  for (const hash of named) expect(hashOf(await workspace.blobs.read(hash))).toBe(hash);
  await agents.emptying.empty(null);
  for (const hash of named) expect(workspace.blobs.has(hash)).toBe(true);
  expect(looseHashes(workspace.store.db).size).toBe(0);
}

/** The request of the last turn is one without the pages or one with all of them. */
async function check(test: TestWorkspace, lines: readonly Line[]): Promise<'before' | 'after'> {
  const workspace = await test.opened();
  const { db } = workspace.store;
  expect(connectionOf(db).pragma('integrity_check', { simple: true })).toBe('ok');
  const agents = await agentsOf(workspace, { models: seeing([]) });
  const { id, tipId } = conversationIn(workspace);
  expect(listLiveSteps(db)).toEqual([]);
  const records = recordsIn(test);
  expect(records.map(({ kind }) => kind)).toEqual(records.length === 0 ? [] : ['pages']);
  const head = readPath(db, tipId).findLast(({ role }) => role === 'user')?.id as MessageId;
  const stand = await standAt(workspace, head, seer);
  expect(contextOf(stand)).toBe(contextWith(stand, stand.built.length, records));
  expect(contextOf(stand).split('"image/png"').length - 1).toBe(records[0]?.body?.pages.length ?? 0);
  for (const { remembered } of lines) if (remembered !== undefined) expect(records.map((one) => one.id)).toContain(remembered);
  await picturesStay(workspace, agents, records);
  const next = await sendAndWait(workspace, { text: 'Go on.', id, models: seeing([]) });
  expect(listFailedTurns(db, { conversationId: id })).toEqual([]);
  expect(getMessage(db, conversationIn(workspace).tipId)).toMatchObject({ status: 'complete', parts: [{ text: 'On.' }] });
  expect(recordsIn(test)[0]?.kind).toBe('pages');
  await next.agents.close();
  await agents.close();
  return records.length === 0 ? 'before' : 'after';
}

describe('kill -9 while pages are made', () => {
  it('L4, L11: the undisturbed run makes pages before its first request, pictures and texts first', async () => {
    const test = copyOf(prepared);
    const lines = await run(test, '0');
    points = Number(lines.at(-1)?.['points']);
    expect(points).toBeGreaterThan(20);
    expect(points).toBeLessThan(250);
    const [record] = recordsIn(test);
    expect(record).toMatchObject({ kind: 'pages', receipt: { trigger: 'turnStart' } });
    expect(blobsIn(record ? [record] : []).length).toBeGreaterThanOrEqual(4);
    expect(entriesIn(test).map(({ type }) => type)).toEqual([...Array(preparedTurns).fill('step'), 'record', 'step']);
    test.remove();
  }, 60_000);

  it(
    'X2, R2, L11: at every point the next request is the one before the pages or after them, and no record names a picture that is not there',
    async () => {
      const failures: string[] = [];
      const ends = new Set<string>();
      // A page is written like the one before it: of those every few points, of the record and what is around it all.
      const all = Array.from({ length: points }, (_, at) => at + 1);
      const deadly = all.filter((point) => point > points - 30 || point % 7 === 1);
      const worker = async () => {
        for (let point = deadly.shift(); point !== undefined; point = deadly.shift()) {
          const test = copyOf(prepared);
          await run(test, String(point))
            .then((lines) => check(test, lines))
            .then((end) => ends.add(end))
            .catch((error: unknown) => failures.push(`${point}: ${error instanceof Error ? error.message : error}`));
          test.remove();
        }
      };
      await Promise.all([worker(), worker()]);
      expect(failures).toEqual([]);
      expect(ends).toEqual(new Set(['before', 'after']));
    },
    patience,
  );
});

/** One write fails, and the one after it; `from` counts from the moment when pages begin to be made. */
async function onFullDisk(from: number | null): Promise<{ writes: number; told: string[]; kind: string }> {
  const test = copyOf(prepared);
  try {
    const workspace = await test.opened();
    const { db } = workspace.store;
    const { id } = conversationIn(workspace);
    let [writes, armed] = [0, false];
    const heard: ModelRequest[] = [];
    const told: string[] = [];
    let over: () => void = () => undefined;
    const { agents } = await turnWithPages(workspace, {
      arm: (on) => {
        armed = on;
      },
      heard: (request) => isForCard(request) || heard.push(request),
      told: (event) => {
        if (event.type === 'context.compaction_failed') told.push(`${event.rung} ${event.reason}`);
        if (event.type === 'stepEnded' && !event.goesOn) over();
      },
      faults: {
        before(kind) {
          if (!armed) return;
          writes += 1;
          if (from === null || writes < from || writes > from + 1) return;
          throw kind === 'file'
            ? Object.assign(new Error('no space'), { code: 'ENOSPC' })
            : new SqliteError('database or disk is full', 'SQLITE_FULL');
        },
        after: () => undefined,
      },
    });
    armed = false;
    // Where what stands could not be read after the pass, the turn failed, says so, and goes on by Retry.
    for (const { id: failedTurnId, failure } of listFailedTurns(db, { conversationId: id })) {
      expect(failure).toMatchObject({ code: 'diskFull', retryable: true });
      const ended = new Promise<void>((resolve) => {
        over = resolve;
      });
      agents.scheduler.retry({ conversationId: id, failedTurnId });
      await ended;
    }
    expect(listFailedTurns(db, { conversationId: id })).toEqual([]);
    expect(getMessage(db, conversationIn(workspace).tipId)).toMatchObject({ status: 'complete', parts: [{ text: 'Done.' }] });
    const records = recordsIn(test);
    const stand = await standAt(workspace, getMessage(db, conversationIn(workspace).tipId)?.parentId as MessageId, seer);
    expect(JSON.stringify(heard.at(-1)?.messages)).toBe(contextWith(stand, stand.built.length, records));
    await picturesStay(workspace, agents, records);
    await agents.close();
    workspace.close();
    return { writes, told, kind: records.map((record) => record.kind).join() };
  } finally {
    test.remove();
  }
}

it(
  'R3, L11, L12: at every write of a disk that is full pages leave no record, a card is tried, and the turn goes on',
  async () => {
    const { writes, kind } = await onFullDisk(null);
    expect(kind).toBe('pages');
    const failures: string[] = [];
    const [told, kinds] = [new Set<string>(), new Set<string>()];
    for (let from = 1; from <= writes; from += from > writes - 20 ? 1 : 5)
      await onFullDisk(from).then(
        (end) => {
          for (const one of end.told) told.add(one);
          kinds.add(end.kind);
        },
        (error: unknown) => failures.push(`${from}: ${error instanceof Error ? error.message : error}`),
      );
    expect(failures).toEqual([]);
    expect(told).toContain('snapshot diskFull');
    expect(kinds).toContain('card');
  },
  patience,
);
