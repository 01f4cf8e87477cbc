// The free rung outside a pass (L2): what costs nothing to leave out is left out before a request, with a record of its own.
import type { NumbersInForce } from '../../../shared/model/compaction';
import { planElide } from '../../context/ladder/elide';
import { omissionRecord, weighed } from '../../context/ladder/records';
import type { Weight } from '../../context/ladder/weigh';
import { type Standpoint, standpointOf } from '../answering';
import { failureCode } from './commitRecord';
import type { LadderDeps } from './ladderDeps';
import { timeOn } from './timeOn';

/** The place as it is then; the same one where nothing is worth it. */
export function elideFreely(
  deps: LadderDeps,
  stand: Standpoint,
  numbers: NumbersInForce,
  weightOf: (stand: Standpoint) => Weight,
): Standpoint {
  const { records, context, pins } = stand;
  if (records === null) return stand;
  const before = weightOf(stand);
  const plan = planElide({
    sent: context.sent,
    before: context.layout.path.elided,
    pins,
    numbers,
    scale: before.scale,
    occasion: 'free',
  });
  if (!plan) return stand;
  const now = timeOn(stand, deps.now());
  const facts = { id: deps.newId('rec'), trigger: 'beforeCall' as const, turnId: stand.turnId, before, startedAt: now, now };
  const path = stand.built.map(({ id }) => id);
  const made = omissionRecord(path, facts, { elided: plan.elided, droppedImages: [] });
  const record = weighed(made, weightOf(standpointOf({ ...stand, records: [...records, made] })));
  try {
    deps.transcripts.append(stand, { type: 'record', record });
  } catch (error) {
    // A full disk keeps the request as it is: nothing is left out that is not on record.
    failureCode(error);
    return stand;
  }
  deps.publish({ type: 'memoryChanged', conversationId: stand.conversationId, agentId: stand.agentId });
  return standpointOf({ ...stand, records: [...records, record] });
}
