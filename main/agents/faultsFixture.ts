// A disk and a database that call back around everything that puts something more on disk, for tests of crashes and full disks.
import { disk } from '../lib/disk';
import { connectionOf, type ReadableDb } from '../store/database';

/** Called around everything that puts something more on disk: `before` may throw, `after` may end the process. */
export type Faults = { before(kind: 'file' | 'database'): void; after(): void };

/** The real disk: a write is on disk half, then whole, then flushed. */
export function faultyDisk({ before, after }: Faults): typeof disk {
  const around = <T>(work: () => T): T => {
    before('file');
    const done = work();
    after();
    return done;
  };
  return {
    ...disk,
    write(file, bytes, position) {
      const half = around(() => disk.write(file, bytes.subarray(0, bytes.length >> 1), position));
      return half + around(() => disk.write(file, bytes.subarray(half), position + half));
    },
    flush: (file) => around(() => disk.flush(file)),
    flushLater: async (file) => around(() => disk.flush(file)),
    link: (from, to) => around(() => disk.link(from, to)),
    makeFolder: (path) => around(() => disk.makeFolder(path)),
    rename: (from, to) => around(() => disk.rename(from, to)),
  };
}

/** The real database: something more is written after each statement that changes it, and kept after each COMMIT. */
export function makeFaulty(db: ReadableDb, { before, after }: Faults): void {
  const connection = connectionOf(db);
  const prepare = connection.prepare.bind(connection);
  Object.assign(connection, {
    prepare(sql: string) {
      const statement = prepare(sql);
      if (!/^\s*(?:insert|update|delete|commit)/i.test(sql)) return statement;
      const run = statement.run.bind(statement);
      return Object.assign(statement, {
        run(...values: unknown[]) {
          before('database');
          const done = run(...values);
          after();
          return done;
        },
      });
    },
  });
}
