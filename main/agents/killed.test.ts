// A turn of ten steps in a process of its own, on a disk that is full or read-only. Killed at every point: crash.test.ts.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { getConversation } from '../store/conversations';
import { readPath } from '../store/messages';
import { cnv } from '../store/storeFixture';
import { buildEntry, canMount, runChild } from '../workspace/childFixture';
import { makeWorkspace } from '../workspace/workspaceFixture';

/** Processes start slowly on a busy machine. */
const patience = 300_000;
let built: string;
beforeAll(async () => {
  built = await buildEntry('main/agents/killedFixture.ts');
}, patience);

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
