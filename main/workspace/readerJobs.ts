// Sends check and backup to the reader thread: the script is built beside the main bundle.
import * as z from 'zod/mini';
import { runInWorker } from '../lib/worker';
import type { RunJob } from './backups';

const resultSchema = z.object({ problems: z.array(z.string()) });

/** `script`: path of the built `main/workers/reader.ts`. */
export function jobsInWorker(script: string): RunJob {
  return async (job) => resultSchema.parse(await runInWorker(script, job));
}
