// The work on a workspace's database after the first paint (R1): the check and the daily backup, as they are due.
import type { Notice } from '../../shared/model/events';
import { type Failure, FailureError, makeFailure } from '../../shared/model/failure';
import type { Now } from '../lib/clock';
import { fileFailure } from '../lib/systemError';
import type { WriteStore } from '../store/open';
import { backUpDaily, type RunJob } from './backups';
import { checkDatabase, isCheckDue } from './checkDatabase';
import type { Layout } from './layout';

/** `failure` is `databaseCorrupt`: the state of the workspace changes to it. */
export type MaintenanceReport = { failure?: Failure | undefined; problems: string[]; backup: string | null; notices: Notice[] };

type MaintainArgs = { layout: Layout; store: WriteStore; now: Now; run: RunJob; unclean: boolean; closed: () => boolean };

/** A damaged database is not backed up: that would push out the good backups. */
export async function maintain({ layout, store, now, run, unclean, closed }: MaintainArgs): Promise<MaintenanceReport> {
  const report: MaintenanceReport = { problems: [], backup: null, notices: [] };
  try {
    if (isCheckDue(store.db, { now, unclean })) {
      report.problems = await checkDatabase({
        db: store.db,
        file: layout.database,
        now,
        run: async (job) => ifOpen(await run(job), closed),
      });
    }
    if (report.problems.length === 0 && !closed()) {
      const { made, problems, notice } = await backUpDaily({ layout, now, run });
      report.backup = made;
      report.problems = problems;
      if (notice) report.notices.push(notice);
    }
  } catch (error) {
    const failure = fileFailure(error, layout.database);
    if (failure === undefined) throw error;
    if (closed()) return report;
    if (failure.code === 'databaseCorrupt') report.problems = [failure.message];
    else report.notices.push({ code: 'backupFailed', values: { why: failure.code }, tone: 'warning' });
  }
  if (report.problems[0] !== undefined) {
    report.failure = makeFailure('databaseCorrupt', report.problems[0], { detail: { path: layout.database } });
  }
  return report;
}

function ifOpen<T>(value: T, closed: () => boolean): T {
  if (closed()) throw new FailureError(makeFailure('workspaceGone', 'The workspace was closed.'));
  return value;
}
