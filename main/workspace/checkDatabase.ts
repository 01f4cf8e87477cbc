// The check of the whole database: after paint, in a worker, once a day and after an unclean end (R1).
import type { Now } from '../lib/clock';
import type { ReadableDb, WritableDb } from '../store/database';
import { getMeta, setMeta } from '../store/meta';
import { day, type RunJob } from './backups';

/** Due after an unclean end, when the last one is a day old, and when its time lies in the future (the clock was wrong). */
export function isCheckDue(db: ReadableDb, options: { now: Now; unclean: boolean }): boolean {
  if (options.unclean) return true;
  const last = Number(getMeta(db, 'checkedAt') ?? Number.NaN);
  const age = options.now() - last;
  return !(age >= 0 && age < day);
}

/** SQLite's words for what is wrong; empty when all is well, which is then noted. */
export async function checkDatabase(options: { db: WritableDb; file: string; now: Now; run: RunJob }): Promise<string[]> {
  const { problems } = await options.run({ type: 'check', file: options.file });
  if (problems.length === 0) setMeta(options.db, 'checkedAt', String(options.now()));
  return problems;
}
