// One workspace is open in one process only (W1): a lock file names that process. A lock whose process is gone is taken over.
import { linkSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import * as z from 'zod/mini';
import { FailureError, makeFailure } from '../../shared/model/failure';
import type { Now } from '../lib/clock';
import { systemCode } from '../lib/systemError';
import { isSameStart, processStart } from './processStart';

const holderSchema = z.object({ pid: z.int(), start: z.nullable(z.string()), host: z.string() });
type Holder = z.infer<typeof holderSchema>;

export type Lock = {
  /** True when a lock was found whose process had ended without letting go: the database wants a check. */
  takenOver: boolean;
  release(): void;
};
export type LockOptions = {
  file: string;
  now: Now;
  /** Of this process; given by tests. */
  self?: Holder;
};

/** A lock of another machine counts as live while it is this fresh; its holder touches it every `beat`. Milliseconds. */
const fresh = 60_000;
const beat = 20_000;

/** Takes the lock. Throws `workspaceLocked` (detail.pid, when it is of this machine); system errors pass through. */
export function takeLock(options: LockOptions): Lock {
  const { file, now } = options;
  const self = options.self ?? thisProcess();
  const text = JSON.stringify(self);
  let takenOver = false;
  // Each turn either takes the lock, is refused, or removes a stale one; somebody else may be quicker each time.
  for (let turn = 0; turn < 5; turn += 1) {
    if (create(file, text, self.pid)) return { takenOver, release: hold(file, text) };
    const found = readLock(file);
    if (found === undefined) continue;
    const holder = parse(found);
    if (holder !== undefined && isLive(holder, file, now)) throw refused(holder, file);
    if (removeStale(file, found, self.pid)) takenOver = true;
  }
  throw refused(undefined, file);
}

function thisProcess(): Holder {
  const own = processStart(process.pid);
  return { pid: process.pid, start: own.state === 'known' ? own.start : null, host: hostname() };
}

function refused(holder: Holder | undefined, file: string): FailureError {
  const local = holder !== undefined && holder.host === hostname();
  const where = local ? `by process ${holder.pid}` : holder ? `on ${holder.host}` : 'elsewhere';
  return new FailureError(
    makeFailure('workspaceLocked', `This workspace is already open ${where}.`, {
      retryable: true,
      detail: { path: file, ...(local ? { pid: holder.pid } : {}) },
    }),
  );
}

/** The file appears with its whole content or not at all: a half-written lock would look stale to others. */
function create(file: string, text: string, pid: number): boolean {
  const partial = `${file}.${pid}.new`;
  writeFileSync(partial, text);
  try {
    linkSync(partial, file);
    return true;
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    if (!['EPERM', 'ENOTSUP', 'ENOSYS', 'EOPNOTSUPP', 'EMLINK', 'EISDIR'].includes(systemCode(error) ?? '')) throw error;
    // A file system without links (FAT, some network drives).
    return createPlain(file, text);
  } finally {
    rmSync(partial, { force: true });
  }
}

function createPlain(file: string, text: string): boolean {
  try {
    writeFileSync(file, text, { flag: 'wx' });
    return true;
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    throw error;
  }
}

function readLock(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function parse(text: string): Holder | undefined {
  try {
    const result = holderSchema.safeParse(JSON.parse(text));
    return result.success ? result.data : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function isLive(holder: Holder, file: string, now: Now): boolean {
  if (holder.host !== hostname()) return Math.abs(now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0)) < fresh;
  const found = processStart(holder.pid);
  if (found.state === 'gone') return false;
  if (found.state === 'unknown' || holder.start === null) return true;
  return isSameStart(found.start, holder.start);
}

/** Moves the stale lock away, and back again if it was not the one that was judged: then another process has just taken it. */
function removeStale(file: string, judged: string, pid: number): boolean {
  const aside = `${file}.${pid}.stale`;
  try {
    renameSync(file, aside);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return false;
    throw error;
  }
  const stale = readLock(aside) === judged;
  if (!stale) create(file, readLock(aside) ?? judged, pid);
  rmSync(aside, { force: true });
  return stale;
}

/** Keeps the lock fresh for other machines; gives the function that lets go. */
function hold(file: string, text: string): () => void {
  const timer = setInterval(() => {
    const time = new Date();
    try {
      if (readLock(file) === text) utimesSync(file, time, time);
    } catch (error) {
      // The folder may be away for a while; the next beat tries again.
      if (systemCode(error) === undefined) throw error;
    }
  }, beat);
  timer.unref();
  let held = true;
  return () => {
    if (!held) return;
    held = false;
    clearInterval(timer);
    try {
      if (readLock(file) === text) rmSync(file, { force: true });
    } catch (error) {
      // A folder that is gone holds no lock.
      if (systemCode(error) === undefined) throw error;
    }
  };
}
