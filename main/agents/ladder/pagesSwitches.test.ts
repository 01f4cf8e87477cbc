// Real turns under readers that change: who is sent pages, of which size and from which text, and that the same place gives the same bytes (S10, S2, S3, L9).
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { chatStream } from '../../../e2e/fixtures/scripts/chat';
import type { MessageId } from '../../../shared/model/ids';
import type { MemoryRecord } from '../../../shared/model/memoryRecord';
import { textOf } from '../../../shared/model/message';
import type { ModelInfo } from '../../../shared/model/provider';
import { shapeFor } from '../../context/snapshot/shapes';
import { pictureLimits } from '../../providers/pictures/readers';
import { removeLabel, removePin, setLabel, setPin } from '../../store/marks';
import { getMessage, readPath } from '../../store/messages';
import { moveTip } from '../../store/tips';
import {
  answeringSeeing,
  answerWithin,
  beginSeeing,
  longProse,
  picturesIn,
  prose,
  roomy,
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
  goodCard,
  isForCard,
  noThresholds,
  over,
  records,
  restart,
  route,
  send,
  tipOf,
  where,
  withWorld,
  world,
} from './passesFixture';

withWorld();

const window = { contextWindow: 32_000, maxOutput: 1000 };
const models: readonly ModelInfo[] = [
  { id: 'gpt-4o', vision: true, ...window },
  { id: 'claude-sonnet-4', vision: true, ...window },
  { id: 'gemini-2.5-flash', vision: true, ...window },
  { id: 'nobody-knows-7b', vision: true, ...window },
  { id: 'nobody-tells-7b', ...window },
  { id: 'blind-7b', vision: false, ...window },
];
const modelOf = (id: string) => models.find((one) => one.id === id) as ModelInfo;
const reader = (id: string) => ({ modelId: id, kind: 'openai-chat' as const, baseUrl: `${world.server.url}/v1` });
const idOf = ({ body }: { body: string }) => (JSON.parse(body) as { model: string }).model;

/** Refuses what does not fit the window, by the price that the asked model has for pictures. */
function answeringAll(): void {
  let nth = 0;
  world.server.script(route, (request) => {
    if (isForCard(request)) return chatStream([goodCard]);
    const tokens = tokensOfBody(request, idOf(request));
    return answerWithin(window.contextWindow, tokens, () => prose(++nth));
  });
}

/** The agent asks this one; all of them stay known. */
function turnTo(id: string): void {
  setModels(modelOf(id), ...models.filter((one) => one.id !== id));
}

/** One request, by what is known of its model alone. */
function expectSuited(request: { body: string }): number {
  const id = idOf(request);
  const pictures = picturesIn(request).map(sizeOfPng);
  if (modelOf(id).vision !== true) expect(pictures, id).toEqual([]);
  if (pictures.length === 0) return 0;
  const shape = shapeFor(reader(id));
  const most = pictureLimits(id, reader(id));
  expect(pictures.length).toBeLessThanOrEqual(Math.min(shape?.pages ?? 0, most.count));
  for (const { width, height } of pictures) {
    expect([id, width, height <= (shape?.height ?? 0)]).toEqual([id, shape?.width, true]);
    // Nobody makes it smaller on the way.
    expect([Math.max(width, height) <= most.longestSide, width * height <= most.pixels]).toEqual([true, true]);
  }
  return pictures.length;
}

/** What pages say is what was said, never what an earlier card or page said of it; ids from them stand beside them as text. */
async function expectFromText(record: MemoryRecord): Promise<void> {
  const { pages = [], frame } = record.body ?? {};
  const texts = await Promise.all(pages.map(({ textHash }) => world.fixture.blobs.read(textHash as never)));
  const printed = texts
    .map((bytes) => new TextDecoder().decode(bytes))
    .join('')
    .replaceAll('\u2588', '\n');
  const told = `${frame?.head}\n${printed}${frame?.tail}`.replaceAll(/\s+/g, ' ');
  const messages = record.folded.map((id) =>
    textOf(getMessage(world.fixture.db, id) as never)
      .replaceAll(/\s+/g, ' ')
      .trim(),
  );
  if (record.receipt.pages?.dropped === 0) for (const text of messages) expect(told).toContain(text);
  expect(told).not.toContain('Answer the turns.');
  const facts = [...(frame?.legend.matchAll(/^- (.+)$/gm) ?? [])].map(([, fact]) => fact ?? '');
  expect(facts.length).toBeGreaterThan(5);
  for (const fact of facts) expect(printed).toContain(fact);
}

