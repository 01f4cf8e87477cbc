// Readers that are said to see, and whose servers refuse pages: the talk goes on without them, and nothing of it is lost (S10, L16).
import { expect, it } from 'vitest';
import { chatError, chatStream } from '../../../e2e/fixtures/scripts/chat';
import { plainCanvas, pngOf } from '../../providers/pictures/pictureFixture';
import {
  answeringSeeing,
  answerWithin,
  beginSeeing,
  lastAsked,
  picturesIn,
  prose,
  seeing,
  shownPictures,
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
  kinds,
  noThresholds,
  notices,
  over,
  passes,
  restart,
  route,
  send,
  withWorld,
  world,
} from './passesFixture';

withWorld();

const { vision: _, ...listed } = seeing;
const noImages = 'This model does not support image inputs.';
/** Takes no request with more pictures than `most`. */
function refusing(most: number, words: string, window = 32_000): void {
  let nth = 0;
  world.server.script(route, (request) => {
    if (isForCard(request)) return chatStream([goodCard]);
    if (picturesIn(request).length > most) return chatError(400, words);
    const tokens = tokensOfBody(request);
    return answerWithin(window, tokens, () => prose(++nth));
  });
}
const told = () => notices().filter((code) => code.startsWith('images'));

it('S10, L16: pages that are refused give way to a card in the same turn; no page is sent again, also after a restart', async () => {
  await beginSeeing({ model: listed });
  refusing(0, noImages);
  const id = await talk(24);
  expect(failures(id)).toEqual([]);
  expect(kinds(id).slice(0, 2)).toEqual(['pages', 'card']);
  expect(shownPictures().filter((count) => count > 0)).toHaveLength(1);
  expect(told()).toEqual(['imagesNotTaken']);
  await world.fixture.models.forgetLimit('nobody/nothing');
  await restart();
  await talk(20, id);
  expect(failures(id)).toEqual([]);
  expect(kinds(id).filter((kind) => kind === 'pages')).toHaveLength(1);
  expect(shownPictures().filter((count) => count > 0)).toHaveLength(1);
});

it('S10: forgotten, the reader is sent its pages again', async () => {
  await beginSeeing({ model: listed, compaction: noThresholds });
  refusing(0, noImages);
  const id = await talk(14);
  await compact(id, 'snapshot');
  await send('Do you see?', id);
  expect(
    shownPictures()
      .slice(-2)
      .map((count) => count > 0),
  ).toEqual([true, false]);
  expect(wordsOf(lastAsked())).toContain('OAK-1001');
  await world.fixture.models.forgetLimit(`local/${listed.id}`);
  answeringSeeing(prose);
  await send('And now?', id);
  expect(shownPictures().at(-1)).toBeGreaterThan(0);
  expect(failures(id)).toEqual([]);
});

it('S10, L7: a person’s word that it sees: each turn goes on without pages when they are refused', async () => {
  await beginSeeing();
  refusing(0, noImages);
  const id = await talk(24);
  expect(failures(id)).toEqual([]);
  expect(kinds(id)).toContain('card');
  expect(new Set(told())).toEqual(new Set(['imagesNotTakenNow']));
  expect(passes(id).every(({ outcome }) => outcome === 'committed')).toBe(true);
});

it('P7, S10: a server that takes only so many images gets no more pages than leave room for the newest pictures', async () => {
  await beginSeeing({ model: listed });
  refusing(4, 'At most 4 image(s) may be provided in one request.');
  const id = await talk(26);
  expect(failures(id)).toEqual([]);
  expect(told()).toEqual(['imagesTooMany']);
  expect(shownPictures().filter((count) => count > 4)).toHaveLength(1);
  expect(shownPictures().at(-1)).toBeLessThanOrEqual(1);
  expect(wordsOf(lastAsked())).toContain('[What you remember.');
});

it('P7, S10: pages that a server cannot read are never left out one by one: older messages go as a card in that turn', async () => {
  await beginSeeing({ model: listed });
  refusing(0, 'Could not process image');
  const id = await talk(24);
  expect(failures(id)).toEqual([]);
  expect(new Set(told())).toEqual(new Set());
  expect(notices()).toContain('pagesLeftOut');
  expect(kinds(id)).toContain('card');
  expect(asked().some(({ body }) => body.includes('An image was left out'))).toBe(false);
  expect(world.fixture.models.modelInfo(`local/${listed.id}`)).not.toHaveProperty('learned');
});

it('S10, L16: without images the turn is more than the window holds: it gets over that with a card, not with pages', async () => {
  await beginSeeing({ compaction: noThresholds });
  answeringSeeing(prose);
  const id = await talk(18);
  refusing(0, noImages, 16_000);
  const bytes = pngOf(plainCanvas(8, 8));
  const hash = await world.fixture.blobs.write(bytes, 'image/png');
  const picture = { type: 'image' as const, hash, mime: 'image/png', name: 'oak.png', size: bytes.length, width: 8, height: 8 };
  const asking = { conversationId: id, text: 'What is this?', attachments: [picture], agentId: null };
  await over(world.fixture.scheduler.start(asking).stepId);
  expect(failures(id)).toEqual([]);
  expect(kinds(id)).toEqual(['card']);
  expect(shownPictures().slice(-3)).toEqual([1, 0, 0]);
});
