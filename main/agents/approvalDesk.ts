// Calls that wait for the user's word (A4): a step asks and waits here, a window answers. What is asked is in the live row, so it is asked again after a restart.
import type { ApprovalAnswer } from '../../shared/model/approval';
import { FailureError, makeFailure } from '../../shared/model/failure';
import type { StepId } from '../../shared/model/ids';

export class ApprovalDesk {
  readonly #waiting = new Map<string, (answer: ApprovalAnswer) => void>();

  /** The user's word; null when the signal aborts first. */
  ask(stepId: StepId, callId: string, signal: AbortSignal): Promise<ApprovalAnswer | null> {
    const key = keyOf(stepId, callId);
    return new Promise((resolve) => {
      const done = (answer: ApprovalAnswer | null) => {
        this.#waiting.delete(key);
        signal.removeEventListener('abort', stop);
        resolve(answer);
      };
      const stop = () => done(null);
      if (signal.aborted) return stop();
      signal.addEventListener('abort', stop);
      this.#waiting.set(key, done);
    });
  }

  /** Throws `notFound` when nothing waits there: it was answered already, in another window or by Stop. */
  answer(stepId: StepId, callId: string, answer: ApprovalAnswer): void {
    const take = this.#waiting.get(keyOf(stepId, callId));
    if (!take) throw new FailureError(makeFailure('notFound', 'This call no longer waits for your word.'));
    take(answer);
  }
}

function keyOf(stepId: StepId, callId: string): string {
  return `${stepId} ${callId}`;
}
