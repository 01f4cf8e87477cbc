// A thread for long readings of the database file: one job, one answer, end. Never writes to the workspace's database.
import { parentPort, workerData } from 'node:worker_threads';
import * as z from 'zod/mini';
import { FailureError } from '../../shared/model/failure';
import type { WorkerAnswer } from '../lib/runInWorker';
import { type MaintenanceJob, runMaintenance } from '../store/maintenance';

const jobSchema: z.ZodMiniType<MaintenanceJob> = z.discriminatedUnion('type', [
  z.object({ type: z.literal('backup'), file: z.string(), target: z.string() }),
  z.object({ type: z.literal('check'), file: z.string() }),
  z.object({ type: z.literal('checkBackup'), file: z.string() }),
]);

async function answer(): Promise<WorkerAnswer> {
  try {
    return { ok: true, value: await runMaintenance(jobSchema.parse(workerData)) };
  } catch (error) {
    if (error instanceof FailureError) return { ok: false, failure: error.failure };
    throw error;
  }
}

void answer().then((result) => parentPort?.postMessage(result));
