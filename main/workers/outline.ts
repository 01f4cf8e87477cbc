// A thread that answers for the navigator of large conversations: it keeps the tree it was asked of, and never writes.
import { parentPort, workerData } from 'node:worker_threads';
import * as z from 'zod/mini';
import { FailureError } from '../../shared/model/failure';
import { openStore } from '../store/open';
import { answerOutline, type OutlineJob } from '../store/outline';

const { file } = z.object({ file: z.string() }).parse(workerData);
const { db } = openStore({ file, mode: 'read', now: Date.now });

parentPort?.on('message', ({ id, job }: { id: number; job: OutlineJob }) => {
  try {
    parentPort?.postMessage({ id, ok: true, value: answerOutline(db, job) });
  } catch (error) {
    if (!(error instanceof FailureError)) throw error;
    parentPort?.postMessage({ id, ok: false, failure: error.failure });
  }
});
