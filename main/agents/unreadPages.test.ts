// Pages that a server could not read, in turns that fit without them: they are offered once, not each turn (S10).
import { beforeEach, expect, it } from 'vitest';
import { chatError, chatStream } from '../../e2e/fixtures/scripts/chat';
import type { ConversationId } from '../../shared/model/ids';
import { plainCanvas, pngOf } from '../providers/pictures/pictureFixture';
import { beginSeeing, lastAsked, picturesIn, prose, roomy, setModels, shownPictures, talk, wordsOf } from './ladder/pagesFixture';
import {
  asked,
  compact,
  failures,
  goodCard,
  isForCard,
  noThresholds,
  notices,
  over,
  route,
  send,
  where,
  withWorld,
  world,
} from './ladder/passesFixture';

withWorld();

/** Whether the server cannot read a page: those are high, other pictures are not. */
let isBlind = true;
let id: ConversationId;
beforeEach(async () => {
  isBlind = true;
  let nth = 0;
  await beginSeeing({ model: roomy, compaction: { ...noThresholds, retainedTokens: 2000, retainedEnough: 500 } });
  world.server.script(route, (request) => {
    if (isForCard(request)) return chatStream([goodCard]);
    const hasPage = picturesIn(request).some((png) => png.readUInt32BE(16) > 100);
    return hasPage && isBlind ? chatError(400, 'Could not process image') : chatStream([prose(++nth)]);
  });
  id = await talk(14);
  expect(await compact(id, 'snapshot')).toMatchObject({ type: 'done' });
});

/** Pictures of each request of one turn. */
async function turn(text: string): Promise<number[]> {
  const before = asked().length;
  await send(text, id);
  return shownPictures().slice(before);
}

it('S10: pages that were refused as pictures are offered in one request alone; later turns go with their text', async () => {
  expect(await turn('Do you see?')).toEqual([expect.any(Number), 0]);
  expect(await turn('And now?')).toEqual([0]);
  expect(await turn('And then?')).toEqual([0]);
  expect(wordsOf(lastAsked())).toContain('OAK-1001 ');
  expect(notices().filter((code) => code === 'pagesLeftOut')).toHaveLength(1);
  expect(failures(id)).toEqual([]);
});

it('S10: other pictures are sent as ever in the next turn', async () => {
  await turn('Do you see?');
  const bytes = pngOf(plainCanvas(8, 8));
  const hash = await world.fixture.blobs.write(bytes, 'image/png');
  const picture = { type: 'image' as const, hash, mime: 'image/png', name: 'oak.png', size: bytes.length, width: 8, height: 8 };
  const asking = { conversationId: id, text: 'What is this?', attachments: [picture], agentId: null };
  await over(world.fixture.scheduler.start(asking).stepId);
  expect(shownPictures().at(-1)).toBe(1);
});

it('S10: other settings of the model, or other pages, are tried once more', async () => {
  await turn('Do you see?');
  setModels({ ...roomy, maxOutput: 1200 });
  expect(await turn('With other settings?')).toEqual([expect.any(Number), 0]);
  expect(await turn('Again?')).toEqual([0]);
  for (const text of ['More', 'And more', 'Still more']) await turn(text);
  await world.fixture.memory.undo(where(id), null);
  expect(await compact(id, 'snapshot')).toMatchObject({ type: 'done' });
  isBlind = false;
  const [pictures = 0] = await turn('With other pages?');
  expect(pictures).toBeGreaterThan(0);
});
