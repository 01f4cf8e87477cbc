// Memory and deletion: what is in the trash takes its memory along and brings it back, what is emptied is nowhere (T8, L19, L20, T9, I2).
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { chatStream } from '../../../e2e/fixtures/scripts/chat';
import type { ConversationId, MessageId } from '../../../shared/model/ids';
import type { PlanBlock } from '../../../shared/model/memoryView';
import { textOf } from '../../../shared/model/message';
import { exported, imported } from '../../ipc/imports/ownFixture';
import { listConversations } from '../../store/conversations';
import { connectionOf, select } from '../../store/database';
import { getMessage } from '../../store/messages';
import { addPassReceipt, passReceiptsOf } from '../../store/passReceipts';
import { moveTip } from '../../store/tips';
import { makeRecord, makeTranscriptStep } from '../../transcript/transcriptFixture';
import { createTranscripts } from '../../transcript/transcripts';
import { helper } from '../agentsFixture';
import { answerOf, makeTalk, type Talk } from './talkFixture';

let talk: Talk;
let nth = 0;
beforeEach(async () => {
  talk = await makeTalk();
  nth = 0;
  talk.answering(100_000, answerOf(1500), () => chatStream([`## Task\nCard of pass ${++nth}.\n\n## Next step\nGo on.`]));
});
afterEach(() => talk.close());

const textOfFiles = (id: ConversationId) => {
  const folder = join(talk.fixture.folder, 'transcripts', id);
  return readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n');
};
const rows = (id: ConversationId) => passReceiptsOf(talk.fixture.db, { conversationId: id, agentId: helper.id, count: 99 });
const memoryIn = async (id: ConversationId) => (await talk.view(id)).memory?.body.text.match(/Card of pass \d/)?.[0] ?? null;
const whole = () => expect(connectionOf(talk.fixture.db).pragma('foreign_key_check')).toEqual([]);
const remove = (id: ConversationId, messageId: MessageId | null) => talk.fixture.deletions.remove({ conversationId: id, messageId });
/** Without the names of messages, which are another conversation's own. */
const unnamed = (plan: readonly PlanBlock[]) => plan.map(({ messageId, ...rest }) => rest);

/** Five turns, a card, four turns, a card over it. */
async function twice(): Promise<{ id: ConversationId; path: MessageId[] }> {
  const id = await talk.turns(5);
  await talk.compact(id);
  await talk.turns(4, id);
  await talk.compact(id);
  expect(talk.records(id).map(({ previousId }) => previousId)).toEqual([undefined, talk.records(id)[0]?.id]);
  return { id, path: talk.path(id) };
}

describe('deleting what a memory was made of', () => {
  it('T8, L19: what the second card folds goes: the first one holds, from the trash all is back, and emptied the second is nowhere', async () => {
    const { id, path } = await twice();
    const [before, first] = [await talk.plan(id), talk.records(id)[0]];
    const from = path[path.indexOf(first?.anchorId as MessageId) + 3] as MessageId;
    const { trashId } = await remove(id, from);
    expect(await memoryIn(id)).toBe('Card of pass 1');
    const after = await talk.plan(id);
    await talk.fixture.deletions.restore(trashId);
    moveTip(talk.fixture.db, { conversationId: id, to: path.at(-1) as MessageId });
    expect(await talk.plan(id)).toEqual(before);

    await remove(id, from);
    await talk.fixture.emptying.empty(null);
    expect(await talk.plan(id)).toEqual(after);
    expect(talk.records(id)).toEqual([first]);
    expect(textOfFiles(id)).not.toContain('Card of pass 2');
    // Both were made at messages that are gone: what stands is told by its record.
    expect(rows(id)).toEqual([]);
    expect((await talk.view(id)).receipts.map(({ record }) => record?.id)).toEqual([first?.id]);
    whole();
    await talk.restart();
    expect(await talk.plan(id)).toEqual(after);
    await talk.turns(3, id);
    expect(await talk.compact(id)).toMatchObject({ type: 'done' });
    expect(talk.records(id)[1]?.previousId).toBe(first?.id);
  });

  it('T8: what the first card folds goes: both are nowhere, nor is what was said in them or of them', async () => {
    const { id, path } = await twice();
    await remove(id, path[3] as MessageId);
    expect((await talk.view(id)).memory).toBeNull();
    await talk.fixture.emptying.empty(null);
    expect(talk.records(id)).toEqual([]);
    expect(textOfFiles(id)).not.toMatch(/Card of pass|undone/);
    expect(rows(id)).toEqual([]);
    whole();
  });

  it('T8: a tail goes: the card over what stays holds on', async () => {
    const { id, path } = await twice();
    const [first, second] = talk.records(id);
    await remove(id, path.at(-2) as MessageId);
    await talk.fixture.emptying.empty(null);
    expect(talk.records(id)).toEqual([first, second]);
    expect(await memoryIn(id)).toBe('Card of pass 2');
    expect(rows(id).map(({ recordId }) => recordId)).toEqual([first?.id]);
    expect((await talk.view(id)).receipts.map(({ record }) => record?.id)).toEqual([second?.id, first?.id]);
    whole();
  });

  it('T8, R4: a conversation with thousands of receipts goes in slices with all of them; another one keeps its own', async () => {
    const { id } = await twice();
    const other = await talk.turns(5);
    await talk.compact(other);
    const [row] = rows(id);
    for (let at = 0; at < 3000; at++) if (row) addPassReceipt(talk.fixture.db, { ...row, id: `rec_x${at}` });
    await remove(id, null);
    await talk.fixture.emptying.empty(null);
    expect(select<{ n: number }>(talk.fixture.db, 'SELECT count(*) AS n FROM pass_receipts').get()?.n).toBe(1);
    expect(rows(other)).toHaveLength(1);
    whole();
  });

  it('T8: a card that was made over one that goes, goes with it, wherever it is anchored', async () => {
    const place = { conversationId: 'cnv_x' as ConversationId, agentId: helper.id };
    const transcripts = createTranscripts({ folder: join(talk.fixture.folder, 'transcripts'), blobs: talk.fixture.blobs });
    for (const [name, parent] of [
      ['a', 'u'],
      ['b', 'a'],
    ] as const)
      transcripts.append(place, { type: 'step', step: makeTranscriptStep(name, parent, name) });
    transcripts.append(place, { type: 'record', record: makeRecord('1', 'b', { folded: ['msg_b' as MessageId] }) });
    transcripts.append(place, { type: 'record', record: makeRecord('2', 'a', { previousId: 'rec_1' as never }) });
    transcripts.append(place, { type: 'undo', recordId: 'rec_2' as never, createdAt: 2 });
    const gone = { steps: new Set(['stp_b' as never]), messages: new Set(['msg_b' as MessageId]), loosened: () => undefined };
    await transcripts.strip(place, gone);
    expect(transcripts.open(place).standing.records.size).toBe(0);
    expect(textOfFiles(place.conversationId)).not.toContain('rec_');
  });
});

