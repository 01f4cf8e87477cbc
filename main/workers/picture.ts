// A thread that draws one picture anew: a large photo must not hold up the answers that stream meanwhile. One job, one answer, end.
import { parentPort, workerData } from 'node:worker_threads';
import { FailureError, makeFailure } from '../../shared/model/failure';
import { drawPicture } from '../lib/drawPicture';
import type { WorkerAnswer } from '../lib/runInWorker';

async function answer(): Promise<WorkerAnswer> {
  try {
    return { ok: true, value: await drawPicture(workerData) };
  } catch (error) {
    if (error instanceof FailureError) return { ok: false, failure: error.failure };
    return { ok: false, failure: makeFailure('internal', error instanceof Error ? error.message : String(error)) };
  }
}

void answer().then((result) => parentPort?.postMessage(result));
