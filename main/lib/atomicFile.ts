// Writes a file so that after a crash at any moment it holds either the old bytes or all of the new ones.
// Own code rather than write-file-atomic, because that one does not flush the folder: after a power cut the new name may be gone.
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { systemCode } from './systemError';

let counter = 0;

/** Flushes a folder's entries. Windows and some network drives cannot: their rename is durable by other means or not at all. */
export async function syncFolder(folder: string): Promise<void> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(folder, 'r');
    await handle.sync();
  } catch (error) {
    if (!['EPERM', 'EACCES', 'EISDIR', 'EINVAL', 'ENOTSUP'].includes(systemCode(error) ?? '')) throw error;
  } finally {
    await handle?.close();
  }
}

const onTheirWay = new Set<Promise<unknown>>();

/** Resolves when no write is on its way: the program waits for this before it ends. */
export async function writesDone(): Promise<void> {
  while (onTheirWay.size > 0) await Promise.allSettled(onTheirWay);
}

export type AtomicOptions = {
  /** Permission bits of a new file. */
  mode?: number;
  /** A folder above that must be there: what vanished (a drive, a folder that was moved) is not made anew, empty, in its place. */
  inside?: string;
};

/** Writes `data` to `path`, creating its folder. System errors pass through. */
export async function writeAtomic(path: string, data: string | Uint8Array, options: AtomicOptions = {}): Promise<void> {
  const write = writeWhole(path, data, options);
  onTheirWay.add(write);
  try {
    await write;
  } finally {
    onTheirWay.delete(write);
  }
}

/** The same for what comes in pieces, into a folder that is there. Where the pieces end with an error nothing is left, and the old file stays. */
export async function writePiecesAtomic(path: string, pieces: AsyncIterable<string | Uint8Array>): Promise<void> {
  counter += 1;
  const partial = join(dirname(path), `.bough-${process.pid}.${counter}.tmp`);
  await replaceFile({ partial, path, mode: 0o644 }, async (handle) => {
    for await (const piece of gathered(pieces)) await handle.writeFile(piece);
  });
}

/** Bytes that are worth a call. */
const gather = 256 * 1024;

async function* gathered(pieces: AsyncIterable<string | Uint8Array>): AsyncGenerator<Uint8Array> {
  let waiting: Uint8Array[] = [];
  let size = 0;
  for await (const piece of pieces) {
    const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece;
    waiting.push(bytes);
    size += bytes.length;
    if (size < gather) continue;
    yield Buffer.concat(waiting);
    waiting = [];
    size = 0;
  }
  if (size > 0) yield Buffer.concat(waiting);
}

async function writeWhole(path: string, data: string | Uint8Array, options: AtomicOptions): Promise<void> {
  const folder = dirname(path);
  if (options.inside === undefined) await mkdir(folder, { recursive: true });
  else await makeFolders(options.inside, folder);
  counter += 1;
  const partial = join(folder, `.${basename(path)}.${process.pid}.${counter}.tmp`);
  await replaceFile({ partial, path, mode: options.mode ?? 0o644 }, (handle) => handle.writeFile(data));
}

async function makeFolders(inside: string, folder: string): Promise<void> {
  if (relative(inside, folder) === '') return;
  await makeFolders(inside, dirname(folder));
  await mkdir(folder).catch((error: unknown) => {
    if (systemCode(error) !== 'EEXIST') throw error;
  });
}

type Replacing = { partial: string; path: string; mode: number };

async function replaceFile({ partial, path, mode }: Replacing, write: (handle: FileHandle) => Promise<void>): Promise<void> {
  try {
    const handle = await open(partial, 'wx', mode);
    try {
      await write(handle);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await renameWithPatience(partial, path);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
  await syncFolder(dirname(path));
}

/** Virus scanners on Windows hold a fresh file for some milliseconds; elsewhere the first try settles it. */
async function renameWithPatience(from: string, to: string): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await rename(from, to);
    } catch (error) {
      const held = process.platform === 'win32' && ['EPERM', 'EACCES', 'EBUSY'].includes(systemCode(error) ?? '');
      if (!held || tries >= 10) throw error;
      await new Promise((resolve) => setTimeout(resolve, tries * 10));
    }
  }
}
