// Emptying the trash over real files and a real database: what goes, what stays, and what a failure at any write leaves.
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AgentId, BlobHash, ConversationId, RecordId, StepId, TrashId, TurnId } from '../../shared/model/ids';
import type { MemoryRecord } from '../../shared/model/memoryRecord';
import type { Part } from '../../shared/model/message';
import type { Step } from '../../shared/model/transcript';
import { addBlobRow, getBlobRow } from '../store/blobRows';
import { select } from '../store/database';
import { saveDraft } from '../store/drafts';
import { looseHashes } from '../store/looseBlobs';
import { setLabel, setPin } from '../store/marks';
import { appendMessage, readPath } from '../store/messages';
import { openStore, type WriteStore } from '../store/open';
import { makeMessage, msg, plant } from '../store/storeFixture';
import { addTranscriptStep } from '../store/transcriptSteps';
import { deleteConversation, deleteSubtree } from '../store/trash';
import { listTrash } from '../store/trashRows';
import { markSubtree } from '../store/trashWalk';
import { type BlobStore, createBlobStore } from '../transcript/blobs';
import { systemError, watchedDisk } from '../transcript/transcriptFixture';
import { createTranscripts, type Transcripts } from '../transcript/transcripts';
import { quietLogger } from './agentsFixture';
import { Emptying } from './emptying';
import { EventHub } from './eventHub';

const conversationId = 'cnv_1' as ConversationId;
const agentId = 'demo' as AgentId;
const place = { conversationId, agentId };
const trs = (name: string) => `trs_${name}` as TrashId;
const stp = (name: string) => `stp_${name}` as StepId;

let folder: string;
let store: WriteStore;
let watched: ReturnType<typeof watchedDisk>;
let transcripts: Transcripts;
let blobs: BlobStore;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bough-empty-'));
  open();
});
afterEach(() => {
  store.close();
  rmSync(folder, { recursive: true, force: true });
});

/** As after a start of the program: nothing is kept but files. */
function open(): void {
  store = openStore({ file: join(folder, 'bough.db'), mode: 'write', now: () => 1000 });
  watched = watchedDisk();
  const record = (blob: { hash: BlobHash; size: number; mime: string }) => addBlobRow(store.db, { ...blob, createdAt: 1 });
  blobs = createBlobStore({ folder: join(folder, 'blobs'), record });
  transcripts = createTranscripts({ folder: join(folder, 'transcripts'), blobs, disk: watched.disk });
}
const emptying = () =>
  new Emptying({ db: store.db, transcripts, blobs, hub: new EventHub('test'), logger: quietLogger, alone: (job) => job() });

const step = (name: string, parent: string, text: string): Step => ({
  id: stp(name),
  messageId: msg(name),
  parentId: msg(parent),
  turnId: 'trn_1' as TurnId,
  model: 'demo/demo',
  content: [{ type: 'text', text }],
  results: [],
  createdAt: 1,
});
const record = (id: string, folded: string[]): MemoryRecord => ({
  id: `rec_${id}` as RecordId,
  kind: 'card',
  anchorId: msg(folded.at(-1) ?? ''),
  folded: folded.map(msg),
  elided: [],
  droppedImages: [],
  body: { text: `card ${id}`, pages: [], files: [], references: [] },
  wordingVersion: 1,
  receipt: { trigger: 'hand', tokensBefore: 1, tokensAfter: 1, bytesBefore: 1, bytesAfter: 1, kept: [], durationMs: 1, createdAt: 1 },
});
const file = (hash: BlobHash, name: string): Part => ({ type: 'file', hash, name, mime: 'text/plain', size: 1 });
const big = (word: string) => `${word} `.repeat(20_000);

