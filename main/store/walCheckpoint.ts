// Moves what the write-ahead log holds into the database while nobody waits for a write (N3: never inside a user's call).
import { statSync } from 'node:fs';
import type { WriteStore } from './open';

/** Milliseconds between looks; bytes from which an idle log, and any log, is moved. */
export type CheckpointPace = { every: number; idleBytes: number; maxBytes: number };
const usual: CheckpointPace = { every: 3_000, idleBytes: 1024 ** 2, maxBytes: 32 * 1024 ** 2 };

/** Looks at the log now and then. `look` is one look; `stop` ends it. */
export function keepCheckpointing(store: WriteStore, pace: CheckpointPace = usual): { look(): boolean; stop(): void } {
  let last = { size: 0, changed: 0 };
  let done = 0;
  const look = () => {
    const found = statSync(`${store.file}-wal`, { throwIfNoEntry: false });
    const now = { size: found?.size ?? 0, changed: found?.mtimeMs ?? 0 };
    const idle = now.changed === last.changed;
    last = now;
    // The log file keeps its size after a checkpoint; only a write since the last one makes another worth while.
    if (now.changed === done) return false;
    if (!(now.size >= pace.maxBytes || (idle && now.size >= pace.idleBytes))) return false;
    store.checkpoint();
    done = statSync(`${store.file}-wal`, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    return true;
  };
  const timer = setInterval(look, pace.every);
  timer.unref();
  return { look, stop: () => clearInterval(timer) };
}
