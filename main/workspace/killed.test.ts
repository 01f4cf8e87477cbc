// Real processes: killed at any moment, run beside each other, on a full disk and on one that cannot be written.
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { BlobHash, ConversationId, MessageId } from '../../shared/model/ids';
import { connectionOf } from '../store/database';
import { listLiveSteps } from '../store/liveSteps';
import { getMessage, readPath } from '../store/messages';
import { readTalk } from '../store/talkView';
import { buildEntry, type Child, canMount, runChild } from './childFixture';
import { makeWorkspace, type TestWorkspace } from './workspaceFixture';

let built: string;
let test: TestWorkspace;
let children: Child[];
/** Processes start slowly on a busy machine. */
const patience = 120_000;
beforeAll(async () => {
  built = await buildEntry('main/workspace/childProgram.ts');
}, patience);
beforeEach(() => {
  test = makeWorkspace();
  children = [];
});
afterEach(async () => {
  for (const child of children) {
    child.process.kill('SIGKILL');
    await child.ended;
  }
  test.remove();
});

const run = (command: string, before?: string) => {
  const child = runChild(built, [command, test.folder], before);
  children.push(child);
  return child;
};
const one = 'cnv_child' as ConversationId;

describe('kill -9', () => {
  it(
    'R2, X9, T3: at any point of a turn nothing that was acknowledged is lost, and the rest is as before or after',
    async () => {
      for (const point of [1, 2, 5, 6, 9, 14, 23, 38]) {
        const child = run('write');
        await child.line(() => child.lines.length > point);
        child.process.kill('SIGKILL');
        await child.ended;
        const said = (key: string) => child.lines.flatMap((line) => (typeof line[key] === 'string' ? [String(line[key])] : []));

        const workspace = await test.opened();
        const { db } = workspace.store;
        for (const id of [...said('sent'), ...said('answered')]) expect(getMessage(db, id as MessageId)?.id).toBe(id);
        for (const hash of said('blob')) expect((await workspace.blobs.read(hash as BlobHash)).length).toBeGreaterThan(0);
        const talk = readTalk(db, { conversationId: one, count: 200 });
        // The tip is the last message of a whole path; a step that had begun is a running row under it, or its message.
        expect(readPath(db, talk.tipId as MessageId)).toHaveLength(talk.length);
        expect(talk.length).toBeGreaterThanOrEqual(said('sent').length + said('answered').length);
        const running = listLiveSteps(db);
        expect(running.length).toBeLessThanOrEqual(1);
        const streamed = child.lines.filter((line) => line.streamed !== undefined).at(-1);
        const live = running.find(({ id }) => id === streamed?.streamed);
        if (live) expect(live.parts[0]).toMatchObject({ text: expect.stringMatching(new RegExp(`^.{${streamed?.length},}$`)) });
        else if (streamed) expect(getMessage(db, String(streamed.streamed).replace('stp_', 'msg_') as MessageId)).toBeDefined();
        expect(connectionOf(db).pragma('integrity_check', { simple: true })).toBe('ok');
        expect((await workspace.maintain()).problems).toEqual([]);
        workspace.close();
        rmSync(test.layout.root, { recursive: true });
      }
    },
    patience,
  );
});

