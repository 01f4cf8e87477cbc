// The few synchronous file calls of a step boundary, gathered so that a test can count them and let any of them fail.
import {
  closeSync,
  copyFileSync,
  fdatasync,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { systemCode } from './systemError';

export const disk = {
  open: (path: string, flags: string): number => openSync(path, flags, 0o644),
  close: (file: number): void => closeSync(file),
  size: (file: number): number => fstatSync(file).size,
  /** Bytes read, at most `buffer.length`. */
  read: (file: number, buffer: Uint8Array, position: number): number => readSync(file, buffer, 0, buffer.length, position),
  /** Bytes written: fewer than asked for on a disk that fills up. */
  write: (file: number, bytes: Uint8Array, position: number): number => writeSync(file, bytes, 0, bytes.length, position),
  truncate: (file: number, size: number): void => ftruncateSync(file, size),
  /** Flushes content and size. */
  flush: (file: number): void => fdatasyncSync(file),
  /** The same without holding up the thread: for more than a few lines. */
  flushLater: (file: number): Promise<void> =>
    new Promise((resolve, reject) => fdatasync(file, (error) => (error === null ? resolve() : reject(error)))),
  readWhole: (path: string): Buffer => readFileSync(path),
  names: (folder: string): string[] => readdirSync(folder),
  makeFolder: (path: string): void => mkdirSync(path),
  rename: (from: string, to: string): void => renameSync(from, to),
  /** A second name for a file that is never changed again. */
  link: (from: string, to: string): void => linkSync(from, to),
  copy: (from: string, to: string): void => copyFileSync(from, to),
  remove: (path: string): void => rmSync(path, { force: true }),
  /** Flushes a folder's entries; where that cannot be done a rename is durable by other means or not at all. */
  flushFolder: (path: string): void => {
    let folder: number | undefined;
    try {
      folder = openSync(path, 'r');
      fsyncSync(folder);
    } catch (error) {
      if (!['EPERM', 'EACCES', 'EISDIR', 'EINVAL', 'ENOTSUP'].includes(systemCode(error) ?? '')) throw error;
    } finally {
      if (folder !== undefined) closeSync(folder);
    }
  },
};
export type Disk = typeof disk;

/** Writes all bytes at `position`; a disk that fills up on the way fails with its own error. */
export function writeAll(on: Disk, file: number, bytes: Uint8Array, position: number): void {
  for (let done = 0; done < bytes.length; ) {
    const written = on.write(file, done === 0 ? bytes : bytes.subarray(done), position + done);
    if (written === 0) throw Object.assign(new Error('nothing more could be written'), { code: 'ENOSPC' });
    done += written;
  }
}

let counter = 0;

/** Like `writeAtomic`, at once: after a crash at any moment the file holds the old bytes or all of the new ones. Its folder must be there. */
export function writeWholeNow(on: Disk, path: string, bytes: Uint8Array): void {
  counter += 1;
  const partial = join(dirname(path), `.${basename(path)}.${process.pid}.${counter}.now.tmp`);
  try {
    const file = on.open(partial, 'wx');
    try {
      writeAll(on, file, bytes, 0);
      on.flush(file);
    } finally {
      on.close(file);
    }
    on.rename(partial, path);
  } catch (error) {
    on.remove(partial);
    throw error;
  }
  on.flushFolder(dirname(path));
}

/** Makes a folder whose parent is there; one that exists is fine. Says whether it was made. */
export function ensureFolder(on: Disk, path: string): boolean {
  try {
    on.makeFolder(path);
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    throw error;
  }
  on.flushFolder(dirname(path));
  return true;
}

/** None where there is no such folder. */
export function namesIn(on: Disk, folder: string): string[] {
  try {
    return on.names(folder);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return [];
    throw error;
  }
}
