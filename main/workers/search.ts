// A thread that answers searches over a connection of its own that cannot write (R1): reading many messages must hold up nothing else.
import { parentPort, workerData } from 'node:worker_threads';
import * as z from 'zod/mini';
import { FailureError, makeFailure } from '../../shared/model/failure';
import type { WorkerAnswer } from '../lib/runInWorker';
import { openStore, type ReadStore } from '../store/open';
import { runSearchJob, searchJob } from '../store/searchJobs';
import { failureOfSqlite } from '../store/sqliteFailure';

const { file } = z.object({ file: z.string() }).parse(workerData);
const message = z.object({ id: z.number(), job: searchJob });
let store: ReadStore | undefined;

function answer(job: z.infer<typeof searchJob>): WorkerAnswer {
  try {
    store ??= openStore({ file, mode: 'read', now: Date.now, busyTimeout: 1000 });
    return { ok: true, value: runSearchJob(store.db, job, () => performance.now()) };
  } catch (error) {
    const known = failureOfSqlite(error, file);
    if (known instanceof FailureError) return { ok: false, failure: known.failure };
    return { ok: false, failure: makeFailure('internal', error instanceof Error ? error.message : String(error)) };
  }
}

parentPort?.on('message', (posted: unknown) => {
  const { id, job } = message.parse(posted);
  parentPort?.postMessage({ id, answer: answer(job) });
});