/** a → b (answer) → c → d (answer); d and its long text go. `shared` is in a, too; `drafted` is in a draft. */
async function grow(): Promise<{ own: BlobHash; shared: BlobHash; drafted: BlobHash }> {
  const own = await blobs.write(Buffer.from('own'), 'text/plain');
  const shared = await blobs.write(Buffer.from('shared'), 'text/plain');
  const drafted = await blobs.write(Buffer.from('drafted'), 'text/plain');
  plant(store.db, []);
  const say = (name: string, parent: string | null, parts: Part[]) =>
    appendMessage(store.db, { message: makeMessage(name, parent, { parts }), tip: 'follow' });
  const answer = (name: string, parent: string, text: string) => {
    const at = transcripts.append(place, { type: 'step', step: step(name, parent, text) });
    appendMessage(store.db, { message: makeMessage(name, parent, { role: 'assistant', agentId }), tip: 'follow' });
    addTranscriptStep(store.db, { stepId: stp(name), messageId: msg(name), conversationId, agentId, file: at.file });
  };
  say('a', null, [file(shared, 'shared.txt'), { type: 'text', text: 'hello' }]);
  answer('b', 'a', big('kept'));
  transcripts.append(place, { type: 'record', record: record('kept', ['a']) });
  say('c', 'b', [file(own, 'own.txt'), file(shared, 'shared.txt'), file(drafted, 'drafted.txt')]);
  answer('d', 'c', big('gone'));
  transcripts.append(place, { type: 'record', record: record('gone', ['a', 'b', 'c']) });
  setLabel(store.db, { conversationId, messageId: msg('d'), label: 'x', now: 1 });
  setPin(store.db, { conversationId, messageId: msg('d'), now: 1 });
  const attachments = [{ type: 'file' as const, hash: drafted, name: 'drafted.txt', mime: 'text/plain', size: 1 }];
  saveDraft(store.db, { key: 'new', draft: { text: '', attachments }, now: 1 });
  return { own, shared, drafted };
}
async function removeFrom(name: string): Promise<void> {
  const args = { conversationId, messageId: msg(name), trashId: trs('1') };
  const marked = await markSubtree(store.db, args);
  deleteSubtree(store.db, { ...args, now: 1, marked });
}
const filesOf = () => readdirSync(join(folder, 'transcripts', conversationId)).filter((name) => name.endsWith('.json'));
const textOfFiles = () =>
  filesOf()
    .map((name) => readFileSync(join(folder, 'transcripts', conversationId, name), 'utf8'))
    .join('\n');
const blobFiles = () => readdirSync(join(folder, 'blobs')).flatMap((part) => readdirSync(join(folder, 'blobs', part))).length;
const count = (table: string) => select<{ n: number }>(store.db, `SELECT count(*) AS n FROM ${table}`).get()?.n;

async function expectKept(): Promise<void> {
  expect(readPath(store.db, msg('b')).map(({ id }) => id)).toEqual([msg('a'), msg('b')]);
  const [kept] = await transcripts.steps(place, [{ stepId: stp('b'), file: 1 }]);
  expect(kept?.content).toEqual([{ type: 'text', text: big('kept') }]);
}
async function expectEmptied({ own, shared, drafted }: { own: BlobHash; shared: BlobHash; drafted: BlobHash }): Promise<void> {
  await expectKept();
  expect(listTrash(store.db)).toEqual([]);
  expect([count('messages'), count('labels'), count('pins'), count('transcript_steps'), count('loose_blobs')]).toEqual([2, 0, 0, 1, 0]);
  expect(textOfFiles()).not.toMatch(/stp_d|card gone/);
  expect([...transcripts.open(place).standing.records.keys()]).toEqual(['rec_kept']);
  expect([own, shared, drafted].map((hash) => blobs.has(hash))).toEqual([false, true, true]);
  expect(getBlobRow(store.db, own)).toBeUndefined();
  // shared, drafted, and the long text of b.
  expect(blobFiles()).toBe(3);
}

