// The crash matrix: a real turn with real tools in a process of its own, killed at each point at which something more is on disk (X2, X9, R2).
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SqliteError } from 'better-sqlite3';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ConversationId, MessageId } from '../../shared/model/ids';
import type { Message } from '../../shared/model/message';
import type { RequestMessage } from '../../shared/model/request';
import { checkpointsOnPath } from '../store/checkpointRows';
import { listConversations } from '../store/conversations';
import { connectionOf } from '../store/database';
import { listFailedTurns } from '../store/failedTurns';
import { listLiveSteps } from '../store/liveSteps';
import { getMessage, type readPath } from '../store/messages';
import { buildEntry, type Line, runChild } from '../workspace/childFixture';
import { makeWorkspace, type TestWorkspace } from '../workspace/workspaceFixture';
import { requestFor } from './answering';
import { agent, agentsOf } from './crashFixture';
import { allTools, describeTools } from './tools/registry';

/** Processes start slowly on a busy machine. */
const patience = 600_000;
let built: string;
/** What the model is sent before each step of a turn that nobody disturbs: the legal contexts. */
let legal: RequestMessage[][];
let points: number;

async function run(folder: string, point: number): Promise<{ lines: Line[]; errors: string }> {
  const child = runChild(built, ['crash', folder, String(point)]);
  await child.ended;
  return { lines: child.lines, errors: child.errors() };
}

beforeAll(async () => {
  built = await buildEntry('main/agents/crashFixture.ts');
  const test = makeWorkspace();
  const { lines, errors } = await run(test.folder, 0);
  expect(errors).toBe('');
  legal = lines.flatMap(({ request }) => (request ? [request as RequestMessage[]] : []));
  points = Number(lines.at(-1)?.['points']);
  test.remove();
}, patience);

/** How long a command took differs from run to run. */
const same = (messages: readonly RequestMessage[]) => JSON.parse(JSON.stringify(messages).replaceAll(/\d+(?:\.\d+)? s\b/g, 'N s'));
const calls = (message: Message | undefined) => message?.parts.flatMap((part) => (part.type === 'toolCall' ? [part] : [])) ?? [];
const said = (lines: readonly Line[], key: string) => lines.flatMap((line) => (line[key] === undefined ? [] : [line[key] as string]));

async function killedAt(point: number): Promise<void> {
  const test = makeWorkspace();
  try {
    const { lines, errors } = await run(test.folder, point);
    expect(errors).toBe('');
    await check(test, lines, `point ${point}`);
  } finally {
    test.remove();
  }
}

async function check(test: TestWorkspace, lines: readonly Line[], where: string): Promise<void> {
  const workspace = await test.opened();
  const { store, blobs } = workspace;
  const { db } = store;
  const notices: string[] = [];
  const agents = await agentsOf(workspace, { told: (event) => event.type === 'notice' && notices.push(event.notice.code) });
  await agents.close();
  const [conversation] = listConversations(db, { archived: false });
  if (!conversation) return expect(said(lines, 'sent'), where).toEqual([]);
  const conversationId = conversation.id as ConversationId;
  expect(listLiveSteps(db), where).toEqual([]);
  expect(connectionOf(db).pragma('integrity_check', { simple: true })).toBe('ok');

  const all = everyAnswer(db, conversationId);
  const complete = all.filter(({ status }) => status === 'complete');
  const broken = all.filter(({ status }) => status === 'interrupted');
  // Nothing that was shown as complete is lost, and at most the step after it is there, too.
  const answered = said(lines, 'answered');
  for (const id of answered) expect(getMessage(db, id as MessageId)?.status, where).toBe('complete');
  expect([answered.length, answered.length + 1], where).toContain(complete.length);
  expect(broken.length, where).toBeLessThanOrEqual(1);
  expect(notices, where).toEqual(broken.length === 1 ? ['answersRecovered'] : []);
  // Each call has a result; one that was shown as done has the one that was shown.
  const results = all.flatMap(calls);
  for (const one of results) expect(one.summary, where).toBeDefined();
  for (const line of lines)
    if (line['called']) expect(results.find(({ callId }) => callId === line['called'])?.summary, where).toBe(line['summary']);
  wholeFiles(test);

  // The context is one of the two legal ones; what broke off comes after it.
  const tip = conversation.tipId as MessageId;
  const asked = { parentId: tip, agent, model: { id: 'one' }, tools: describeTools(allTools, agent.tools) };
  const { messages } = await requestFor({ db, blobs, transcripts: workspace.transcripts }, asked);
  const context = legal[complete.length] ?? [...(legal.at(-1) ?? []), ...messages.slice(legal.at(-1)?.length)];
  expect(same(messages.slice(0, context.length)), where).toEqual(same(context));
  if (broken.length === 0 && complete.length < legal.length) expect(messages.length, where).toBe(context.length);
  if (complete.length >= 2)
    expect(
      checkpointsOnPath(db, { conversationId, tipId: tip }).map(({ label }) => label),
      where,
    ).toEqual(['clean']);
}

