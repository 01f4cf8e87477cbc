// Pages in real turns: when the ladder makes them, what the reader is sent, and what happens where they do not fit the reader (L1, L4, L16, S).
import { describe, expect, it } from 'vitest';
import type { ConversationId } from '../../../shared/model/ids';
import type { MemoryRecord } from '../../../shared/model/memoryRecord';
import { textOf } from '../../../shared/model/message';
import { readPath } from '../../store/messages';
import { hashOf } from '../../transcript/blobs';
import {
  answeringSeeing,
  beginSeeing,
  lastAsked,
  longProse,
  picturesIn,
  prose,
  roomy,
  seeing,
  setModels,
  sizeOfPng,
  talk,
  tokensOfBody,
  wordsOf,
} from './pagesFixture';
import {
  asked,
  compact,
  failures,
  isForCard,
  kinds,
  noThresholds,
  notices,
  passes,
  records,
  restart,
  send,
  tipOf,
  where,
  withWorld,
  world,
} from './passesFixture';

withWorld();

const pagesOf = (id: ConversationId) => records(id).filter(({ kind }) => kind === 'pages');
const textOfPages = async (record: MemoryRecord | undefined) => {
  const texts = await Promise.all((record?.body?.pages ?? []).map(({ textHash }) => world.fixture.blobs.read(textHash as never)));
  return texts.map((bytes) => new TextDecoder().decode(bytes)).join('');
};
const cardRequests = () => world.server.requests.filter(isForCard);

