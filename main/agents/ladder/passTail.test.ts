// How much of the newest messages a pass leaves word for word, whoever wrote them (L8, L21).
import { expect, it } from 'vitest';
import type { MessageId } from '../../../shared/model/ids';
import type { MemoryRecord } from '../../../shared/model/memoryRecord';
import { words } from '../../context/ladder/ladderFixture';
import { readPath } from '../../store/messages';
import { answering, answerOf, begin, records, send, tipOf, withWorld, world } from './passesFixture';

withWorld();

const window = 32_000;

/** Turns of two long messages, until a pass made a card; then what of the path it left. */
async function afterPass(request: number, answer: number): Promise<{ card: MemoryRecord; tail: MessageId[]; steps: number }> {
  await begin({ window });
  answering(window, answerOf(answer));
  const id = await send(words(request, 'first'));
  for (let turn = 1; turn <= 40; turn++) {
    await send(words(request, `turn${turn}`), id);
    const card = records(id).find(({ kind }) => kind === 'card');
    if (!card) continue;
    const path = readPath(world.fixture.db, tipOf(id));
    const folded = new Set(card.folded);
    // The answer to the request that the pass was made for came after it.
    const tail = path.slice(1, -1).filter((message) => !folded.has(message.id));
    return { card, tail: tail.map((message) => message.id), steps: tail.filter(({ role }) => role === 'assistant').length };
  }
  throw new Error('no pass ran');
}

it('L8, L21: the tail is as long where requests are long as where answers are', async () => {
  const both = await afterPass(1000, 1000);
  // A fifth of the window: six messages of 1,000 tokens, the request that is to be answered among them.
  expect(both.steps).toBe(3);
  expect(both.card.receipt.tokensAfter).toBeGreaterThan(5000);
});

it('L8, L21: a request far longer than its answer costs the tail no step that fits', async () => {
  const { steps, card } = await afterPass(1800, 200);
  expect(steps).toBeGreaterThanOrEqual(2);
  expect(card.receipt.tokensAfter).toBeLessThan(0.8 * 0.7 * window);
});
