// A worker thread that is asked again and again and keeps what it read: started by the first question, ended when none came for a while.
import { Worker } from 'node:worker_threads';
import { type Failure, FailureError } from '../../shared/model/failure';

export type AskedWorker = { ask(job: unknown): Promise<unknown>; close(): Promise<void> };
type Answer = { id: number } & ({ ok: true; value: unknown } | { ok: false; failure: Failure });
type Asked = { resolve(value: unknown): void; reject(cause: unknown): void };

export function openAskedWorker(script: string, options: { workerData: unknown; idle: number }): AskedWorker {
  let worker: Worker | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let count = 0;
  const waiting = new Map<number, Asked>();
  const end = (gone: Worker, cause: Error) => {
    if (worker !== gone) return;
    worker = null;
    for (const { reject } of waiting.values()) reject(cause);
    waiting.clear();
  };
  const close = async () => {
    clearTimeout(timer);
    const gone = worker;
    if (!gone) return;
    end(gone, new Error('the worker was closed'));
    await gone.terminate();
  };
  const start = (): Worker => {
    const made = new Worker(script, { workerData: options.workerData });
    made.on('message', (answer: Answer) => {
      const asked = waiting.get(answer.id);
      waiting.delete(answer.id);
      if (answer.ok) asked?.resolve(answer.value);
      else asked?.reject(new FailureError(answer.failure));
    });
    made.on('error', (cause) => end(made, cause));
    made.on('exit', (code) => end(made, new Error(`the worker ended with code ${code}`)));
    // It holds nothing that must be kept: the program may end while it waits.
    made.unref();
    return made;
  };
  return {
    ask(job) {
      worker ??= start();
      const id = ++count;
      clearTimeout(timer);
      timer = setTimeout(() => void close(), options.idle);
      timer.unref();
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject });
        worker?.postMessage({ id, job });
      });
    },
    close,
  };
}
