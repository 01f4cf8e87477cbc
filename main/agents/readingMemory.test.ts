// Memories of a workspace that is open for reading only: everything is shown as where it was made, and nothing is written (W4, M7, L7, L20).
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ConversationId, RecordId } from '../../shared/model/ids';
import { openStore, type ReadStore } from '../store/open';
import { usedAgent } from '../store/usedAgents';
import { createBlobStore } from '../transcript/blobs';
import { createTranscripts } from '../transcript/transcripts';
import { nothingLearned } from '../user/limitsFixture';
import { EventHub } from './eventHub';
import type { MemoryLooks } from './ladder/memoryLooks';
import { makeTalk, type Talk } from './ladder/talkFixture';
import { createModelDirectory } from './modelDirectory';
import { readingMemory } from './readingMemory';

let talk: Talk;
let store: ReadStore | undefined;
beforeEach(async () => {
  talk = await makeTalk();
});
afterEach(async () => {
  store?.close();
  await talk.close();
});

function reading(): MemoryLooks {
  const { folder, file, settings } = talk.fixture;
  store = openStore({ file, mode: 'read', now: () => 1 });
  const { db } = store;
  const blobs = createBlobStore({ folder: join(folder, 'blobs'), record: null });
  return readingMemory({
    db,
    blobs,
    transcripts: createTranscripts({ folder: join(folder, 'transcripts'), blobs, readOnly: true }),
    hub: new EventHub('test'),
    models: createModelDirectory({
      settings: () => settings,
      keyOf: async () => null,
      readBlob: blobs.read,
      limits: nothingLearned,
      usedAgent: (id) => usedAgent(db, id),
    }),
    compaction: () => [settings.compaction],
    files: { workspace: talk.fixture.workspace, platform: process.platform, hideKeys: (text) => text },
  });
}
const where = (conversationId: ConversationId) => ({ conversationId, agentId: null });
const filesOf = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ path, name }) => [name, readFileSync(join(path, name), 'utf8')]);

it('W4, M7: card, receipts, plan, dividers, sources, ring and what rungs would save are those of the workspace open for writing', async () => {
  const id = await talk.turns(6);
  await talk.compact(id);
  await talk.send('One more', id);
  const { looks } = talk.fixture;
  const recordId = talk.records(id)[0]?.id as RecordId;
  const all = async (of: MemoryLooks) => [
    await of.view(where(id)),
    of.marks(where(id)),
    await of.measure(where(id)),
    await of.sources(where(id), recordId, '- Turn 1 with OAK-1'),
    await of.preview(where(id)),
  ];
  const expected = await all(looks);
  expect(expected[0]).toMatchObject({ memory: { kind: 'card', recordId }, receipts: [{ trigger: 'hand' }] });
  const before = filesOf(join(talk.fixture.folder, 'transcripts'));
  expect(await all(reading())).toEqual(expected);
  expect(filesOf(join(talk.fixture.folder, 'transcripts'))).toEqual(before);
});

it('W4: a conversation of an agent that has no transcript yet has no memory, and no file is made for it', async () => {
  const id = await talk.turns(1);
  talk.fixture.settings.agents.push({ ...talk.fixture.settings.agents[0], id: 'other', name: 'Other' } as never);
  const looks = reading();
  const before = filesOf(join(talk.fixture.folder, 'transcripts'));
  const other = { conversationId: id, agentId: 'other' as never };
  expect(await looks.view(other)).toMatchObject({ agentName: 'Other', memory: null, receipts: [] });
  expect(looks.marks(other).marks).toEqual([]);
  expect(filesOf(join(talk.fixture.folder, 'transcripts'))).toEqual(before);
});
