// Reads a whole file of a place that was looked up before, and makes sure that it still is that place: a link put there meanwhile is not followed.
import { constants } from 'node:fs';
import { open, realpath } from 'node:fs/promises';
import { systemCode } from '../../../lib/systemError';
import type { Place } from './confine';
import { ToolError } from './definition';

/** Throws `ToolError` when it is no ordinary file, is larger than `limit` bytes, or cannot be read. `mode` are the permission bits. */
export async function readPlace(place: Place, limit: number): Promise<{ bytes: Uint8Array; mode: number }> {
  try {
    // Without O_NONBLOCK opening a named pipe would wait for a writer that never comes. Windows has neither flag.
    const handle = await open(place.path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    try {
      const facts = await handle.stat();
      if (facts.isDirectory()) throw new ToolError(`${place.shown} is a folder. Use list_files.`);
      if (!facts.isFile()) throw new ToolError(`${place.shown} is no ordinary file.`);
      if (facts.size > limit) throw new ToolError(`${place.shown} is too large: ${facts.size} bytes, at most ${limit}.`);
      if ((await realpath(place.path)) !== place.path) throw new ToolError(`${place.shown} was replaced while it was opened.`);
      return { bytes: await handle.readFile(), mode: facts.mode & 0o777 };
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw explained(error, place.shown);
  }
}

/** A system error as words for the model; anything else stays what it was. */
export function explained(error: unknown, shown: string): unknown {
  const words: Record<string, string> = {
    ENOENT: `${shown} does not exist.`,
    ENOTDIR: `A part of ${shown} is a file, not a folder.`,
    EISDIR: `${shown} is a folder.`,
    EACCES: `${shown}: permission denied.`,
    EPERM: `${shown}: permission denied.`,
    EROFS: `${shown} is on a disk that cannot be written.`,
    ENOSPC: `There is no space left on the disk for ${shown}; the file is as it was.`,
    EDQUOT: `There is no space left on the disk for ${shown}; the file is as it was.`,
    ELOOP: `${shown} was replaced by a link while it was opened.`,
    ENAMETOOLONG: `${shown}: the name is too long.`,
  };
  const sentence = words[systemCode(error) ?? ''];
  return sentence === undefined ? error : new ToolError(sentence, { cause: error });
}
