// Pages cost what their formula says, however many tokens a provider makes of a text (S3, L4, L7, K2).
import { expect, it } from 'vitest';
import { chatStream } from '../../../e2e/fixtures/scripts/chat';
import type { ConversationId } from '../../../shared/model/ids';
import { estimateTokens } from '../../../shared/text/estimateTokens';
import { beginSeeing, lastAsked, picturesIn, prose, seeing, talk, wordsOf } from './pagesFixture';
import { asked, compact, isForCard, kinds, records, route, where, withWorld, world } from './passesFixture';

withWorld();

const dear = 1.4;

async function dearTalk(turns: number): Promise<ConversationId> {
  await beginSeeing({ model: { ...seeing, id: 'claude-sonnet-4-5', contextWindow: 64_000 } });
  let nth = 0;
  world.server.script(route, (request) => {
    const text = prose(++nth);
    const priced = Math.ceil(estimateTokens(wordsOf(request)) * dear) + picturesIn(request).length * 1572;
    return chatStream([text], { usage: { prompt_tokens: priced, completion_tokens: Math.ceil(estimateTokens(text) * dear) } });
  });
  return talk(turns);
}

it('L4, S3, L1: a reader that makes more tokens of a text gets pages all the more, and no card', async () => {
  const id = await dearTalk(30);
  expect(kinds(id)).toContain('pages');
  expect(world.server.requests.filter(isForCard)).toEqual([]);
  const [first] = records(id).filter(({ kind }) => kind === 'pages');
  expect(first?.receipt.tokensAfter).toBeLessThanOrEqual(0.8 * 0.7 * 64_000);
});

it('L7, L17: what a pass says of pages is what the provider counts then', async () => {
  const id = await dearTalk(14);
  await compact(id, 'snapshot');
  const after = records(id).at(-1)?.receipt.tokensAfter ?? 0;
  await talk(1, id);
  const pages = picturesIn(lastAsked()).length;
  expect(pages).toBeGreaterThan(0);
  const counted = Math.ceil(estimateTokens(wordsOf(lastAsked())) * dear) + pages * 1572;
  expect(Math.abs(after - counted)).toBeLessThan(counted * 0.06);
});

it('K2: the preview of pages is near what they save', async () => {
  const id = await dearTalk(14);
  const previews = await world.fixture.looks.preview(where(id));
  const pages = previews.find(({ rung }) => rung === 'snapshot');
  const end = await compact(id, 'snapshot');
  const receipt = end.type === 'done' ? end.receipt.record?.receipt : undefined;
  expect(pages?.why).toBeNull();
  const saved = (receipt?.tokensBefore ?? 0) - (receipt?.tokensAfter ?? 0);
  expect(saved).toBeGreaterThan(1000);
  expect(Math.abs((pages?.saves ?? 0) - saved)).toBeLessThan(saved * 0.25);
  expect(asked().length).toBe(14);
});
