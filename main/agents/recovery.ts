// After a crash: a live row whose step is in the transcript becomes that message, any other an interrupted one, so that what was on screen is
// still there (X2, X9, R2).
import { FailureError, makeFailure } from '../../shared/model/failure';
import { messageIdOfStep } from '../../shared/model/ids';
import type { LiveStep } from '../../shared/model/live';
import type { Message } from '../../shared/model/message';
import type { Now } from '../lib/clock';
import { finishStep, listLiveSteps } from '../store/liveSteps';
import { type BoundaryDeps, boundaryOf, toMessage } from './boundary';

/** Turns every live row left by an earlier process into a message; gives how many of them had broken off. */
export async function recoverSteps(deps: BoundaryDeps & { now: Now }): Promise<number> {
  let broken = 0;
  for (const step of listLiveSteps(deps.db, {})) {
    const written = await deps.transcripts.findStep(step, step.id).catch(whenUnusable);
    if (written) {
      const transcript = { agentId: step.agentId, file: written.file };
      finishStep(deps.db, { stepId: step.id, message: toMessage(step, written.step), tip: 'follow', transcript });
      continue;
    }
    broken++;
    boundaryOf(deps, step, { type: 'message', message: toInterrupted(step, deps.now()) })();
  }
  return broken;
}

/** A transcript that cannot be opened says so when it is written. */
function whenUnusable(error: unknown): undefined {
  if (error instanceof FailureError) return undefined;
  throw error;
}

function toInterrupted(step: LiveStep, now: number): Message {
  return {
    id: messageIdOfStep(step.id),
    conversationId: step.conversationId,
    parentId: step.parentId,
    role: 'assistant',
    status: 'interrupted',
    parts: step.parts,
    agentId: step.agentId,
    turnId: step.turnId,
    model: step.model,
    failure: makeFailure('crashed', 'Bough was closed while this answer was being written.', { retryable: true }),
    createdAt: now,
  };
}
