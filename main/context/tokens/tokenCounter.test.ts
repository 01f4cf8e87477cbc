import { afterEach, beforeAll, expect, it } from 'vitest';
import { type AskedWorker, openAskedWorker } from '../../lib/askedWorker';
import { buildEntry } from '../../workspace/childFixture';
import { corpus } from './corpusFixture';
import { loadCounter } from './exact';
import { type CountJob, createTokenCounter } from './tokenCounter';

let script: string;
let worker: AskedWorker | undefined;
beforeAll(async () => {
  script = await buildEntry('main/workers/tokens.ts');
});
afterEach(() => worker?.close());

it('N10: a thread counts as the library does, for both encodings', async () => {
  worker = openAskedWorker(script, { workerData: undefined, idle: 60_000 });
  const { countTokens } = createTokenCounter(worker.ask);
  const texts = [...Object.values(corpus), '', '<|endoftext|>'];
  const [o200k, cl100k] = await Promise.all([loadCounter('o200k'), loadCounter('cl100k')]);
  expect(await countTokens(texts)).toEqual(texts.map(o200k));
  expect(await countTokens(texts, 'cl100k')).toEqual(texts.map(cl100k));
});

it('N10: what was counted once is not asked again, the same text once only', async () => {
  const asked: CountJob[] = [];
  const { countTokens } = createTokenCounter(async (job) => {
    asked.push(job);
    return job.texts.map(({ length }) => length);
  });
  const long = 'word '.repeat(100);
  expect(await countTokens(['a', long, 'a', ''])).toEqual([1, 500, 1, 0]);
  expect(await countTokens([long, 'bb', `${long}!`])).toEqual([500, 2, 501]);
  await countTokens(['a'], 'cl100k');
  await countTokens([]);
  expect(asked.map(({ encoding, texts }) => [encoding, ...texts.map(({ length }) => length)])).toEqual([
    ['o200k', 1, 500, 0],
    ['o200k', 2, 501],
    ['cl100k', 1],
  ]);
});

it('N10: while a text is being counted, nobody asks for it again', async () => {
  let answer: (counts: number[]) => void = () => undefined;
  let asked = 0;
  const { countTokens } = createTokenCounter(() => {
    asked++;
    return new Promise((resolve) => {
      answer = resolve;
    });
  });
  const both = Promise.all([countTokens(['x']), countTokens(['x'])]);
  answer([7]);
  expect(await both).toEqual([[7], [7]]);
  expect(asked).toBe(1);
});

it('N10: a thread that broke is asked anew the next time', async () => {
  let breaks = true;
  const { countTokens } = createTokenCounter(async ({ texts }) => {
    if (breaks) throw new Error('the worker ended');
    return texts.map(() => 3);
  });
  await expect(countTokens(['x', 'y'])).rejects.toThrow('the worker ended');
  breaks = false;
  expect(await countTokens(['x', 'y'])).toEqual([3, 3]);
});

it('N10: an answer that is none is not believed', async () => {
  await expect(createTokenCounter(async () => [1]).countTokens(['x', 'y'])).rejects.toThrow();
});
