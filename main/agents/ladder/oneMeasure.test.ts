// One measure before and after a change, at a provider that counts more than the estimate: what a pass says is what the ring shows until the next
// reply, and an undone pass leaves as many tokens as there were (L7, L17, L19).
import { expect, it } from 'vitest';
import { chatStream } from '../../../e2e/fixtures/scripts/chat';
import type { ConversationId } from '../../../shared/model/ids';
import { estimateTokens } from '../../../shared/text/estimateTokens';
import { words } from '../../context/ladder/ladderFixture';
import { answering, begin, compact, records, restart, send, where, withWorld, world } from './passesFixture';

withWorld();

/** Answers of 1,500 tokens; use is reported at twice the estimate. */
async function counted(): Promise<ConversationId> {
  await begin({ window: 100_000, compaction: { retainedTokens: 4000, retainedEnough: 500 } });
  answering(100_000, ({ body }, nth) => {
    const text = words(1500, `a${nth}`);
    return chatStream([text], { usage: { prompt_tokens: estimateTokens(body) * 2, completion_tokens: estimateTokens(text) * 2 } });
  });
  const id = await send('One');
  for (let turn = 1; turn <= 6; turn++) await send(`Turn ${turn}`, id);
  return id;
}

const shown = async (id: ConversationId) => [
  (await world.fixture.looks.view(where(id))).tokens,
  (await world.fixture.looks.measure(where(id)))?.tokens,
];

it('L17, L7: the ring has the estimate of the pass until the next reply, also after a restart', async () => {
  const id = await counted();
  const end = await compact(id, 'summary');
  const after = end.type === 'done' ? end.receipt.record?.receipt.tokensAfter : undefined;
  expect(await shown(id)).toEqual([after, after]);
  await restart();
  expect(await shown(id)).toEqual([after, after]);
});

it('L19, L7: undone, there are as many tokens as before, within the digits of an estimate', async () => {
  const id = await counted();
  const [before = 0] = await shown(id);
  await compact(id, 'summary');
  await world.fixture.memory.undo(where(id), null);
  const [again = 0] = await shown(id);
  expect(Math.abs(again - before)).toBeLessThan(before * 0.05);
});

it('L17, M7: a card that is changed by hand says what the request was and what it is', async () => {
  const id = await counted();
  await compact(id, 'summary');
  const [before] = await shown(id);
  const card = records(id).at(-1);
  if (!card) throw new Error('no card');
  await world.fixture.memory.edit(where(id), card.id, `## Task\n${words(300, 'more')}`);
  const { receipt } = records(id).at(-1) ?? {};
  expect(receipt?.tokensBefore).toBe(before);
  expect(await shown(id)).toEqual([receipt?.tokensAfter, receipt?.tokensAfter]);
  expect(receipt?.bytesAfter).toBeGreaterThan(receipt?.bytesBefore ?? Number.NaN);
});

it('L7, T7: what is reported next counts, whatever was said of the estimate before', async () => {
  const id = await counted();
  await compact(id, 'summary');
  answering(100_000, ({ body }) => chatStream(['short'], { usage: { prompt_tokens: estimateTokens(body), completion_tokens: 1 } }));
  await send('Go on', id);
  const { tokens, reported } = await world.fixture.looks.view(where(id));
  expect(reported).toBe(true);
  const sent = world.server.requests.at(-1)?.body ?? '';
  expect(tokens).toBeLessThan(estimateTokens(sent) * 1.1);
});
