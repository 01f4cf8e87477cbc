// Fills the index in the background (Q1, R4): short slices on the one writing connection, with twice as much time left between them for others.
import { FailureError } from '../../shared/model/failure';
import { connectionOf } from './database';
import type { WriteStore } from './open';
import { hasWork, indexSlice, isDamage, startIndex } from './searchIndex';

export type IndexerOptions = {
  /** Milliseconds. */
  clock: () => number;
  /** Calls back later; gives what cancels it. */
  later: (work: () => void, ms: number) => () => void;
  /** The index had to be given up and is made anew, or (twice in a row) left alone. */
  onDamage: (error: unknown) => void;
};
export type Indexer = {
  /** Something was written, or the index is damaged (`rebuild`). */
  wake(rebuild?: boolean): void;
  stop(): void;
};

/** What one slice should take, and how long the indexer sleeps when it has nothing to do. */
const sliceTime = 8;
const idle = 2_000;
/** Rows of a slice: as many as fit its time, learned from the slice before. */
const rowLimits = { first: 8, most: 256 };
const slicesPerCheckpoint = 48;
const damagesBorne = 3;

const nothing = () => undefined;

export function startIndexer(store: WriteStore, { clock, later, onDamage }: IndexerOptions): Indexer {
  const connection = connectionOf(store.db);
  let rows = rowLimits.first;
  let slices = 0;
  let damages = 0;
  let stopped = false;
  let broken = false;
  let cancel: () => void = nothing;

  const next = (ms: number) => {
    cancel();
    if (!stopped) cancel = later(work, ms);
  };
  const work = () => {
    if (stopped || !connection.open) return;
    if (connection.inTransaction) return next(sliceTime);
    if (!broken && !hasWork(store.db)) return rest();
    const before = clock();
    try {
      if (broken) startIndex(store.db);
      broken = false;
      const { done, rows: made } = indexSlice(store.db, rows);
      const took = Math.max(0.1, clock() - before);
      if (done) return rest();
      if (made >= rows) rows = Math.round(Math.min(rowLimits.most, Math.max(1, Math.min(rows * 2, (rows * sliceTime) / took))));
      slices++;
      // What was written is moved in pieces as small as the slices: left to the timer, it would be much at once.
      if (slices % slicesPerCheckpoint === 0) store.checkpoint();
      next(Math.max(sliceTime, 2 * took));
    } catch (error) {
      trouble(error);
    }
  };
  const rest = () => {
    damages = 0;
    next(idle);
  };
  /** A full disk or a lock passes; damage is mended by beginning again, but not for ever. */
  const trouble = (error: unknown) => {
    if (error instanceof FailureError && error.failure.code !== 'databaseCorrupt') return next(10 * idle);
    if (!(isDamage(error) || error instanceof FailureError)) throw error;
    onDamage(error);
    damages++;
    broken = true;
    if (damages < damagesBorne) next(idle);
  };
  next(idle);
  return {
    wake(rebuild = false) {
      if (rebuild) broken = true;
      next(sliceTime);
    },
    stop() {
      stopped = true;
      cancel();
    },
  };
}
