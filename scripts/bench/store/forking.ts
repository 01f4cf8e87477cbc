// N5: a fork of a whole conversation, beside one INSERT … SELECT of the same rows, and a transcript beside a copy of its bytes.
import { closeSync, copyFileSync, fdatasyncSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Forks } from '../../../main/agents/forks';
import { createNewId } from '../../../main/lib/newId';
import { connectionOf, type WritableDb } from '../../../main/store/database';
import type { ConversationId, StepId } from '../../../shared/model/ids';
import type { Measurement } from '../goals';
import { type Compared, compare, median, type Pair } from '../statistics';
import { grow, makeRun, place } from './runs';
import { conversationNamed, conversationsOfLength, type Target } from './targets';

const logger = { log: () => undefined, with: () => logger };
const nowhere = { fork: async () => undefined, remove: async () => undefined };
/** Milliseconds: one frame. */
const longestTask = 16;

function forksOf(db: WritableDb): Forks {
  return new Forks({ db, transcripts: nowhere, newId: createNewId(Date.now), now: Date.now, logger, publish: () => undefined });
}

/** The rows of the conversation under other ids of the same length, in one statement and one transaction. */
function rawFork(db: WritableDb, { conversationId }: Target) {
  const connection = connectionOf(db);
  const begin = connection.prepare('BEGIN IMMEDIATE');
  const commit = connection.prepare('COMMIT');
  const conversation = connection.prepare('INSERT INTO conversations (id, forked_from) VALUES (?, ?)');
  const copy = connection.prepare(`INSERT INTO messages
    (id, conversation_id, parent_id, role, status, agent_id, turn_id, model, usage, meta, created_at, ordinal, depth, jump_id, content_seq)
    SELECT ? || substr(id, 6), ?, ? || substr(parent_id, 6), role, status, agent_id, ? || substr(turn_id, 6), model, usage, meta, created_at, ordinal, depth,
    ? || substr(jump_id, 6), seq FROM messages WHERE conversation_id = ? ORDER BY seq`);
  return () => {
    begin.run();
    conversation.run('cnv_raw', 'raw');
    copy.run('msg_F', 'cnv_raw', 'msg_F', 'trn_F', 'msg_F', conversationId);
    commit.run();
  };
}

/** Everything that is no conversation of the data, out again. Without the trigger: it marks another row for each that goes. */
function removeForks(db: WritableDb) {
  const connection = connectionOf(db);
  const trigger = String(connection.prepare("SELECT sql FROM sqlite_schema WHERE name = 'messages_deleted'").pluck().get());
  return () => {
    const ids = connection.prepare<[], string>('SELECT id FROM conversations WHERE forked_from IS NOT NULL').pluck().all();
    connection.exec('BEGIN; DROP TRIGGER messages_deleted');
    for (const id of ids) {
      for (const table of ['messages', 'transcript_steps', 'conversation_agents', 'branch_tips'])
        connection.prepare(`DELETE FROM ${table} WHERE conversation_id = ?`).run(id);
      connection.prepare('DELETE FROM conversations WHERE id = ?').run(id);
    }
    connection.exec(`${trigger}; COMMIT`);
    connection.pragma('wal_checkpoint(TRUNCATE)');
  };
}

type Contest = { ours: () => Promise<void>; floor: () => void; between: () => void };

/** Which goes first changes with every round; `between` runs before each and is not timed. */
async function alternate({ ours, floor, between }: Contest, rounds: number): Promise<Compared & { note: string }> {
  const cpu = { ours: [] as number[], floor: [] as number[] };
  const timed = async (work: () => Promise<void> | void): Promise<number> => {
    between();
    const [start, before] = [performance.now(), process.cpuUsage()];
    await work();
    const { user, system } = process.cpuUsage(before);
    cpu[work === ours ? 'ours' : 'floor'].push((user + system) / 1000);
    return performance.now() - start;
  };
  await timed(floor);
  await timed(ours);
  const pairs: Pair[] = [];
  for (let round = 0; round < rounds; round++) {
    const first = round % 2 === 0 ? undefined : await timed(floor);
    const mine = await timed(ours);
    pairs.push({ ours: mine, floor: first ?? (await timed(floor)) });
  }
  // On a machine that does other things, too.
  const [mine, bare] = [median(cpu.ours), median(cpu.floor)];
  const note = `processor time ${mine.toFixed(1)} ms, floor ${bare.toFixed(1)} ms: ${(mine / bare).toFixed(2)} ×`;
  return { ...compare(pairs), note };
}

