// The crash matrix of a turn of ten steps in a process of its own: killed at each point at which something more is on disk.
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { messageIdOfStep } from '../../shared/model/ids';
import { createNewId } from '../lib/newId';
import { getConversation } from '../store/conversations';
import { listLiveSteps } from '../store/liveSteps';
import { readPath } from '../store/messages';
import { agentNamed, cnv } from '../store/storeFixture';
import { buildEntry, canMount, runChild } from '../workspace/childFixture';
import { makeWorkspace, type TestWorkspace } from '../workspace/workspaceFixture';
import { requestFor } from './answering';
import { stepText } from './killedFixture';
import { recoverSteps } from './recovery';

/** Processes start slowly on a busy machine. */
const patience = 300_000;
let built: string;
beforeAll(async () => {
  built = await buildEntry('main/agents/killedFixture.ts');
}, patience);

const logger = { log: () => undefined, with: () => logger };

/** Runs the turn in a folder of its own up to the point, opens what is left, and checks it. Gives whether it came to its end. */
async function killedAt(point: number): Promise<boolean> {
  const test = makeWorkspace();
  const child = runChild(built, ['turn', test.folder, String(point)]);
  await child.ended;
  try {
    expect(child.errors()).toBe('');
    const answered = child.lines.filter((line) => line.answered !== undefined).length;
    if (child.lines.some((line) => line.sent !== undefined)) await check(test, answered, point);
    return child.lines.some((line) => line.points !== undefined);
  } finally {
    test.remove();
  }
}

async function check(test: TestWorkspace, answered: number, point: number): Promise<void> {
  const { store, transcripts, blobs } = await test.opened();
  const { db } = store;
  const notices: unknown[] = [];
  transcripts.listen((notice) => notices.push(notice));
  await recoverSteps({ db, transcripts, logger, now: () => 1, newId: createNewId(() => 1), publish: (event) => notices.push(event) });
  const tip = getConversation(db, cnv('1'))?.tipId;
  const path = readPath(db, tip as never);
  const complete = path.filter(({ role, status }) => role === 'assistant' && status === 'complete');
  const where = `point ${point}, ${answered} acknowledged`;
  // The boundary before or this one; what was on screen beyond it is one interrupted message.
  expect([answered, answered + 1], where).toContain(complete.length);
  expect(path.length - 1 - complete.length, where).toBeLessThanOrEqual(1);
  expect(
    complete.map(({ parts }) => parts),
    where,
  ).toEqual(complete.map((_, index) => [{ type: 'text', text: stepText(index + 1) }]));
  expect(listLiveSteps(db)).toEqual([]);
  expect(notices, where).toEqual([]);
  const folder = join(test.layout.transcripts, 'cnv_1');
  for (const name of readdirSync(folder).filter((each) => !each.endsWith('.tmp'))) JSON.parse(readFileSync(join(folder, name), 'utf8'));
  // The context is that of the path, from the transcript or, which is the same here, from the store.
  const agent = agentNamed('demo');
  const place = { conversationId: cnv('1'), agentId: agent.id };
  const request = await requestFor({ db, blobs, transcripts }, { parentId: tip as never, agent, model: { id: 'demo' }, tools: [] });
  const sent = request.messages.filter(({ role }) => role === 'assistant').map(({ parts }) => parts);
  expect(sent.slice(0, complete.length), where).toEqual(complete.map(({ parts }) => parts));
  const { file } = transcripts.open(place);
  const found = await Promise.all(
    Array.from({ length: file }, (_, n) =>
      transcripts.steps(
        place,
        complete.map(({ id }) => ({ stepId: id.replace('msg', 'stp') as never, file: n + 1 })),
      ),
    ),
  );
  expect(
    found.flat().map(({ id }) => messageIdOfStep(id)),
    where,
  ).toEqual(complete.map(({ id }) => id));
}

describe('kill -9 in a turn of ten steps', () => {
  it(
    'X2, R2, X9: at every persisted point: nothing acknowledged is lost, and it opens at the boundary before or at this one',
    async () => {
      let next = 1;
      let last = Number.POSITIVE_INFINITY;
      const worker = async () => {
        while (next <= last) {
          const point = next++;
          if (await killedAt(point)) last = Math.min(last, point);
        }
      };
      await Promise.all([worker(), worker(), worker()]);
      // Ten steps of five points each at the least: else the matrix has holes.
      expect(last).toBeGreaterThan(50);
    },
    patience,
  );
});

if (canMount) {
  describe('a disk of its own', () => {
    it(
      'R3, X2: full at the append: the file stays whole without the step, no message is shown, and with room it is stored once',
      async () => {
        const test = makeWorkspace();
        const child = runChild(built, ['full', test.folder], `mount -t tmpfs -o size=4m none '${test.folder}'`);
        await child.ended;
        expect([child.errors(), child.process.exitCode]).toEqual(['', 0]);
        expect(child.lines.filter((line) => line.event === undefined)).toMatchObject([
          { sent: 'msg_u' },
          { answered: 1 },
          { full: 'diskFull', entries: 1 },
          { answered: 2 },
          { after: 2 },
        ]);
        test.remove();
      },
      patience,
    );

    it(
      'R3, X7: a read-only folder of transcripts: every answer is kept by its message, and each says so',
      async () => {
        const test = makeWorkspace();
        const folder = join(test.layout.root, 'transcripts');
        mkdirSync(folder, { recursive: true });
        const child = runChild(
          built,
          ['turn', test.folder],
          `mount --bind '${folder}' '${folder}' && mount -o remount,ro,bind '${folder}'`,
        );
        await child.ended;
        expect([child.errors(), child.process.exitCode]).toEqual(['', 0]);
        const said = child.lines.filter((line) => line.event !== undefined);
        expect(said).toHaveLength(10);
        expect(said[0]).toMatchObject({ event: { notice: { code: 'transcriptNotWritten', values: { why: 'workspaceReadOnly' } } } });
        const { store } = await test.opened();
        const tip = getConversation(store.db, cnv('1'))?.tipId;
        expect(readPath(store.db, tip as never).map(({ parts }) => parts.length)).toHaveLength(11);
        test.remove();
      },
      patience,
    );
  });
}