describe('before the summary', () => {
  it('L1, L4, S1: a reader that sees gets pages above the line, and nobody is asked for a card', async () => {
    await beginSeeing();
    answeringSeeing(prose);
    const id = await talk(22);
    const [first] = pagesOf(id);
    expect(first?.receipt).toMatchObject({ trigger: 'turnStart' });
    expect(first?.receipt.tokensAfter).toBeLessThanOrEqual(0.8 * 0.7 * 32_000);
    expect(first?.receipt.pages?.count).toBe(first?.body?.pages.length);
    expect(cardRequests()).toEqual([]);
    expect(failures(id)).toEqual([]);
    expect(passes(id).every(({ outcome }) => outcome === 'committed')).toBe(true);
    const pictures = picturesIn(lastAsked());
    expect(pictures.length).toBeGreaterThan(0);
    expect(pictures.map(sizeOfPng).every(({ width, height }) => width === 768 && height <= 2048)).toBe(true);
    const words = wordsOf(lastAsked());
    for (const there of ['Never delete CEDAR-1.', '[What you remember.', 'Each picture is a page of', 'Turn 22 asks about'])
      expect(words).toContain(there);
  });

  it('S1, S8: all that was said is on the pages or beside them as text, in its order, and comes back from the blob store', async () => {
    await beginSeeing({ model: roomy });
    answeringSeeing(longProse, roomy);
    const id = await talk(18);
    const record = pagesOf(id).at(-1);
    const { frame, pages = [] } = record?.body ?? {};
    const printed = (await textOfPages(record)).replaceAll(/\u2588/g, '\n');
    const told = `${frame?.head}\n${printed}${frame?.tail}`.replaceAll(/\s+/g, ' ');
    const folded = new Set(record?.folded);
    const path = readPath(world.fixture.db, tipOf(id)).filter((message) => folded.has(message.id));
    let at = 0;
    for (const message of path) {
      const text = textOf(message).replaceAll(/\s+/g, ' ').trim();
      const found = told.indexOf(text, at);
      expect(found, text.slice(0, 60)).toBeGreaterThanOrEqual(at);
      at = found;
    }
    expect(record?.receipt.pages).toMatchObject({ missing: 0, dropped: 0, characters: printed.length });
    const sent = picturesIn(lastAsked());
    expect(sent.map((png) => hashOf(png))).toEqual(pages.map(({ hash }) => hash));
  });

  it('S1: the next pages are made of the messages again, and hold what the earlier ones held; a card below stands as text', async () => {
    await beginSeeing({ model: roomy });
    answeringSeeing(longProse, roomy);
    const id = await talk(6);
    await compact(id, 'summary');
    const card = records(id).find(({ kind }) => kind === 'card');
    await talk(10, id);
    expect(await compact(id, 'snapshot')).toMatchObject({ type: 'done' });
    await talk(4, id);
    expect(await compact(id, 'snapshot')).toMatchObject({ type: 'done' });
    await send('What now?', id);
    const made = pagesOf(id);
    expect(made.length).toBeGreaterThanOrEqual(2);
    const [first, second] = made;
    expect(second?.previousId).toBe(card?.id);
    expect(second?.folded).toEqual(expect.arrayContaining(first?.folded ?? ['none']));
    expect(second?.folded.length).toBeGreaterThan(first?.folded.length ?? 0);
    expect(second?.body?.text).toBe(card?.body?.text);
    const words = wordsOf(lastAsked());
    expect(words).toContain('[Notes on what was before the messages below]');
    expect(words).toContain('Answer the turns.');
    expect(await textOfPages(second)).not.toContain('Answer the turns.');
    expect(failures(id)).toEqual([]);
  });

  it('L5, S1: a card after pages is made of the messages on them, and takes their place', async () => {
    await beginSeeing();
    answeringSeeing(prose);
    const id = await talk(22);
    expect(kinds(id)).toEqual(['pages']);
    const end = await compact(id, 'summary');
    expect(end).toMatchObject({ type: 'done' });
    const [pages, card] = records(id);
    expect(card).toMatchObject({ kind: 'card' });
    expect(card?.previousId).toBeUndefined();
    expect(card?.folded).toEqual(expect.arrayContaining(pages?.folded ?? ['none']));
    expect(cardRequests().at(-1)?.body).toContain('OAK-1001');
    await send('And now?', id);
    expect(picturesIn(lastAsked())).toEqual([]);
  });

  it('S1: a card is made of pages also where nothing came since; pages of pages are not', async () => {
    await beginSeeing({ compaction: noThresholds });
    answeringSeeing(prose);
    const id = await talk(20);
    expect(await compact(id, 'snapshot')).toMatchObject({ type: 'done', receipt: { record: { kind: 'pages' } } });
    expect(await compact(id, 'snapshot')).toMatchObject({ type: 'already' });
    expect(await compact(id, 'summary')).toMatchObject({ type: 'done', receipt: { record: { kind: 'card' } } });
    expect(kinds(id)).toEqual(['pages', 'card']);
  });

  it('L19: undone, the full text is sent again, byte for byte; redone, the same pages', async () => {
    await beginSeeing({ compaction: noThresholds });
    answeringSeeing(prose);
    const id = await talk(18);
    const { looks, memory } = world.fixture;
    const before = (await looks.view(where(id))).plan;
    await compact(id, 'snapshot');
    const made = (await looks.view(where(id))).plan;
    const [record] = pagesOf(id);
    await memory.undo(where(id), null);
    expect((await looks.view(where(id))).plan).toEqual(before);
    await memory.redo(where(id), record?.id as never);
    expect((await looks.view(where(id))).plan).toEqual(made);
    await restart();
    expect((await world.fixture.looks.view(where(id))).plan).toEqual(made);
  });
});

describe('after a refusal', () => {
  it('L16: with a reader that sees, pages come before a card, without any model, and the turn goes on', async () => {
    const real = { ...seeing };
    await beginSeeing({ compaction: noThresholds });
    answeringSeeing(prose, real);
    const id = await talk(18);
    real.contextWindow = 20_000;
    await send('Goes on?', id);
    expect(failures(id)).toEqual([]);
    expect(pagesOf(id)[0]?.receipt).toMatchObject({ trigger: 'overflow' });
    expect(cardRequests()).toEqual([]);
    expect(tokensOfBody(lastAsked())).toBeLessThan(20_000);
  });

  it('L16, L6c: a pass for bytes makes no pages', async () => {
    await beginSeeing({
      compaction: { maxRequestBytes: 64 * 1024, retainedBytes: 8 * 1024 },
      model: { ...seeing, contextWindow: 400_000 },
    });
    answeringSeeing(prose, { ...seeing, contextWindow: 400_000 });
    const id = await talk(20);
    expect(new Set(kinds(id))).toEqual(new Set(['card']));
    expect(records(id)[0]?.receipt.trigger).toBe('bytes');
  });
});