describe('emptying the trash', () => {
  it('T8: takes rows, marks, steps, memory made from them and blobs that nothing else refers to; the rest stays', async () => {
    const hashes = await grow();
    await removeFrom('c');
    await emptying().empty(trs('1'));
    await expectEmptied(hashes);
    // The agent goes on in the files that are left.
    expect(filesOf()).toHaveLength(2);
    const at = transcripts.append(place, { type: 'step', step: step('e', 'b', 'on') });
    expect((await transcripts.steps(place, [{ stepId: stp('e'), ...at }]))[0]?.content).toEqual([{ type: 'text', text: 'on' }]);
  });

  it('T8: after it, what is left is as it was derived, and no repair is due', async () => {
    await grow();
    await removeFrom('c');
    await emptying().empty(null);
    expect(select(store.db, 'SELECT 1 FROM messages WHERE depth IS NULL').get()).toBeUndefined();
  });

  it('T8: a whole conversation leaves nothing, deletions inside it neither; others are untouched', async () => {
    await grow();
    plant(store.db, [], '2');
    appendMessage(store.db, { message: { ...makeMessage('z', null), conversationId: 'cnv_2' as ConversationId }, tip: 'follow' });
    await removeFrom('d');
    deleteConversation(store.db, { trashId: trs('all'), conversationId, messages: 3, now: 2 });
    await emptying().empty(trs('all'));
    expect(listTrash(store.db)).toEqual([]);
    expect(select<{ id: string }>(store.db, 'SELECT id FROM messages').all()).toEqual([{ id: msg('z') }]);
    expect(existsSync(join(folder, 'transcripts', conversationId))).toBe(false);
    // The one in the draft.
    expect(blobFiles()).toBe(1);
  });

  it('T8: a deletion inside another one goes with it', async () => {
    await grow();
    await removeFrom('d');
    const args = { conversationId, messageId: msg('c'), trashId: trs('out') };
    deleteSubtree(store.db, { ...args, now: 1, marked: await markSubtree(store.db, args) });
    await emptying().empty(trs('out'));
    expect(listTrash(store.db)).toEqual([]);
    expect(count('messages')).toBe(2);
  });

  it('T8: what is still in the trash keeps its blobs', async () => {
    const { own } = await grow();
    appendMessage(store.db, { message: makeMessage('s', 'b', { parts: [file(own, 'again.txt')] }), tip: 'stay' });
    const args = { conversationId, messageId: msg('s'), trashId: trs('still') };
    deleteSubtree(store.db, { ...args, now: 1, marked: await markSubtree(store.db, args) });
    await removeFrom('c');
    await emptying().empty(trs('1'));
    expect(blobs.has(own)).toBe(true);
    expect(looseHashes(store.db).size).toBe(0);
  });

  it('T8, R4: stopped, it can be gone on with by the next start', async () => {
    const hashes = await grow();
    await removeFrom('c');
    const first = emptying();
    const ended = first.empty(null);
    await first.stop();
    await ended;
    expect(listTrash(store.db)).toMatchObject([{ emptying: true }]);
    await expectKept();
    store.close();
    open();
    await emptying().resume();
    await expectEmptied(hashes);
  });

  it('T8, R2, R3: a failure at any file operation loses nothing that was not deleted, and the next start ends it', async () => {
    const hashes = await grow();
    await removeFrom('c');
    store.close();
    const before = `${folder}-before`;
    cpSync(folder, before, { recursive: true });
    try {
      for (let at = 1; ; at++) {
        open();
        let left = at;
        watched.failNext = () => (--left === 0 ? systemError('ENOSPC') : undefined);
        const failure: unknown = await emptying()
          .empty(trs('1'))
          .catch((error: unknown) => error);
        store.close();
        open();
        await expectKept();
        await emptying().resume();
        await expectEmptied(hashes);
        store.close();
        if (failure === undefined) break;
        expect(failure).toMatchObject({ failure: { code: 'diskFull' } });
        rmSync(folder, { recursive: true });
        cpSync(before, folder, { recursive: true });
      }
    } finally {
      rmSync(before, { recursive: true });
      open();
    }
  });
});