/** Also those on the branch that was explored and left. */
function everyAnswer(db: Parameters<typeof readPath>[0], conversationId: ConversationId): Message[] {
  const ids = connectionOf(db)
    .prepare<[string], { id: string }>("SELECT id FROM messages WHERE conversation_id = ? AND role = 'assistant' ORDER BY seq")
    .all(conversationId);
  return ids.flatMap(({ id }) => getMessage(db, id as MessageId) ?? []);
}

/** No transcript is torn: each is one JSON document. */
function wholeFiles({ layout }: TestWorkspace): void {
  for (const folder of readdirSync(layout.transcripts))
    for (const name of readdirSync(join(layout.transcripts, folder)).filter((each) => !each.endsWith('.tmp')))
      JSON.parse(readFileSync(join(layout.transcripts, folder, name), 'utf8'));
}

describe('kill -9 in a turn of eleven steps', () => {
  it('X2: the undisturbed turn is the measure: eleven requests, each of them legal', () => {
    expect(legal).toHaveLength(11);
    expect(points).toBeGreaterThan(150);
  });

  it(
    'X2, X9, R2, C2: at every point nothing shown as done is lost, and the context is that of the boundary before or of this one',
    async () => {
      const failures: string[] = [];
      let next = 1;
      const worker = async () => {
        while (next <= points) {
          const point = next++;
          await killedAt(point).catch((error: unknown) => failures.push(`${point}: ${error instanceof Error ? error.message : error}`));
        }
      };
      await Promise.all([worker(), worker(), worker()]);
      expect(failures).toEqual([]);
    },
    patience,
  );
});

describe('a disk that is full at one write of the turn', () => {
  it(
    'R3, X2: at every write: the turn waits and goes on, each step is stored once and whole, and what is refused at the start is refused',
    async () => {
      const failures: string[] = [];
      for (let point = 1; point <= points; point += 3) await fullAt(point).catch((error: unknown) => failures.push(`${point}: ${error}`));
      expect(failures).toEqual([]);
    },
    patience,
  );
});

/** This write and the next two fail, as on a disk that is full for a while. */
async function fullAt(point: number): Promise<void> {
  const test = makeWorkspace();
  try {
    writeFileSync(join(test.folder, 'notes.txt'), 'the oak is old\n');
    const workspace = await test.opened();
    let writes = 0;
    const before = (kind: 'file' | 'database') => {
      writes += 1;
      if (writes < point || writes > point + 2) return;
      throw kind === 'file'
        ? Object.assign(new Error('no space'), { code: 'ENOSPC' })
        : new SqliteError('database or disk is full', 'SQLITE_FULL');
    };
    let over: () => void = () => undefined;
    const ending = () =>
      new Promise<void>((resolve) => {
        over = resolve;
      });
    let ended = ending();
    const agents = await agentsOf(workspace, {
      faults: { before, after: () => undefined },
      told: (event) => event.type === 'stepEnded' && !event.goesOn && over(),
    });
    for (let tries = 0; ; tries++) {
      try {
        agents.scheduler.start({ conversationId: null, text: 'What is it about?', attachments: [], agentId: null });
        break;
      } catch (error) {
        expect(error).toMatchObject({ failure: { code: 'diskFull' } });
        expect(listConversations(workspace.store.db, { archived: false })).toEqual([]);
        expect(tries).toBeLessThan(3);
      }
    }
    await ended;
    const { db } = workspace.store;
    const conversationId = listConversations(db, { archived: false })[0]?.id as ConversationId;
    // Where the next request could not be read the turn failed, says so, and goes on by Retry.
    for (const { id, failure } of listFailedTurns(db, { conversationId })) {
      expect(failure.code).toBe('diskFull');
      ended = ending();
      agents.scheduler.retry({ conversationId, failedTurnId: id });
      await ended;
    }
    await agents.close();
    const all = everyAnswer(db, conversationId);
    expect(all.map(({ status }) => status)).toEqual(Array(11).fill('complete'));
    expect(stepsInFiles(test).sort()).toEqual(all.map(({ id }) => id).sort());
  } finally {
    test.remove();
  }
}

function stepsInFiles({ layout }: TestWorkspace): string[] {
  return readdirSync(layout.transcripts).flatMap((folder) =>
    readdirSync(join(layout.transcripts, folder)).flatMap((name) => {
      const { entries } = JSON.parse(readFileSync(join(layout.transcripts, folder, name), 'utf8'));
      return entries.flatMap((entry: { step?: { messageId: string } }) => entry.step?.messageId ?? []);
    }),
  );
}