describe('the reader', () => {
  it.each([
    ['says nothing of sight', { ...seeing, id: 'm1', vision: undefined }],
    ['is blind', { ...seeing, vision: false }],
  ])('L1, S10: one that %s gets a card, never pages', async (_, model) => {
    await beginSeeing({ model: model as typeof seeing });
    answeringSeeing(prose);
    const id = await talk(22);
    expect(new Set(kinds(id))).toEqual(new Set(['card']));
    const end = await compact(id, 'snapshot');
    expect(end).toMatchObject({ failures: [{ rung: 'snapshot', reason: 'noVision' }] });
    expect(asked().flatMap(picturesIn)).toEqual([]);
  });

  it('S10: a model that does not see is sent the text of the pages, or a card where that is too much; the first one gets its pages again', async () => {
    await beginSeeing({ compaction: noThresholds });
    answeringSeeing(prose);
    const id = await talk(14);
    await compact(id, 'snapshot');
    setModels({ ...seeing, id: 'blind', vision: false });
    await send('Do you see?', id);
    expect(picturesIn(lastAsked())).toEqual([]);
    expect(wordsOf(lastAsked())).toContain('OAK-1001');
    expect((await world.fixture.looks.view(where(id))).memory).toBeNull();
    expect((await world.fixture.looks.view(where(id))).unsuited).toBe(1);
    expect(world.fixture.looks.marks(where(id)).marks).toEqual([]);
    setModels(seeing);
    expect(world.fixture.looks.marks(where(id)).marks).toMatchObject([{ kind: 'pages', isInForce: true }]);
    await send('And you?', id);
    expect(picturesIn(lastAsked()).length).toBeGreaterThan(0);
    setModels({ ...seeing, id: 'blind', vision: false, contextWindow: 12_000 });
    world.fixture.settings.compaction = {};
    await send('And with less room?', id);
    expect(picturesIn(lastAsked())).toEqual([]);
    expect(kinds(id)).toEqual(['pages', 'card']);
    expect(failures(id)).toEqual([]);
  });

  it('S2, S10: a model of another family gets pages of its own shape, never those of the other one', async () => {
    await beginSeeing({ model: roomy, compaction: noThresholds });
    answeringSeeing(longProse, roomy);
    const id = await talk(12);
    expect(await compact(id, 'snapshot')).toMatchObject({ type: 'done' });
    setModels({ ...roomy, id: 'claude-sonnet-4' });
    await send('Another reader.', id);
    expect(picturesIn(lastAsked())).toEqual([]);
    expect(await compact(id, 'snapshot')).toMatchObject({ type: 'done' });
    await send('And pages.', id);
    expect(new Set(picturesIn(lastAsked()).map((png) => sizeOfPng(png).width))).toEqual(new Set([1568]));
    setModels(roomy);
    await send('The first one again.', id);
    expect(new Set(picturesIn(lastAsked()).map((png) => sizeOfPng(png).width))).toEqual(new Set([768]));
    expect(pagesOf(id).map(({ body }) => body?.frame?.family)).toEqual(['gpt-4o', 'claude']);
    expect(failures(id)).toEqual([]);
  });

  it('X4, S10: pages whose picture is gone are not sent; the text is, and the person is told', async () => {
    await beginSeeing({ compaction: noThresholds });
    answeringSeeing(prose);
    const id = await talk(14);
    await compact(id, 'snapshot');
    world.fixture.blobs.remove(pagesOf(id)[0]?.body?.pages[0]?.hash as never);
    await send('What did you say first?', id);
    expect(picturesIn(lastAsked())).toEqual([]);
    expect(wordsOf(lastAsked())).toContain('OAK-1001');
    expect(notices()).toContain('contentLost');
    expect(failures(id)).toEqual([]);
  });

  it('L21: switched off, no automatic pass makes pages; by name they are made', async () => {
    await beginSeeing({ compaction: { snapshotMode: 'off' } });
    answeringSeeing(prose);
    const id = await talk(22);
    expect(new Set(kinds(id))).toEqual(new Set(['card']));
    await talk(12, id);
    const end = await compact(id, 'snapshot');
    expect(end).toMatchObject({ type: 'done', receipt: { record: { kind: 'pages' } } });
  });
});
