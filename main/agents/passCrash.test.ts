// The crash matrix of passes: a turn in a small window in a process of its own, killed at each point at which something more is on disk (X2, R2, L11).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ConversationId, MessageId } from '../../shared/model/ids';
import type { TranscriptEntry } from '../../shared/model/transcript';
import { connectionOf, select } from '../store/database';
import { listFailedTurns } from '../store/failedTurns';
import { listLiveSteps } from '../store/liveSteps';
import { getMessage, readPath } from '../store/messages';
import { passReceiptsOf } from '../store/passReceipts';
import { buildEntry, type Line, runChild } from '../workspace/childFixture';
import type { OpenedWorkspace } from '../workspace/openWorkspace';
import { makeWorkspace, type TestWorkspace } from '../workspace/workspaceFixture';
import type { Standpoint } from './answering';
import { agentsOf } from './crashFixture';
import { prepare, preparedSteps, reader, sendAndWait, smallModel } from './passCrashFixture';
import { contextOf, contextWith, conversationIn, copyOf, entriesIn, replay, standAt } from './passReplayFixture';

/** Processes start slowly on a busy machine. */
const patience = 600_000;
const acknowledged = ['answered', 'remembered', 'undone', 'redone'] as const;
let built: string;
/** Three turns stand in it. */
let prepared: TestWorkspace;
/** What the next request would be before the turn, at its beginning, and after each entry of an undisturbed run; with what was told then. */
let legal: { context: string; acks: number }[];
let points: number;
let entries: TranscriptEntry[];

beforeAll(async () => {
  built = await buildEntry('main/agents/passCrashFixture.ts');
  prepared = makeWorkspace();
  const workspace = await prepared.opened();
  await prepare(workspace);
  workspace.close();
  const test = copyOf(prepared);
  const { lines, errors } = await run(test, '0');
  expect(errors).toBe('');
  points = Number(lines.at(-1)?.['points']);
  await test.opened().then(measure);
  test.remove();
}, patience);
afterAll(() => prepared.remove());

async function run(test: TestWorkspace, deadly: string): Promise<{ lines: Line[]; errors: string }> {
  const child = runChild(built, ['pass', test.folder, deadly]);
  await child.ended;
  return { lines: child.lines, errors: child.errors() };
}

async function measure(workspace: OpenedWorkspace): Promise<void> {
  const stand = await standAt(workspace, conversationIn(workspace).tipId);
  const request = stand.built.findLastIndex(({ role }) => role === 'user');
  let acks = 0;
  legal = [
    { context: contextWith(stand, request, []), acks },
    { context: contextWith(stand, request + 1, []), acks },
  ];
  entries = entriesIn({ layout: workspace.layout }).slice(preparedSteps);
  for (const { entry, context } of replay(stand, entries, request + 1)) {
    if (entry.type !== 'record' || entry.record.kind !== 'free') acks += 1;
    legal.push({ context, acks });
  }
}

async function killedAt(deadly: string): Promise<void> {
  const test = copyOf(prepared);
  try {
    const { lines, errors } = await run(test, deadly);
    expect(errors).toBe('');
    await check(test, lines);
  } finally {
    test.remove();
  }
}

async function check(test: TestWorkspace, lines: readonly Line[]): Promise<void> {
  const workspace = await test.opened();
  const { db } = workspace.store;
  const agents = await agentsOf(workspace, { models: smallModel([]) });
  const { id, tipId } = conversationIn(workspace);
  wholeStore(workspace);
  expect(listLiveSteps(db)).toEqual([]);

  // Of what was told nothing is lost; at most the next thing is there, too.
  const acks = lines.flatMap((line) => acknowledged.filter((key) => line[key] !== undefined)).length;
  for (const { answered } of lines) if (answered !== undefined) expect(getMessage(db, answered as MessageId)?.status).toBe('complete');
  const head = readPath(db, tipId).findLast(({ status }) => status === 'complete')?.id as MessageId;
  const stand = await standAt(workspace, head);
  entriesIn(test);
  const found = legal.filter(({ context }) => context === contextOf(stand)).map((one) => one.acks);
  expect(found.length, 'no legal context').toBeGreaterThan(0);
  expect(found.some((one) => one === acks || one === acks + 1)).toBe(true);
  for (const { remembered } of lines)
    if (remembered !== undefined) expect(stand.records?.some((record) => record.id === remembered)).toBe(true);

  await receiptsFit(workspace, agents, id, stand);
  // The next start goes on.
  const next = await sendAndWait(workspace, { text: 'Go on.', id, models: smallModel([]) });
  expect(listFailedTurns(db, { conversationId: id })).toEqual([]);
  expect(getMessage(db, conversationIn(workspace).tipId)).toMatchObject({ status: 'complete', parts: [{ text: 'On.' }] });
  await next.agents.close();
  await agents.close();
}

function wholeStore({ store }: OpenedWorkspace): void {
  expect(connectionOf(store.db).pragma('integrity_check', { simple: true })).toBe('ok');
  expect(connectionOf(store.db).pragma('foreign_key_check')).toEqual([]);
}

/** A receipt may be lost, one without its record is not shown, and every record is told of. */
async function receiptsFit(
  { store }: OpenedWorkspace,
  { looks }: Awaited<ReturnType<typeof agentsOf>>,
  id: ConversationId,
  stand: Standpoint,
): Promise<void> {
  const records = new Set(stand.records?.map((record) => record.id));
  const rows = passReceiptsOf(store.db, { conversationId: id, agentId: reader.id, count: 50 });
  for (const { recordId } of rows) if (recordId) expect(records).toContain(recordId);
  const { receipts } = await looks.view({ conversationId: id, agentId: null });
  expect(new Set(receipts.flatMap(({ record }) => record?.id ?? []))).toEqual(records);
}

describe('kill -9 around passes', () => {
  it('L2, L11: the undisturbed run leaves results out, makes a card between two steps, and takes it back by hand', () => {
    const kinds = entries.map((entry) => (entry.type === 'record' ? `${entry.record.kind} ${entry.record.receipt.trigger}` : entry.type));
    expect(kinds).toEqual(['step', 'step', 'free beforeCall', 'step', 'card betweenSteps', 'step', 'undo', 'redo']);
    expect(new Set(legal.map(({ context }) => context)).size).toBe(9);
    expect(points).toBeGreaterThan(30);
    expect(points).toBeLessThan(70);
  });

  it(
    'X2, R2, L11: at every point the files are whole, nothing told as done is lost, and the next request is one from before the record or after it',
    async () => {
      const failures: string[] = [];
      let next = 1;
      const worker = async () => {
        while (next <= points) {
          const point = String(next++);
          await killedAt(point).catch((error: unknown) => failures.push(`${point}: ${error instanceof Error ? error.message : error}`));
        }
      };
      await Promise.all([worker(), worker()]);
      expect(failures).toEqual([]);
    },
    patience,
  );

  it(
    'R2, L11: while the summarizing model is asked there is no trace of the pass, and the next start goes on',
    async () => {
      const test = copyOf(prepared);
      const { lines } = await run(test, 'asked');
      expect(lines.some(({ remembered }) => remembered !== undefined)).toBe(false);
      expect(entriesIn(test).some((entry) => entry.type === 'record' && entry.record.kind === 'card')).toBe(false);
      const workspace = await test.opened();
      expect(select(workspace.store.db, 'SELECT 1 FROM pass_receipts').all()).toEqual([]);
      workspace.close();
      await check(test, lines);
      test.remove();
    },
    patience,
  );
});
