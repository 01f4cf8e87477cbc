// Steps that the database knows and no file has any more (X7): retold, marked, and said.
import { readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { MessageId, StepId, TurnId } from '../../shared/model/ids';
import type { Step } from '../../shared/model/transcript';
import { createConversation } from '../store/conversations';
import { transaction } from '../store/database';
import { appendMessage } from '../store/messages';
import { agentNamed, cnv, makeMessage, makeStore, msg, type TestStore } from '../store/storeFixture';
import { addTranscriptStep } from '../store/transcriptSteps';
import { createBlobStore } from '../transcript/blobs';
import type { TranscriptNotice } from '../transcript/liveFile';
import { createTranscripts, type Transcripts } from '../transcript/transcripts';
import { requestFor } from './answering';

const agent = agentNamed('me');
const names = ['a', 'b', 'c'];
let test: TestStore;
let transcripts: Transcripts;
let told: TranscriptNotice['kind'][];
let retold: number;
const path = () => join(test.folder, 'transcripts', cnv('1'), 'me.json');
const blobs = () => createBlobStore({ folder: join(test.folder, 'blobs'), record: () => undefined });
/** As after a start of the program. */
const open = () => {
  transcripts = createTranscripts({ folder: join(test.folder, 'transcripts'), blobs: blobs() });
  transcripts.listen(({ kind }) => told.push(kind));
};

beforeEach(() => {
  test = makeStore();
  told = [];
  retold = 0;
  open();
  createConversation(test.db, { id: cnv('1'), now: 1000, agentId: null as never });
  appendMessage(test.db, { message: makeMessage('q', null), tip: 'stay' });
  for (const [at, name] of names.entries()) addStep(name, names[at - 1] ?? 'q');
});
afterEach(() => test.remove());

function addStep(name: string, parent: string): void {
  const content: Step['content'] = [{ type: 'text', text: name }];
  const message = makeMessage(name, parent, { role: 'assistant', agentId: agent.id, turnId: 'trn_1' as TurnId, parts: content as never });
  const ids = { messageId: message.id, parentId: msg(parent), turnId: 'trn_1' as TurnId };
  const step: Step = { id: `stp_${name}` as StepId, ...ids, model: 'p/m', content, results: [], createdAt: 1 };
  const { file } = transcripts.append({ conversationId: cnv('1'), agentId: agent.id }, { type: 'step', step });
  transaction(test.db, () => {
    appendMessage(test.db, { message, tip: 'stay' });
    addTranscriptStep(test.db, { stepId: step.id, messageId: message.id, conversationId: cnv('1'), agentId: agent.id, file });
  });
}
const ask = () =>
  requestFor(
    { db: test.db, blobs: blobs(), transcripts, retold: () => retold++ },
    { parentId: msg('c'), agent, model: { id: 'm' }, tools: [] },
  );
const marked = () => names.filter((name) => transcripts.lacks(msg(name) as MessageId));

it('X7: nothing is lost of a whole transcript', async () => {
  open();
  await ask();
  expect([marked(), told, retold]).toEqual([[], [], 0]);
});

it.each<[string, () => void, string[], TranscriptNotice['kind'][]]>([
  ['a file cut in its last step', () => truncateSync(path(), readFileSync(path()).length - 20), ['c'], ['lacking']],
  ['a file that is gone', () => rmSync(path()), ['a', 'b', 'c'], ['lacking']],
  ['a damaged line', () => writeFileSync(path(), readFileSync(path(), 'utf8').replace('"id":"stp_b"', '"id":7')), ['b'], ['repaired']],
  ['a file of garbage', () => writeFileSync(path(), 'garbage'), ['a', 'b', 'c'], ['setAside']],
])('X7, X10: %s: what is lost is marked, and said once', async (_, damage, lost, notices) => {
  damage();
  open();
  await ask();
  expect(marked()).toEqual(lost);
  await ask();
  expect([told, retold]).toEqual([notices, 1]);
});

it('X7: a file that came back is used, and nothing stays marked', async () => {
  const whole = readFileSync(path());
  rmSync(path());
  open();
  await ask();
  expect(marked()).toEqual(names);
  writeFileSync(path(), whole);
  await ask();
  expect(marked()).toEqual([]);
});