describe('two processes', () => {
  it(
    'W1: the second is refused with the pid of the first, and gets in when the first was killed',
    async () => {
      const first = run('hold');
      expect(await first.line(() => true)).toMatchObject({ status: 'open' });
      const second = run('look');
      expect(await second.line(() => true)).toMatchObject({ status: 'failed', code: 'workspaceLocked', pid: first.process.pid });
      await second.ended;
      first.process.kill('SIGKILL');
      await first.ended;
      expect(existsSync(test.layout.lock)).toBe(true);
      const third = run('look');
      expect(await third.line(() => true)).toMatchObject({ status: 'open' });
      await third.ended;
      expect(existsSync(test.layout.lock)).toBe(false);
    },
    patience,
  );

  it(
    'W1: of many that start at once exactly one gets in, also over a stale lock',
    async () => {
      for (const stale of [false, true]) {
        if (stale) {
          const dead = run('hold');
          await dead.line(() => true);
          dead.process.kill('SIGKILL');
          await dead.ended;
        }
        const all = Array.from({ length: 6 }, () => run('hold'));
        const states = await Promise.all(all.map((child) => child.line(() => true)));
        expect(states.map(({ status }) => status).sort()).toEqual(['failed', 'failed', 'failed', 'failed', 'failed', 'open']);
        expect(states.filter(({ status }) => status === 'failed').every(({ code }) => code === 'workspaceLocked')).toBe(true);
        for (const child of all) child.process.kill('SIGKILL');
        await Promise.all(all.map(({ ended }) => ended));
      }
    },
    patience,
  );

  it(
    'W4: a locked workspace can be read from a copy while the other one writes',
    async () => {
      const writer = run('write');
      await writer.line(({ answered }) => answered !== undefined);
      const reader = await test.open({ readOnly: true });
      expect(reader.status).toBe('readOnly');
      if (reader.status !== 'readOnly') return;
      expect(readTalk(reader.store.db, { conversationId: one, count: 9 }).length).toBeGreaterThanOrEqual(2);
    },
    patience,
  );
});

if (canMount) {
  describe('a disk of its own', () => {
    it(
      'R3, W4, R2: full: the write is refused whole, what was there stays, and with room it goes on',
      async () => {
        const child = run('fill', `mount -t tmpfs -o size=4m none '${test.folder}'`);
        const full = await child.line((line) => line.full !== undefined);
        expect(full.full).toBe('diskFull');
        // The child goes on by itself: what it says after this line belongs to the turn after the room was made.
        const before = child.lines.slice(0, child.lines.indexOf(full));
        const answered = before.filter((line) => line.answered !== undefined);
        const sent = before.filter((line) => line.sent !== undefined);
        expect(answered.length).toBeGreaterThan(0);
        expect(full.length).toBe(answered.length + sent.length);
        const after = await child.line((line) => line.after !== undefined);
        expect(after.after).toBe(Number(full.length) + Number(full.running) + 2);
        await child.ended;
        expect([child.process.exitCode, child.errors()]).toEqual([0, '']);
      },
      patience,
    );

    it(
      'W4, R3: too full to open is its own state',
      async () => {
        const child = run(
          'look',
          `mount -t tmpfs -o size=64k none '${test.folder}' && head -c 65536 /dev/zero > '${test.folder}/ballast' || true`,
        );
        expect(await child.line(() => true)).toMatchObject({ status: 'failed', code: 'diskFull' });
      },
      patience,
    );

    it(
      'W4: a read-only disk opens for reading from a copy, and the copy goes',
      async () => {
        const writer = run('write');
        await writer.line(({ answered }) => answered !== undefined);
        writer.process.kill('SIGKILL');
        await writer.ended;
        const temporary = mkdtempSync(join(tmpdir(), 'bough-copies-'));
        const mount = `mount --bind '${test.folder}' '${test.folder}' && mount -o remount,ro,bind '${test.folder}' && export TMPDIR='${temporary}'`;
        const child = run('look', mount);
        const state = await child.line(() => true);
        expect(state).toMatchObject({ status: 'readOnly', code: 'workspaceReadOnly' });
        expect(Number((state.titles as number[])[0])).toBeGreaterThanOrEqual(2);
        await child.ended;
        expect(readdirSync(temporary)).toEqual([]);
        rmSync(temporary, { recursive: true });
      },
      patience,
    );

    it(
      'W4: a read-only disk without a database says so',
      async () => {
        const child = run('look', `mount --bind '${test.folder}' '${test.folder}' && mount -o remount,ro,bind '${test.folder}'`);
        expect(await child.line(() => true)).toMatchObject({ status: 'failed', code: 'workspaceReadOnly' });
      },
      patience,
    );
  });
}

describe('a process that ends', () => {
  it(
    'W1: lets go of the lock',
    async () => {
      const child = run('look');
      if (child.process.exitCode === null) await once(child.process, 'exit');
      await child.ended;
      expect(child.lines).toMatchObject([{ status: 'open' }]);
      expect(existsSync(test.layout.lock)).toBe(false);
    },
    patience,
  );
});
