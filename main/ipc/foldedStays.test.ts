// What a memory folds stays where it was: it is found, read and exported as before the pass (L20).
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ConversationId } from '../../shared/model/ids';
import { makeTalk, type Talk } from '../agents/ladder/talkFixture';
import { toMarkdown } from '../interchange/export/markdown';
import { readSlice } from '../store/messages';
import { indexSlice, startIndex } from '../store/searchIndex';
import { searchMessages } from '../store/searchMessages';
import { wayTo } from '../store/wayTo';
import { collectBundle } from './exports/collect';

let talk: Talk;
beforeEach(async () => {
  talk = await makeTalk();
});
afterEach(() => talk.close());

const found = (query: string) => {
  const { db } = talk.fixture;
  const request = { query, filters: {}, reasoning: false, cursor: null, limit: 50 };
  return searchMessages(db, request, { clock: () => 0, budget: 1 }).hits;
};
const read = (id: ConversationId) => readSlice(talk.fixture.db, { tipId: talk.tip(id), offset: 0, count: 100 });
const exported = async (id: ConversationId) => {
  const bundle = await collectBundle(talk.fixture, { conversationId: id, messageId: null, scope: 'path' });
  const context = { exportedAt: 1, readBlob: async () => null };
  const include = { toolCalls: true, reasoning: true, attachments: true, memory: false };
  let text = '';
  for await (const piece of toMarkdown(bundle, include, context)) text += piece;
  return { text, bundle };
};

it('L20: a folded message is found on the path, with an index and without; the hit leads to it, and it reads as it did', async () => {
  const id = await talk.turns(6);
  const before = { hits: found('OAK-2'), slice: read(id) };
  expect(before.hits).toHaveLength(1);
  await talk.compact(id);
  const [record] = talk.records(id);
  const folded = before.hits[0]?.messageId;
  expect(record?.folded).toContain(folded);
  expect(talk.path(id)).toContain(folded);
  expect(found('OAK-2')).toEqual(before.hits);
  expect(before.hits[0]).toMatchObject({ onPath: true });
  const { db } = talk.fixture;
  startIndex(db);
  while (!indexSlice(db, 100).done);
  expect(found('OAK-2')).toEqual(before.hits);
  if (!folded) throw new Error('nothing was found');
  // Nothing has to be switched to see it.
  expect(wayTo(db, { conversationId: id, messageId: folded })).toEqual({ depth: talk.path(id).indexOf(folded), to: null });
  expect(read(id)).toEqual(before.slice);
  // A card is no message: its words are in nobody's mouth.
  expect(found('"state card"')).toEqual([]);
});

it('L20, I1: it is exported word for word, beside the record that folds it', async () => {
  const id = await talk.turns(6);
  const before = await exported(id);
  await talk.compact(id);
  const after = await exported(id);
  expect(after.text).toBe(before.text);
  expect(after.text).toContain('Turn 2 with OAK-2');
  expect(after.bundle.messages).toEqual(before.bundle.messages);
  expect(after.bundle.transcripts[0]?.steps).toEqual(before.bundle.transcripts[0]?.steps);
  expect(after.bundle.transcripts[0]?.records).toMatchObject([
    { kind: 'card', folded: expect.arrayContaining([after.bundle.messages[1]?.id]) },
  ]);
});
