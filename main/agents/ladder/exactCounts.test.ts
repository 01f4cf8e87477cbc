// Exact counts take the place of estimates, once for each message (N10, L7).
import { expect, it } from 'vitest';
import { imagePriceOf } from '../../context/imagePrice';
import { contextOf, type Entry, pathOf } from '../../context/ladder/ladderFixture';
import { weigh } from '../../context/ladder/weigh';
import { loadCounter } from '../../context/tokens/exact';
import { createTokenCounter } from '../../context/tokens/tokenCounter';
import { quietLogger } from '../agentsFixture';
import { ExactCounts } from './exactCounts';

async function counting() {
  const count = await loadCounter('o200k');
  const asked: string[] = [];
  const counter = createTokenCounter(async ({ texts }) => {
    asked.push(...texts);
    return texts.map(count);
  });
  return { asked, count, exact: new ExactCounts(counter, quietLogger) };
}

it('N10, L7: a model whose tokenizer is known is weighed by it, each text counted once; images keep their price', async () => {
  const { asked, count, exact } = await counting();
  const entries: Entry[] = [
    { kind: 'user', tokens: 200, image: true },
    { kind: 'call', tokens: 500 },
    { kind: 'answer', tokens: 50 },
  ];
  const context = contextOf(pathOf(entries));
  const image = imagePriceOf({})({});
  const before = weigh({ context }).estimate;
  await exact.learn({ context, model: { id: 'gpt-5' } });
  const after = weigh({ context }).estimate;
  expect(after).not.toBe(before);
  const texts = [...asked];
  expect(after).toBe(texts.reduce((sum, text) => sum + count(text), 0) + 4 * 4 + image);
  await exact.learn({ context, model: { id: 'gpt-5' } });
  expect(asked).toEqual(texts);
});

it('N10: other models are estimated; a thread that breaks changes nothing', async () => {
  const { asked, exact } = await counting();
  const context = contextOf(pathOf([{ kind: 'user', tokens: 200 }]));
  await exact.learn({ context, model: { id: 'claude-opus-5' } });
  expect(asked).toEqual([]);
  const broken = new ExactCounts(
    createTokenCounter(() => Promise.reject(new Error('gone'))),
    quietLogger,
  );
  const before = weigh({ context });
  await broken.learn({ context, model: { id: 'gpt-5' } });
  expect(weigh({ context })).toEqual(before);
});
