// What happens while pages are made and written: whatever it is, there is no trace of them, or all of them are there (L11, T8, S10).
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ConversationId, MessageId } from '../../../shared/model/ids';
import { change } from '../../store/database';
import { looseHashes } from '../../store/looseBlobs';
import { readPath } from '../../store/messages';
import { moveTip } from '../../store/tips';
import { hashOf } from '../../transcript/blobs';
import { makeRecord } from '../../transcript/transcriptFixture';
import { helper } from '../agentsFixture';
import { answeringSeeing, beginSeeing, longProse, picturesIn, roomy, setModels, talk } from './pagesFixture';
import { asked, compact, failures, noThresholds, passes, records, send, tipOf, where, withWorld, world } from './passesFixture';

withWorld();

/** Nothing but what is asked for by hand makes pages of it. */
async function longTalk(turns: number): Promise<ConversationId> {
  await beginSeeing({ model: roomy, compaction: noThresholds });
  answeringSeeing(longProse, roomy);
  return talk(turns);
}
const planOf = async (id: ConversationId) => (await world.fixture.looks.view(where(id))).plan;
const blobFiles = () => {
  const folder = join(world.fixture.folder, 'blobs');
  return readdirSync(folder).flatMap((part) => readdirSync(join(folder, part)));
};

/** `first`: before anything of them is on disk. `some`: when the first are, and are loose. `written`: when all is but the record. */
type Moment = 'first' | 'some' | 'written';
/** More than these are not written at once. */
const atOnce = 16;
/** Makes pages by hand, and does `act` at that moment. */
async function during(id: ConversationId, moment: Moment, act: (stop: () => void) => unknown) {
  const { blobs } = world.fixture;
  const write = blobs.write.bind(blobs);
  let open: () => void = () => undefined;
  const opened = new Promise<void>((go) => {
    open = go;
  });
  let reached: () => void = () => undefined;
  const there = new Promise<void>((go) => {
    reached = go;
  });
  let [begun, onTheirWay] = [0, 0];
  blobs.write = async (bytes, mime) => {
    begun += 1;
    if (moment === 'some' && begun <= atOnce) return write(bytes, mime);
    onTheirWay += 1;
    const hash = moment === 'written' ? await write(bytes, mime) : null;
    onTheirWay -= 1;
    if (moment !== 'written' || onTheirWay === 0) reached();
    await opened;
    return hash ?? write(bytes, mime);
  };
  const controller = new AbortController();
  const end = compact(id, 'snapshot', controller.signal);
  await there;
  await act(() => controller.abort());
  open();
  return end.finally(() => {
    blobs.write = write;
  });
}

const folded = (id: ConversationId, at: number) => readPath(world.fixture.db, tipOf(id))[at]?.id as MessageId;
const partsOf = (id: MessageId, parts: string) => change(world.fixture.db, 'UPDATE messages SET parts = ? WHERE id = ?').run(parts, id);

/** What is done meanwhile, and what takes it back. */
const acts: Record<string, (id: ConversationId, stop: () => void) => Promise<() => Promise<unknown>>> = {
  'another model': async () => {
    setModels({ ...roomy, id: 'gpt-4o-2024-11-20' });
    return async () => setModels(roomy);
  },
  'a model that does not see': async () => {
    setModels({ ...roomy, id: 'blind', vision: false });
    return async () => setModels(roomy);
  },
  'a folded message has other words': async (id) => {
    const message = folded(id, 2);
    const before = JSON.stringify(readPath(world.fixture.db, tipOf(id))[2]?.parts);
    partsOf(message, JSON.stringify([{ type: 'text', text: 'Other words.' }]));
    return async () => partsOf(message, before);
  },
  'a part is deleted': async (id) => {
    const tip = tipOf(id);
    const { trashId } = await world.fixture.deletions.remove({ conversationId: id, messageId: folded(id, 4) });
    return async () => {
      await world.fixture.deletions.restore(trashId);
      moveTip(world.fixture.db, { conversationId: id, to: tip });
    };
  },
  'the conversation is deleted': async (id) => {
    const { trashId } = await world.fixture.deletions.remove({ conversationId: id, messageId: null });
    return async () => world.fixture.deletions.restore(trashId);
  },
  'the person stops it': async (_, stop) => {
    stop();
    return async () => undefined;
  },
};

