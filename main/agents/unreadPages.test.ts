// Pages that a server could not read, in turns that fit without them: they are offered once, not each turn (S10).
import { beforeEach, expect, it } from 'vitest';
import { chatError, chatStream } from '../../e2e/fixtures/scripts/chat';
import type { ConversationId } from '../../shared/model/ids';
import { plainCanvas, pngOf } from '../providers/pictures/pictureFixture';
import { beginSeeing, picturesIn, seeing, setModels, wordsOf } from './ladder/pagesFixture';
import { asked, failures, goodCard, isForCard, notices, over, route, send, signal, where, withWorld, world } from './ladder/passesFixture';

withWorld();

const roomy = { ...seeing, contextWindow: 100_000 };
const prose = (nth: number) =>
  Array.from({ length: 60 }, (_, at) => `Line ${at} of answer ${nth} says that OAK-${nth}-${at} went on.`).join('\n');
const shown = () => asked().map((request) => picturesIn(request).length);
const toPages = (id: ConversationId) => world.fixture.memory.compact(where(id), { rung: 'snapshot', focus: null }, signal);

/** Whether the server cannot read a page: those are high, other pictures are not. */
let isBlind = true;
let id: ConversationId;
beforeEach(async () => {
  isBlind = true;
  let nth = 0;
  await beginSeeing({ model: roomy, compaction: { threshold: null, requestThreshold: null, retainedTokens: 2000, retainedEnough: 500 } });
  world.server.script(route, (request) => {
    if (isForCard(request)) return chatStream([goodCard]);
    const hasPage = picturesIn(request).some((png) => png.readUInt32BE(16) > 100);
    return hasPage && isBlind ? chatError(400, 'Could not process image') : chatStream([prose(++nth)]);
  });
  id = await send('Begin.');
  for (let turn = 2; turn <= 14; turn++) id = await send(`Turn ${turn}`, id);
  expect(await toPages(id)).toMatchObject({ type: 'done' });
});

/** Pictures of each request of one turn. */
async function turn(text: string): Promise<number[]> {
  const before = asked().length;
  await send(text, id);
  return shown().slice(before);
}

it('S10: pages that were refused as pictures are offered in one request alone; later turns go with their text', async () => {
  expect(await turn('Do you see?')).toEqual([expect.any(Number), 0]);
  expect(await turn('And now?')).toEqual([0]);
  expect(await turn('And then?')).toEqual([0]);
  expect(wordsOf(asked().at(-1) ?? { body: '' })).toContain('OAK-1-1 ');
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
  expect(shown().at(-1)).toBe(1);
});

it('S10: other settings of the model, or other pages, are tried once more', async () => {
  await turn('Do you see?');
  setModels({ ...roomy, maxOutput: 1200 });
  expect(await turn('With other settings?')).toEqual([expect.any(Number), 0]);
  expect(await turn('Again?')).toEqual([0]);
  for (const text of ['More', 'And more', 'Still more']) await turn(text);
  await world.fixture.memory.undo(where(id), null);
  expect(await toPages(id)).toMatchObject({ type: 'done' });
  isBlind = false;
  const [pictures = 0] = await turn('With other pages?');
  expect(pictures).toBeGreaterThan(0);
});
