// The search of one workspace as main asks it: a thread that starts with the first question and ends when nobody has asked for a while.
import { Worker } from 'node:worker_threads';
import { FailureError } from '../../shared/model/failure';
import type { MessageId } from '../../shared/model/ids';
import type { PathMatches, SearchPage, SearchRequest } from '../../shared/model/search';
import type { WorkerAnswer } from '../lib/runInWorker';
import type { SearchJob, SearchResult } from '../store/searchJobs';

/** Answers one question; `signal` drops one that was not begun. */
export type AskSearch = (job: SearchJob, signal?: AbortSignal) => Promise<SearchResult>;
export type SearchThread = { ask: AskSearch; close(): Promise<void> };

/** Milliseconds without a question after which the thread ends. */
const idleTime = 60_000;

type Waiting = { job: SearchJob; signal: AbortSignal | undefined; resolve(result: SearchResult): void; reject(error: unknown): void };

/** `script`: path of the built `main/workers/search.ts`. */
export function openSearchThread(script: string, file: string): SearchThread {
  let worker: Worker | undefined;
  let running: (Waiting & { id: number }) | undefined;
  const waiting: Waiting[] = [];
  let count = 0;
  let closed = false;
  let idle: NodeJS.Timeout | undefined;

  const start = (): Worker => {
    const made = new Worker(script, { workerData: { file } });
    made.on('message', ({ id, answer }: { id: number; answer: WorkerAnswer }) => {
      if (running?.id !== id) return;
      const { resolve, reject } = running;
      running = undefined;
      if (answer.ok) resolve(answer.value as SearchResult);
      else reject(new FailureError(answer.failure));
      next();
    });
    const ended = (error: unknown) => {
      if (worker !== made) return;
      worker = undefined;
      running?.reject(error);
      running = undefined;
      next();
    };
    made.on('error', ended);
    made.on('exit', (code) => ended(new Error(`the search thread ended with code ${code}`)));
    made.unref();
    return made;
  };
  const next = () => {
    clearTimeout(idle);
    if (running || closed) return;
    const one = waiting.shift();
    if (one === undefined) {
      idle = setTimeout(() => void end(), idleTime);
      idle.unref();
      return;
    }
    if (one.signal?.aborted === true) {
      one.reject(one.signal.reason);
      next();
      return;
    }
    running = { ...one, id: ++count };
    worker ??= start();
    worker.postMessage({ id: running.id, job: one.job });
  };
  const end = async () => {
    const old = worker;
    worker = undefined;
    await old?.terminate();
  };
  return {
    ask: (job, signal) =>
      new Promise((resolve, reject) => {
        if (closed) return reject(new Error('the search is closed'));
        waiting.push({ job, signal, resolve, reject });
        next();
      }),
    async close() {
      closed = true;
      clearTimeout(idle);
      const gone = new Error('the search is closed');
      running?.reject(gone);
      running = undefined;
      for (const one of waiting.splice(0)) one.reject(gone);
      await end();
    },
  };
}

/** What windows ask of the search of a workspace. */
export type WorkspaceSearch = {
  messages(request: SearchRequest, signal?: AbortSignal): Promise<SearchPage>;
  onPath(args: { tipId: MessageId; query: string; from: number }, signal?: AbortSignal): Promise<PathMatches>;
  close(): Promise<void>;
};

/** `onDamage`: the index cannot be read; what was asked is answered nevertheless. */
export function searchOver({ ask, close }: SearchThread, onDamage: () => void): WorkspaceSearch {
  return {
    async messages(request, signal) {
      const { value, damaged } = await ask({ type: 'messages', request }, signal);
      if (damaged) onDamage();
      return value as SearchPage;
    },
    async onPath(args, signal) {
      return (await ask({ type: 'path', ...args }, signal)).value as PathMatches;
    },
    close,
  };
}
