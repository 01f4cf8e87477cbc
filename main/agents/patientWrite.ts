// A write that waits out a full disk or a busy database: what is shown stays in memory meanwhile, and that is said once (R3).
import type { WindowEvent } from '../../shared/model/events';
import { FailureError } from '../../shared/model/failure';

export type PatientContext = {
  publish(event: WindowEvent): void;
  /** Resolves after `ms`, or at once when the signal aborts. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
};

const retryDelay = 2000;

/** Passes by itself: what was to be written is kept in memory and written later, nothing of it is given up. */
export function isPassing(error: unknown): boolean {
  return error instanceof FailureError && (error.failure.code === 'diskFull' || error.failure.code === 'databaseBusy');
}

/** Gives what `write` gives, as soon as it can be written. Once the signal aborts a write that still cannot be made is left, and this gives undefined. */
export async function patientWrite<T>(context: PatientContext, write: () => T, signal?: AbortSignal): Promise<T | undefined> {
  const waiting = signal ?? new AbortController().signal;
  for (let told = false; ; told = true) {
    try {
      return write();
    } catch (error) {
      if (!isPassing(error)) throw error;
      if (waiting.aborted) return undefined;
      if (!told) context.publish({ type: 'notice', notice: { code: 'answerWaitsForDisk', tone: 'error' } });
      await context.wait(retryDelay, waiting);
    }
  }
}
