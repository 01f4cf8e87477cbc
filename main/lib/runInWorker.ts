// Runs one job in a worker thread: the script is a file built beside the main bundle, the job and its answer are plain data.
import { Worker } from 'node:worker_threads';
import { type Failure, FailureError } from '../../shared/model/failure';

/** What a worker's entry posts exactly once. */
export type WorkerAnswer = { ok: true; value: unknown } | { ok: false; failure: Failure };

/** Rejects with the worker's failure, or with its error when it breaks. Aborting ends the thread and rejects with the signal's reason. */
export function runInWorker(script: string, job: unknown, signal?: AbortSignal): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(script, { workerData: job });
    const abort = () => {
      reject(signal?.reason);
      void worker.terminate();
    };
    if (signal?.aborted === true) {
      abort();
      return;
    }
    signal?.addEventListener('abort', abort, { once: true });
    worker.once('message', (answer: WorkerAnswer) => (answer.ok ? resolve(answer.value) : reject(new FailureError(answer.failure))));
    worker.once('error', reject);
    worker.once('exit', (code) => {
      signal?.removeEventListener('abort', abort);
      // After an answer this changes nothing.
      reject(new Error(`the worker ended with code ${code} before it answered`));
    });
  });
}
