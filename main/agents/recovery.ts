// After the end of the program: a live row whose step is in the transcript becomes that message, one that waits for the user's word waits on,
// any other becomes an interrupted message, so that what was on screen is still there (X2, X9, A4, R2).
import { FailureError, makeFailure } from '../../shared/model/failure';
import type { LiveStep } from '../../shared/model/live';
import type { Step } from '../../shared/model/transcript';
import { finishStep } from '../store/endStep';
import type { StoredCall } from '../store/liveCalls';
import { listLiveSteps, liveContent } from '../store/liveSteps';
import { holdOrphaned } from '../store/queuedMessages';
import { type BoundaryDeps, boundaryOf, stepOf, toMessage } from './boundary';
import { isPassing } from './patientWrite';
import { resultsOf } from './runCalls';
import { waitsForWord } from './runTurn';
import { effectsOf, type FollowDeps } from './stepFollow';

export type RecoveryDeps = BoundaryDeps & FollowDeps;
/** How many steps had broken off, and those that wait on. */
export type Recovered = { broken: number; waiting: LiveStep[] };

/** Looks after every live row left by an earlier process. */
export async function recoverSteps(deps: RecoveryDeps): Promise<Recovered> {
  const recovered: Recovered = { broken: 0, waiting: [] };
  for (const live of listLiveSteps(deps.db, {})) {
    const written = await deps.transcripts.findStep(live, live.id).catch(whenUnusable);
    const left = liveContent(deps.db, live.id);
    if (written) unlessFull(deps, () => finishWritten(deps, live, written));
    else if (left && waitsForWord(left.calls)) recovered.waiting.push(live);
    else {
      recovered.broken++;
      unlessFull(deps, boundaryOf(deps, live, { type: 'step', step: interrupted(live, left, deps.now()) }));
    }
  }
  unlessFull(deps, () => holdOrphaned(deps.db));
  return recovered;
}

/** A workspace opens on a full disk, too: what cannot be written now is in its row and is looked after at the next opening. */
function unlessFull({ logger }: RecoveryDeps, write: () => unknown): void {
  try {
    write();
  } catch (error) {
    if (!isPassing(error)) throw error;
    logger.log('warn', 'what an earlier run left could not be looked after', { cause: error });
  }
}

/** The program ended between the two writes of the boundary: the second is made now, and the turn ends there. */
function finishWritten(deps: RecoveryDeps, live: LiveStep, written: { step: Step; file: number }): void {
  const { step, file } = written;
  const transcript = { agentId: live.agentId, file };
  finishStep(deps.db, { stepId: live.id, message: toMessage(live, step), tip: 'follow', transcript, ...effectsOf(deps, live, step) });
}

/** A transcript that cannot be opened says so when it is written. */
function whenUnusable(error: unknown): undefined {
  if (error instanceof FailureError) return undefined;
  throw error;
}

function interrupted(live: LiveStep, left: ReturnType<typeof liveContent>, now: number): Step {
  const content = left?.content ?? [];
  const failure = makeFailure('crashed', 'Bough was closed while this answer was being written.', { retryable: true });
  return { ...stepOf(live), content, results: resultsOf(callsOf(content, left?.calls ?? [])), interrupted: true, failure, createdAt: now };
}

/** Until the model was done the calls are in the content alone. */
function callsOf(content: Step['content'], calls: readonly StoredCall[]): readonly StoredCall[] {
  if (calls.length > 0) return calls;
  return content.flatMap((part) => (part.type === 'toolCall' ? [{ ...part, state: 'waiting' as const }] : []));
}
