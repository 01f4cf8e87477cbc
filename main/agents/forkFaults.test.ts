// A fork that a full disk or the end of the program breaks off leaves the source as it was, and nothing that anybody sees (T9, R2, R3).
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { SqliteError } from 'better-sqlite3';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Conversation } from '../../shared/model/conversation';
import { FailureError } from '../../shared/model/failure';
import type { ConversationId, MessageId } from '../../shared/model/ids';
import { createNewId } from '../lib/newId';
import { listConversations } from '../store/conversations';
import { connectionOf, select, type WritableDb } from '../store/database';
import { readPath } from '../store/messages';
import { openStore } from '../store/open';
import { cnv } from '../store/storeFixture';
import { createBlobStore } from '../transcript/blobs';
import { systemError } from '../transcript/transcriptFixture';
import { createTranscripts } from '../transcript/transcripts';
import { buildEntry, type Line, runChild } from '../workspace/childFixture';
import { prepared } from './forkCrashFixture';
import { agents, dumpOf, quietLogger } from './forkFixture';
import { Forks } from './forks';

const patience = 600_000;
const plain = (value: unknown) => JSON.parse(JSON.stringify(value));
const foldersIn = (folder: string) => readdirSync(join(folder, 'transcripts')).sort();
const bytesIn = (folder: string, id: string) =>
  readdirSync(join(folder, 'transcripts', id)).map((name) => readFileSync(join(folder, 'transcripts', id, name), 'latin1'));
const othersIn = (db: WritableDb) =>
  ['messages', 'transcript_steps', 'labels', 'pins', 'checkpoints', 'branch_tips', 'failed_turns', 'conversation_agents'].flatMap((table) =>
    select(db, `SELECT * FROM ${table} WHERE conversation_id <> 'cnv_1'`).all(),
  );

describe('a full disk', () => {
  it(
    'R3, T9: at any write: the fork is refused, the source is as it was, nothing is shown, and nothing is left once there is room',
    async () => {
      let point = 0;
      let full = Number.POSITIVE_INFINITY;
      const test = prepared({
        before: (kind) => {
          point += 1;
          if (point >= full) throw kind === 'file' ? systemError('ENOSPC') : new SqliteError('database or disk is full', 'SQLITE_FULL');
        },
        after: () => undefined,
      });
      const source = () => [plain(test.dump(cnv('1'))), bytesIn(test.folder, 'cnv_1')];
      const fork = () => test.forks.fork({ conversationId: cnv('1'), messageId: test.chosen, scope: 'all' });
      const before = source();
      test.arm();
      // Until the disk has room for all of it: how many writes that are depends on how often it rests.
      let made: Conversation | null = null;
      for (let at = 1; made === null; at += 1) {
        point = 0;
        full = at;
        const ended = await fork().catch((error: unknown) => error);
        full = Number.POSITIVE_INFINITY;
        expect(source(), `point ${at}`).toEqual(before);
        if (ended instanceof FailureError) {
          expect(ended.failure.code, `point ${at}`).toBe('diskFull');
          expect(listConversations(test.db, { archived: false }).map(({ id }) => id)).toEqual([cnv('1')]);
          const again = new Forks({
            ...test,
            newId: createNewId(() => 6000),
            now: () => 6000,
            logger: quietLogger,
            publish: () => undefined,
          });
          await again.settled();
          expect(select(test.db, 'SELECT id FROM conversations').all(), `point ${at}`).toHaveLength(1);
          expect([othersIn(test.db), foldersIn(test.folder)], `point ${at}`).toEqual([[], ['cnv_1']]);
          continue;
        }
        if (ended instanceof Error) throw ended;
        expect(at).toBeGreaterThan(20);
        made = ended as Conversation;
      }
      expect(listConversations(test.db, { archived: false }).map(({ id }) => id)).toEqual([made.id, cnv('1')]);
      test.remove();
    },
    patience,
  );
});

describe('kill -9', () => {
  let built: string;
  let points: number;
  const run = async (point: number) => {
    const child = runChild(built, ['fork', String(point)]);
    await child.ended;
    expect(child.errors()).toBe('');
    return child.lines;
  };
  beforeAll(async () => {
    built = await buildEntry('main/agents/forkCrashFixture.ts');
    const lines = await run(0);
    points = Number(lines.at(-1)?.['points']);
    rmSync(String(lines[0]?.['folder']), { recursive: true });
  }, patience);

  it(
    'R2, T9: after any write: the source is untouched, and the fork is there whole or not at all',
    async () => {
      expect(points).toBeGreaterThan(20);
      let shown = 0;
      // Two at a time, as many as there are cores at least; past the last point of that run, for it rests more or less often in each.
      const all = Array.from({ length: points + 8 }, (_, n) => n + 1);
      const worker = async () => {
        for (let point = all.shift(); point !== undefined; point = all.shift())
          if (await check(await run(point), `point ${point}`)) shown++;
      };
      await Promise.all([worker(), worker()]);
      // Killed after its last write, or not at all, it is there.
      expect(shown).toBeGreaterThan(0);
      expect(shown).toBeLessThan(points);
    },
    patience,
  );
});

/** Says whether the fork is there. */
async function check(lines: readonly Line[], where: string): Promise<boolean> {
  const [{ folder, file, chosen, source } = {} as Line] = lines;
  const store = openStore({ file: String(file), mode: 'write', now: () => 1 });
  const { db } = store;
  try {
    const blobs = createBlobStore({ folder: join(String(folder), 'blobs'), record: () => undefined });
    const transcripts = createTranscripts({ folder: join(String(folder), 'transcripts'), blobs, sealAbove: 1500 });
    const listed = () => listConversations(db, { archived: false }).filter(({ id }) => id !== cnv('1'));
    // Also before anything is looked after.
    const [fork] = listed();
    const forks = new Forks({ db, transcripts, newId: createNewId(() => 7), now: () => 7, logger: quietLogger, publish: () => undefined });
    await forks.settled();
    expect(connectionOf(db).pragma('integrity_check', { simple: true }), where).toBe('ok');
    expect(plain(dumpOf(db, cnv('1'))), where).toEqual(source);
    expect(listed(), where).toEqual(fork ? [fork] : []);
    if (!fork) {
      expect([othersIn(db), foldersIn(String(folder))], where).toEqual([[], ['cnv_1']]);
      return false;
    }
    const texts = (id: MessageId) => readPath(db, id).map(({ parts }) => parts);
    expect(texts(fork.tipId as MessageId), where).toEqual(texts(chosen as MessageId));
    const rows = select<{ step_id: string; stored_as: string; message_id: string; file: number }>(
      db,
      'SELECT * FROM transcript_steps WHERE conversation_id = ? AND agent_id = ?',
    ).all(fork.id, agents[0].id);
    const refs = rows.map((row) => ({
      stepId: row.step_id as never,
      file: row.file,
      copied: { as: row.stored_as as never, messageId: row.message_id as never },
    }));
    expect(await transcripts.steps({ conversationId: fork.id as ConversationId, agentId: agents[0].id }, refs), where).toHaveLength(
      rows.length,
    );
    return true;
  } finally {
    store.close();
    rmSync(String(folder), { recursive: true });
  }
}