/** The longest time between two turns of the event loop while `work` runs, in milliseconds. */
async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  let last = performance.now();
  let longest = 0;
  let over = false;
  const look = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    if (!over) setImmediate(look);
  };
  setImmediate(look);
  await work();
  over = true;
  return longest;
}

export async function measureForks(db: WritableDb, quick: boolean): Promise<Measurement[]> {
  const [thousand] = conversationsOfLength(db, 900, 1);
  if (!thousand) throw new Error('The data is too small.');
  const deep = conversationNamed(db, 'cnv_bench_deep');
  return [...(await measureRows(db, thousand, 40)), ...(await measureRows(db, deep, quick ? 5 : 9))];
}

async function measureRows(db: WritableDb, target: Target, rounds: number): Promise<Measurement[]> {
  const forks = forksOf(db);
  const remove = removeForks(db);
  const count = Number(
    connectionOf(db).prepare('SELECT count(*) FROM messages WHERE conversation_id = ?').pluck().get(target.conversationId),
  );
  const fork = () => forks.fork({ conversationId: target.conversationId, messageId: target.tipId, scope: 'all' });
  const floor = rawFork(db, target);
  let forked: ConversationId | undefined;
  const ours = async () => {
    forked = (await fork()).id;
  };
  const compared = await alternate({ ours, floor, between: remove }, rounds);
  remove();
  const turns: number[] = [];
  for (let n = 0; n < 3; n++) {
    turns.push(await longestTurn(ours));
    if (n < 2) remove();
  }
  const bytes = forked ? bytesBeyondIds(db, forked) : 0;
  remove();
  const what = `fork of ${count.toLocaleString('en')} messages`;
  return [
    { id: 'N5', operation: `${what}, floor: one INSERT … SELECT`, unit: 'ms', ...compared, goal: { kind: 'ratio', max: 2 } },
    {
      id: 'N5',
      operation: `${what}: longest task (best of 3)`,
      unit: 'ms',
      ours: Math.min(...turns),
      goal: { kind: 'absolute', max: longestTask },
    },
    { id: 'N5', operation: `${what}: bytes a message beyond ids`, unit: '', ours: bytes, goal: { kind: 'count', max: 100 } },
  ];
}

/** What a copied row holds beside ids: content is not among it. */
function bytesBeyondIds(db: WritableDb, id: ConversationId): number {
  const columns = ['role', 'status', 'agent_id', 'model', 'text', 'parts', 'usage', 'meta']
    .map((column) => `coalesce(length(${column}), 0)`)
    .join(' + ');
  // Seven numbers of at most eight bytes, and a byte for each of the seventeen columns.
  const sql = `SELECT avg(${columns}) + 7 * 4 + 17 FROM messages WHERE conversation_id = ?`;
  return Math.round(Number(connectionOf(db).prepare(sql).pluck().get(id)));
}

/** A live file of about 16 MB and one agent; the rows are not copied here. */
export async function measureForkedFile(cache: string, quick: boolean): Promise<Measurement[]> {
  const run = makeRun(cache);
  try {
    const count = quick ? 300 : 3000;
    grow(run, count, 5000);
    const transcripts = run.open();
    const steps = connectionOf(run.db).prepare<[], string>('SELECT step_id FROM transcript_steps').pluck().all();
    const files = [{ file: 1, steps: new Set(steps as StepId[]), isOfAnother: false }];
    const to = { ...place, conversationId: 'cnv_copy' as ConversationId };
    const standing = () => ({ records: new Map(), failed: new Map() });
    const raw = join(run.folder, 'raw.json');
    const floor = () => {
      copyFileSync(run.transcriptFile, raw);
      const handle = openSync(raw, 'r+');
      fdatasyncSync(handle);
      closeSync(handle);
    };
    const between = () => {
      rmSync(join(run.folder, 'transcripts', 'cnv_copy'), { recursive: true, force: true });
      rmSync(raw, { force: true });
    };
    const ours = () => transcripts.fork({ from: place, to, files, isInScope: () => true, standing });
    const compared = await alternate({ ours, floor, between }, quick ? 20 : 60);
    between();
    const turn = await longestTurn(ours);
    return [
      {
        id: 'N5',
        operation: 'live transcript of a fork (15 MB), floor: copy and flush',
        unit: 'ms',
        ...compared,
        goal: { kind: 'ratio', max: 2 },
      },
      { id: 'N5', operation: 'the same: longest task', unit: 'ms', ours: turn, goal: { kind: 'absolute', max: longestTask } },
    ];
  } finally {
    run.close();
  }
}
