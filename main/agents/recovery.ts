// After a crash: each live row becomes an interrupted message, so that what was on screen is still there (X9, R2).
import { makeFailure } from '../../shared/model/failure';
import { messageIdOfStep } from '../../shared/model/ids';
import type { LiveStep } from '../../shared/model/live';
import type { Message } from '../../shared/model/message';
import type { Now } from '../lib/clock';
import type { WritableDb } from '../store/database';
import { finishStep, listLiveSteps } from '../store/liveSteps';

/** Turns every live row left by an earlier process into a message; gives how many there were. */
export function recoverSteps(db: WritableDb, now: Now): number {
  const steps = listLiveSteps(db, {});
  for (const step of steps) finishStep(db, { stepId: step.id, message: toInterrupted(step, now()), tip: 'follow' });
  return steps.length;
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
