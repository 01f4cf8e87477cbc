// Brings a database to the newest schema: numbered steps in one transaction, with a copy of the file beside it before (R1).
import type Database from 'better-sqlite3';
import { FailureError, makeFailure } from '../../shared/model/failure';
import { type Migration, migrations } from './migrations/list';

/** "Boug": marks the file as ours for tools that look at the header. */
export const applicationId = 0x426f7567;

export const newestVersion = (steps: readonly Migration[] = migrations): number => steps.at(-1)?.version ?? 0;

export function versionOf(db: Database.Database): number {
  return Number(db.pragma('user_version', { simple: true }));
}

/** Applies what is missing; `before` runs first when the database already holds something. Throws `databaseNewer`; a failed step leaves all as it was. */
export function migrate(
  db: Database.Database,
  options: { before: (version: number) => void; steps?: readonly Migration[] | undefined },
): void {
  const steps = options.steps ?? migrations;
  const version = versionOf(db);
  if (version > newestVersion(steps)) {
    throw new FailureError(
      makeFailure('databaseNewer', 'This workspace was written by a newer version of Bough.', {
        detail: { path: db.name, size: version, limit: newestVersion(steps) },
      }),
    );
  }
  const missing = steps.filter((step) => step.version > version);
  if (missing.length === 0) return;
  if (version > 0) options.before(version);
  db.transaction(() => {
    for (const step of missing) db.exec(step.sql);
    db.pragma(`application_id = ${applicationId}`);
    db.pragma(`user_version = ${newestVersion(steps)}`);
  }).immediate();
}
