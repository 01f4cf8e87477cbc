// What the passes are asked for that nobody began by hand: which rungs, and what they must get under (L1, L6, L16). Pure.
import type { NumbersInForce } from '../../../shared/model/compaction';
import type { Due } from '../../context/ladder/due';
import type { Weight } from '../../context/ladder/weigh';
import type { PassOrder } from './ladderDeps';

const allRungs = ['elide', 'images', 'snapshot', 'summary'] as const;
/** A refusal for bytes drops images first and makes no pages (L16). */
const rungsFor = (measure: PassOrder['measure']) => (measure === 'bytes' ? (['images', 'elide', 'summary'] as const) : allRungs);

export function dueOrder(due: Due): PassOrder {
  return { ...due, rungs: rungsFor(due.measure), isThorough: false, mode: 'auto', focus: null };
}

/** For a request that was refused, or cannot be sent. */
export function overflowOrder(measure: PassOrder['measure'], line: number, mode: 'simple' | 'none'): PassOrder {
  return { trigger: 'overflow', measure, line, rungs: rungsFor(measure), isThorough: false, mode, focus: null };
}

/** Where such a request must get under, in tokens. */
export function tokenLine({ window, requestThreshold }: NumbersInForce, weight: Weight): number {
  if (window === null) return weight.tokens * 0.6;
  return Math.min(requestThreshold ?? window * 0.85, window * 0.85);
}
