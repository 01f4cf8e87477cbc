// What a call cost in US dollars, by the count its provider reported and the prices as they are known (P2, L17). Pure.
import type { Usage } from '../../shared/model/message';
import type { ModelInfo } from '../../shared/model/provider';

const million = 1_000_000;

type Prices = Pick<ModelInfo, 'inputPrice' | 'outputPrice' | 'cachedInputPrice'>;

/**
 * Undefined where a price that is needed is not known; what is free costs 0. Input from the provider's cache counts at its own price where
 * that is known, else in full: better too much than too little. Reasoning is part of the output.
 */
export function costOf(usage: Pick<Usage, 'input' | 'output' | 'cachedInput'>, prices: Prices): number | undefined {
  const { inputPrice, outputPrice, cachedInputPrice = inputPrice } = prices;
  const cached = Math.min(usage.cachedInput ?? 0, usage.input);
  const parts = [
    [usage.input - cached, inputPrice],
    [cached, cachedInputPrice],
    [usage.output, outputPrice],
  ] as const;
  let cost = 0;
  for (const [tokens, price] of parts) {
    if (tokens === 0) continue;
    if (price === undefined) return undefined;
    cost += (tokens * price) / million;
  }
  return cost;
}