describe('overtaken', () => {
  it.each(['first', 'written'] as const)(
    'L11, L9: whatever comes between (%s), no record names them, the request is the one before, and the trash takes them',
    async (moment) => {
      const id = await longTalk(8);
      const before = await planOf(id);
      for (const [what, act] of Object.entries(acts)) {
        let back: () => Promise<unknown> = async () => undefined;
        const end = await during(id, moment, async (stop) => {
          back = await act(id, stop);
        });
        const discarded = { type: 'failed', failures: [{ rung: 'snapshot', reason: 'discarded' }] };
        expect(end, what).toEqual(what === 'the person stops it' ? { type: 'stopped' } : discarded);
        await back();
        expect(records(id), what).toEqual([]);
        expect(passes(id), what).toEqual([]);
        expect(await planOf(id), what).toEqual(before);
        expect(looseHashes(world.fixture.db), what).toEqual(new Set(blobFiles()));
        await world.fixture.emptying.empty(null);
        expect(blobFiles(), what).toEqual([]);
      }
      // Nothing of it is in the way of the next.
      expect(await during(id, moment, () => undefined)).toMatchObject({ type: 'done', receipt: { record: { kind: 'pages' } } });
      await send('And now?', id);
      expect(picturesIn(asked().at(-1) ?? { body: '{"messages":[]}' }).length).toBe(records(id)[0]?.body?.pages.length);
      expect(failures(id)).toEqual([]);
    },
    60_000,
  );

  it('L11: a record that was made on this path meanwhile wins; one on another branch is no reason to give up', async () => {
    const id = await longTalk(8);
    const place = { conversationId: id, agentId: helper.id };
    const add = (name: string, anchorId: MessageId) =>
      world.fixture.transcripts.append(place, { type: 'record', record: makeRecord(name, '0', { kind: 'free', anchorId }) });
    const end = await during(id, 'written', () => add('here', folded(id, 3)));
    expect(end).toMatchObject({ type: 'failed', failures: [{ rung: 'snapshot', reason: 'discarded' }] });
    expect(records(id).map(({ kind }) => kind)).toEqual(['free']);
    expect(await during(id, 'written', () => add('elsewhere', 'msg_elsewhere' as MessageId))).toMatchObject({ type: 'done' });
    expect(records(id).map(({ kind }) => kind)).toEqual(['free', 'free', 'pages']);
  }, 60_000);

  it('T8, X4: the trash that is emptied meanwhile takes nothing that the record comes to name', async () => {
    const id = await longTalk(14);
    let left = atOnce;
    const end = await during(id, 'some', async () => {
      expect(looseHashes(world.fixture.db).size).toBe(atOnce);
      await world.fixture.emptying.empty(null);
      left = blobFiles().length;
    });
    expect(left).toBe(0);
    expect(end).toMatchObject({ type: 'done' });
    const [record] = records(id);
    const named = (record?.body?.pages ?? []).flatMap(({ hash, textHash }) => [hash, textHash ?? hash]);
    expect(named.length).toBeGreaterThan(atOnce);
    for (const hash of named) expect(hashOf(await world.fixture.blobs.read(hash))).toBe(hash);
    await world.fixture.emptying.empty(null);
    expect(blobFiles().sort()).toEqual([...named].sort());
    expect(looseHashes(world.fixture.db).size).toBe(0);
    await send('And now?', id);
    expect(picturesIn(asked().at(-1) ?? { body: '{"messages":[]}' }).length).toBe(record?.body?.pages.length);
  }, 60_000);

  it('T8: pages stay while a record names them, undone or not, and go when what they were made of is emptied', async () => {
    const id = await longTalk(8);
    await compact(id, 'snapshot');
    const [record] = records(id);
    const files = blobFiles();
    const { deletions, emptying, memory } = world.fixture;
    // A turn behind them.
    await deletions.remove({ conversationId: id, messageId: folded(id, 14) });
    await memory.undo(where(id), record?.id ?? null);
    await emptying.empty(null);
    expect(blobFiles()).toEqual(files);
    await memory.redo(where(id), record?.id as never);
    expect((await world.fixture.looks.view(where(id))).memory?.kind).toBe('pages');
    await deletions.remove({ conversationId: id, messageId: folded(id, 4) });
    expect(blobFiles()).toEqual(files);
    await emptying.empty(null);
    expect(records(id)).toEqual([]);
    expect(blobFiles()).toEqual([]);
    expect(looseHashes(world.fixture.db).size).toBe(0);
  }, 60_000);

  it('T8: with the conversation its pages go; those that a fork of it names stay', async () => {
    const id = await longTalk(8);
    await compact(id, 'snapshot');
    const plan = (await planOf(id)).map(({ messageId: _, ...rest }) => rest);
    const fork = await world.fixture.forks.fork({ conversationId: id, messageId: tipOf(id), scope: 'path' });
    const files = blobFiles().sort();
    await world.fixture.deletions.remove({ conversationId: id, messageId: null });
    await world.fixture.emptying.empty(null);
    expect(blobFiles().sort()).toEqual(files);
    const forked = (await world.fixture.looks.view({ conversationId: fork.id, agentId: helper.id })).plan;
    expect(forked.map(({ messageId: _, ...rest }) => rest)).toEqual(plan);
    await world.fixture.deletions.remove({ conversationId: fork.id, messageId: null });
    await world.fixture.emptying.empty(null);
    expect(blobFiles()).toEqual([]);
  }, 60_000);
});
