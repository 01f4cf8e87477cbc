// Writes a file so that after a crash at any moment it holds either the old bytes or all of the new ones.
// Own code rather than write-file-atomic, because that one does not flush the folder: after a power cut the new name may be gone.
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
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

/** Writes `data` to `path`, creating its folder. `mode` are the permission bits of a new file. System errors pass through. */
export async function writeAtomic(path: string, data: string | Uint8Array, options: { mode?: number } = {}): Promise<void> {
  const write = writeWhole(path, data, options);
  onTheirWay.add(write);
  try {
    await write;
  } finally {
    onTheirWay.delete(write);
  }
}

async function writeWhole(path: string, data: string | Uint8Array, options: { mode?: number }): Promise<void> {
  const folder = dirname(path);
  await mkdir(folder, { recursive: true });
  counter += 1;
  const partial = join(folder, `.${basename(path)}.${process.pid}.${counter}.tmp`);
  try {
    const handle = await open(partial, 'wx', options.mode ?? 0o644);
    try {
      await handle.writeFile(data);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await renameWithPatience(partial, path);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
  await syncFolder(folder);
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