it('S10, S2, S3, S8: always: over any switches each request has pages of its own reader or none, in sizes that are passed on as they are, made of what was said', async () => {
  await beginSeeing();
  const seen = { pages: 0, readers: new Set<string>(), blind: 0, made: 0 };
  const steps = fc.record({
    which: fc.nat(models.length - 1),
    turns: fc.integer({ min: 1, max: 6 }),
    hand: fc.constantFrom(null, null, 'snapshot' as const, 'summary' as const),
    undo: fc.constantFrom(false, false, true),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(steps, { minLength: 8, maxLength: 10 }), async (all) => {
      turnTo('gpt-4o');
      answeringAll();
      const before = asked().length;
      const id = await talk(18);
      // Pages are there in each run, whatever comes then.
      await compact(id, 'snapshot');
      await send('Once more.', id);
      for (const { which, turns, hand, undo } of all) {
        turnTo(models[which]?.id ?? 'gpt-4o');
        if (hand) await compact(id, hand);
        for (let turn = 0; turn < turns; turn++) await send(`And turn ${turn}?`, id);
        if (undo && records(id).some((record) => !record.undone)) await world.fixture.memory.undo(where(id), null).catch(() => undefined);
      }
      for (const request of asked().slice(before)) {
        const count = expectSuited(request);
        seen.pages += count;
        if (count > 0) seen.readers.add(idOf(request));
        if (modelOf(idOf(request)).vision !== true) seen.blind += 1;
      }
      for (const record of records(id).filter(({ kind }) => kind === 'pages')) {
        seen.made += 1;
        await expectFromText(record);
      }
      expect(failures(id).filter(({ code }) => code !== 'overflowTokens')).toEqual([]);
    }),
    { numRuns: 4 },
  );
  expect(seen.pages).toBeGreaterThan(5);
  expect(seen.readers.size).toBeGreaterThan(1);
  expect(seen.blind).toBeGreaterThan(0);
  expect(seen.made).toBeGreaterThan(0);
}, 120_000);

it('L9, L10: the same place asks with the same bytes: after a restart, marks, a move away and back, another reader and back', async () => {
  await beginSeeing({ model: roomy, compaction: noThresholds });
  answeringSeeing(longProse, roomy);
  const id = await talk(8);
  await compact(id, 'snapshot');
  await send('What now?', id);
  const request = readPath(world.fixture.db, tipOf(id)).at(-2)?.id as MessageId;
  const body = () => asked().at(-1)?.body ?? '';
  const first = body();
  expect(picturesIn({ body: first }).length).toBeGreaterThan(1);
  const again = async () => {
    await over(world.fixture.scheduler.regenerate({ conversationId: id, messageId: request }).stepId);
    return body();
  };
  expect(await again()).toBe(first);
  await restart();
  expect(await again()).toBe(first);
  const path = readPath(world.fixture.db, tipOf(id)).map((one) => one.id);
  for (const messageId of path.slice(0, 6)) {
    const place = { conversationId: id, messageId };
    setLabel(world.fixture.db, { ...place, label: 'here', now: 1 });
    setPin(world.fixture.db, { ...place, now: 1 });
    removePin(world.fixture.db, place);
    removeLabel(world.fixture.db, place);
  }
  expect(await again()).toBe(first);
  moveTip(world.fixture.db, { conversationId: id, to: path[3] as MessageId });
  await send('On another branch.', id);
  expect(picturesIn({ body: body() })).toEqual([]);
  moveTip(world.fixture.db, { conversationId: id, to: request });
  expect(await again()).toBe(first);
  setModels({ ...roomy, id: 'blind', vision: false });
  const blind = await again();
  expect([picturesIn({ body: blind }), wordsOf({ body: blind }).includes('OAK-1001')]).toEqual([[], true]);
  setModels(roomy);
  expect(await again()).toBe(first);
  const [record] = records(id);
  await world.fixture.memory.undo(where(id), record?.id ?? null);
  expect(picturesIn({ body: await again() })).toEqual([]);
  await world.fixture.memory.redo(where(id), record?.id as never);
  expect(await again()).toBe(first);
}, 60_000);
