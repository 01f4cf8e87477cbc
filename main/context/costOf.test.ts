import { expect, it } from 'vitest';
import { costOf } from './costOf';

const prices = { inputPrice: 1.25, outputPrice: 10, cachedInputPrice: 0.125 };

it.each<[what: string, Parameters<typeof costOf>, number | undefined]>([
  ['input and output', [{ input: 2_000_000, output: 100_000 }, prices], 3.5],
  ['cached input at its own price', [{ input: 1_000_000, output: 0, cachedInput: 800_000 }, prices], 0.35],
  [
    'cached input in full where its price is not known',
    [
      { input: 1_000_000, output: 0, cachedInput: 800_000 },
      { inputPrice: 2, outputPrice: 8 },
    ],
    2,
  ],
  ['more cached than read, as some servers count', [{ input: 100_000, output: 0, cachedInput: 900_000 }, prices], 0.0125],
  [
    'a free model',
    [
      { input: 5000, output: 5000 },
      { inputPrice: 0, outputPrice: 0 },
    ],
    0,
  ],
  ['no price at all', [{ input: 5000, output: 5000 }, {}], undefined],
  ['one price that is needed is missing', [{ input: 5000, output: 1 }, { inputPrice: 1 }], undefined],
  ['a price that is not needed is missing', [{ input: 1_000_000, output: 0 }, { inputPrice: 1 }], 1],
  ['nothing was used', [{ input: 0, output: 0 }, {}], 0],
])('L17: %s', (_what, args, cost) => {
  const found = costOf(...args);
  if (cost === undefined) expect(found).toBeUndefined();
  else expect(found).toBeCloseTo(cost, 9);
});
