// What a worker may spend (M5), by the window of the model that works (L21). Pure.
import type { NumbersInForce } from '../../../../shared/model/compaction';

export type WorkerBudget = {
  steps: number;
  /** Tokens of its own context. */
  tokens: number;
  /** Left when it is told to finish, and when nothing but its card is taken. */
  warning: number;
  reserve: number;
};

type Numbers = Pick<NumbersInForce, 'workerSteps' | 'workerTokens' | 'workerWarning' | 'workerReserve'>;

/** Share of the window; estimates are estimates. */
const share = 0.9;

/** `cardTokens`: the card, which must fit into what is held back for it. */
export function workerBudget(numbers: Numbers, window: number, cardTokens: number): WorkerBudget {
  const tokens = Math.min(numbers.workerTokens, Math.floor(window * share));
  const scale = tokens / numbers.workerTokens;
  const reserve = Math.min(Math.max(Math.floor(numbers.workerReserve * scale), cardTokens + 100), Math.floor(tokens / 3));
  const warning = Math.max(Math.floor(numbers.workerWarning * scale), Math.floor(reserve * 1.5));
  return { steps: numbers.workerSteps, tokens, warning: Math.min(warning, Math.floor(tokens / 2)), reserve };
}