describe('what was folded', () => {
  it('L20, I1, I2: stays in the list and in an export, and an import brings the memory back as it was, with what is told of it', async () => {
    const { id, path } = await twice();
    await talk.fixture.memory.undo({ conversationId: id, agentId: null }, null);
    const said = path.map((one) => textOf(getMessage(talk.fixture.db, one) as never));
    for (let turn = 1; turn <= 5; turn++) expect(said[2 * turn - 2]).toContain(`OAK-${turn}`);
    const file = await exported(talk.fixture, id);
    for (const text of said) expect(file).toContain(JSON.stringify(text).slice(1, 60));
    await imported(talk.fixture, file, { mode: 'copy' });
    const copy = listConversations(talk.fixture.db, { archived: false }).find((one) => one.id !== id)?.id as ConversationId;
    const [source, made] = [await talk.view(id, helper.id), await talk.view(copy, helper.id)];
    expect(unnamed(made.plan)).toEqual(unnamed(source.plan));
    const told = ({ receipts }: typeof source) =>
      receipts.map(({ record }) => [record?.receipt.identifiers, record?.undone, record?.folded]);
    expect(told(made)).toEqual(told(source));
    expect(made.receipts.length).toBe(2);
  });

  it('T9, L17: a fork has the memory and its receipts, and what it does later is its own', async () => {
    const { id, path } = await twice();
    const source = await talk.view(id);
    const files = textOfFiles(id);
    for (const scope of ['path', 'siblings', 'all'] as const) {
      const fork = await talk.fixture.forks.fork({ conversationId: id, messageId: path.at(-1) as MessageId, scope });
      const forked = await talk.view(fork.id, helper.id);
      expect(unnamed(forked.plan)).toEqual(unnamed(source.plan));
      const told = ({ receipts }: typeof source) =>
        receipts.map(({ record }) => [record?.kind, record?.receipt.tokensBefore, record?.receipt.tokensAfter, record?.folded]);
      expect(told(forked)).toEqual(told(source));
      await talk.turns(4, fork.id, helper.id);
      expect(await talk.compact(fork.id, helper.id)).toMatchObject({ type: 'done' });
      await talk.fixture.memory.undo({ conversationId: fork.id, agentId: helper.id }, talk.records(fork.id)[0]?.id ?? null);
      expect(await talk.view(id)).toEqual(source);
      expect(textOfFiles(id)).toBe(files);
    }
    await remove(id, null);
    await talk.fixture.emptying.empty(null);
    const forks = listConversations(talk.fixture.db, { archived: false });
    expect(forks).toHaveLength(3);
    for (const { id: left } of forks) expect((await talk.view(left)).memory).not.toBeNull();
  });
});
