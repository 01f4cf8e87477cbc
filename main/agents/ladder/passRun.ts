// What the rungs of one pass share: what it was asked, what was weighed before, when it is small enough, and the commit in one write (L1, L11).
import type { NumbersInForce } from '../../../shared/model/compaction';
import type { MemoryRecord } from '../../../shared/model/memoryRecord';
import type { Rung, RungFailure, RunningPass } from '../../../shared/model/memoryView';
import { guardRequest } from '../../context/ladder/guard';
import type { Omissions, RecordFacts } from '../../context/ladder/records';
import { type Weight, weigh } from '../../context/ladder/weigh';
import { type Standpoint, standpointOf } from '../answering';
import { commitRecord, type modelNow } from './commitRecord';
import type { LadderDeps, PassOrder, PassResult } from './ladderDeps';
import { timeOn } from './timeOn';

export type PassArgs = {
  stand: Standpoint;
  numbers: NumbersInForce;
  /** Estimates are raised by what a refusal said (L16). */
  raised: number;
  order: PassOrder;
  signal: AbortSignal;
  /** Told which rung it is at. */
  onRung(rung: Rung, worker?: RunningPass['worker']): void;
};

export type Run = PassArgs & {
  deps: LadderDeps;
  facts: RecordFacts;
  before: Weight;
  failures: RungFailure[];
  model: ReturnType<typeof modelNow>;
};
/** What the free rungs left out so far. */
export type Draft = { omissions: Omissions; stand: Standpoint; record: MemoryRecord | null; weight: Weight };

export function isEnough({ order, numbers }: Run, weight: Weight): boolean {
  return order.line !== null && weight[order.measure] <= order.line * numbers.recoveryShare;
}

export function fail({ deps, failures, stand }: Run, rung: Rung, reason: string): void {
  failures.push({ rung, reason });
  const { conversationId, agentId } = stand;
  if (!isIdle(reason)) deps.publish({ type: 'context.compaction_failed', conversationId, agentId, rung, reason });
}

/** A rung that has nothing to do here, or may not, has not failed. */
const idle: ReadonlySet<string> = new Set(['off', 'noVision', 'reader', 'short', 'notCheaper', 'noRoom']);
export const isIdle = (reason: string): boolean => idle.has(reason);

export function withRecord(stand: Standpoint, record: MemoryRecord): Standpoint {
  return standpointOf({ ...stand, records: [...(stand.records ?? []), record] });
}

/** Measured as the request before the pass was. */
export function weightWith({ raised, before }: Run, { context }: Standpoint): Weight {
  return weigh({ context, raised, scale: before.scale });
}

/** Of a record that is made now. */
export function factsNow({ facts, stand, deps }: Run): RecordFacts {
  return { ...facts, now: timeOn(stand, deps.now()) };
}

/** What the estimate of a request must not be above: where the pass would end above its line, or leave no less than there was (L11, L13). */
export function goalOf({ order, numbers, before }: Run): number | null {
  if (order.measure === 'bytes') return null;
  return (order.line === null ? before.tokens - 1 : order.line * numbers.recoveryShare) / before.scale;
}

/** Why it may not be committed (L11): it must be smaller in the measure that fired, and fit. */
export function refusal({ before, order }: Run, stand: Standpoint, weight: Weight): string | null {
  if (weight[order.measure] >= before[order.measure]) return 'notSmaller';
  const verdict = guardRequest({ context: stand.context, weight, agent: stand.agent, model: stand.model });
  return verdict.type === 'fits' ? null : 'doesNotFit';
}

export function commit({ deps, stand, failures, model }: Run, record: MemoryRecord, now: number, standIn: boolean): PassResult {
  const stored = { ...record, receipt: { ...record.receipt, createdAt: now } };
  if (!commitRecord(deps, stand, stored, model)) return { type: 'discarded' };
  return { type: 'committed', stand: withRecord(stand, stored), record: stored, failures, standIn };
}
