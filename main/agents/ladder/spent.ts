// What the calls of a summarizing model took together (L17). Pure.
import type { Usage } from '../../../shared/model/message';
import type { ModelInfo } from '../../../shared/model/provider';
import { costOf } from '../../context/costOf';

export type Spent = { spent?: { input: number; output: number } | undefined; cost?: number | undefined };

/** Empty where no call reported its use; no cost where a price is not known. */
export function spentOf(usages: readonly Usage[], prices: ModelInfo | null): Spent {
  if (usages.length === 0) return {};
  const sum = { input: 0, output: 0, cachedInput: 0 };
  for (const { input, output, cachedInput = 0 } of usages) {
    sum.input += input;
    sum.output += output;
    sum.cachedInput += cachedInput;
  }
  const spent = { input: sum.input, output: sum.output };
  const cost = prices ? costOf(sum, prices) : undefined;
  return cost === undefined ? { spent } : { spent, cost };
}

/** Both by the same model. */
export function together(one: Spent, other: Spent): Spent {
  if (!one.spent) return { spent: other.spent, cost: other.cost };
  if (!other.spent) return { spent: one.spent, cost: one.cost };
  const spent = { input: one.spent.input + other.spent.input, output: one.spent.output + other.spent.output };
  return one.cost === undefined || other.cost === undefined ? { spent } : { spent, cost: one.cost + other.cost };
}
