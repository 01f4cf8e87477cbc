// The context is a function of path, transcript, records and pins: whatever happens around it, the same comes out again (L9, L19, T3, X6).
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { forkScopes } from '../../shared/model/fork';
import type { MessageId } from '../../shared/model/ids';
import { getConversation } from '../store/conversations';
import { listPins, removeLabel, removePin, setLabel, setPin } from '../store/marks';
import { cnv } from '../store/storeFixture';
import { moveTip } from '../store/tips';
import { createTranscripts, type Transcripts } from '../transcript/transcripts';
import { requestFor } from './answering';
import { type Act, acts, agents, type ForkTest, makeForkTest, perform, readers } from './forkFixture';

let test: ForkTest;
beforeEach(() => {
  test = makeForkTest();
});
afterEach(() => test.remove());

const conversationId = cnv('1');

/** What each agent would be sent under each message, of files as they are read now. */
async function contexts(made: readonly MessageId[], transcripts: Transcripts): Promise<string[]> {
  const all: string[] = [];
  const deps = { db: test.db, blobs: test.blobs, transcripts };
  for (const [by, agent] of agents.entries())
    for (const parentId of made)
      all.push(JSON.stringify(await requestFor(deps, { model: readers[by] ?? readers[0], tools: [], parentId, agent })));
  return all;
}

/** Long ways with few branches, and memories on them. */
const remembered: fc.Arbitrary<Act[]> = fc.array(
  fc.record({
    kind: fc.constantFrom(
      'user',
      'own',
      'other',
      'calls',
      'user',
      'own',
      'card',
      'card',
      'pages',
      'pages',
      'edit',
      'record',
      'undo',
      'redo',
      'pin',
      'broken',
    ),
    under: fc.integer({ min: 1, max: 40 }),
    near: fc.constantFrom(true, true, true, true, false),
    turn: fc.nat(3),
  }),
  { minLength: 12, maxLength: 40 },
);

const reopened = () => createTranscripts({ folder: join(test.folder, 'transcripts'), blobs: test.blobs });

it('L9, L19, T3, X6: always: after a restart, labels and pins and back, moves and back, and forks with passes of their own, each request is the same', async () => {
  const around = fc.record({ at: fc.nat(60), scope: fc.constantFrom(...forkScopes), sealAbove: fc.constantFrom(600, 1500, 100_000) });
  let [memories, pages] = [0, 0];
  await fc.assert(
    fc.asyncProperty(fc.oneof(acts, { weight: 3, arbitrary: remembered }), around, async (all: Act[], { at, scope, sealAbove }) => {
      test.remove();
      test = makeForkTest(sealAbove);
      const made = perform(test, all);
      const chosen = made[at % made.length] as MessageId;
      const before = await contexts(made, test.transcripts);
      memories += before.filter((request) => request.includes('[What you remember.')).length;
      pages += before.filter((request) => request.includes('"image/png"')).length;
      expect(await contexts(made, reopened())).toEqual(before);

      const pins = new Set(listPins(test.db, conversationId));
      for (const messageId of made) {
        setLabel(test.db, { conversationId, messageId, label: 'for a while', now: 1 });
        setPin(test.db, { conversationId, messageId, now: 1 });
        removeLabel(test.db, { conversationId, messageId });
        if (!pins.has(messageId)) removePin(test.db, { conversationId, messageId });
      }
      expect(await contexts(made, test.transcripts)).toEqual(before);

      const tip = getConversation(test.db, conversationId)?.tipId ?? null;
      for (const to of [...made.slice(0, 5), chosen, tip]) moveTip(test.db, { conversationId, to });
      expect(await contexts(made, test.transcripts)).toEqual(before);

      // A pass in the fork, and what is undone there, are the fork's alone; it is the source's at its tip, from its files, too.
      const fork = await test.forks.fork({ conversationId, messageId: chosen, scope });
      for (const [by, agent] of agents.entries()) {
        const place = { conversationId: fork.id, agentId: agent.id };
        const sent = await test.ask(fork.id, fork.tipId as MessageId, by);
        expect(sent).toEqual(await test.ask(conversationId, chosen, by));
        for (const { id, anchorId } of test.transcripts.open(place).standing.records.values()) {
          test.transcripts.append(place, { type: 'undo', recordId: id, createdAt: 9 });
          expect(made).not.toContain(anchorId);
        }
      }
      expect(await contexts(made, test.transcripts)).toEqual(before);
      expect(await contexts(made, reopened())).toEqual(before);
    }),
    { numRuns: 30 },
  );
  expect(memories).toBeGreaterThan(3);
  expect(pages).toBeGreaterThan(3);
}, 120_000);
