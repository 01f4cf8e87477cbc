// Writes a place so that a full disk or a crash leaves the old file (R3), and says what changed (A5).
import { mkdir, realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { writeAtomic } from '../../../lib/atomicFile';
import { systemCode } from '../../../lib/systemError';
import { locate, type Place } from './confine';
import { type ToolContext, ToolError } from './definition';
import { explained } from './openFile';

/** `mode` are the permission bits of the file it replaces. Throws `ToolError`. */
export async function writePlace(place: Place, bytes: Uint8Array, context: ToolContext, mode?: number): Promise<void> {
  try {
    await mkdir(dirname(place.path), { recursive: true });
    // A link may have been put on the way since the place was looked up.
    const folder = await realpath(dirname(place.path));
    const now = await locate(context.workspace, place.path, context.platform);
    if (folder !== dirname(place.path) || now.path !== place.path) throw new ToolError(`${place.shown} was moved while it was written.`);
    if (context.signal.aborted) throw new ToolError(`${place.shown} was not written: stopped before.`);
    await writeAtomic(place.path, bytes, mode === undefined ? {} : { mode });
  } catch (error) {
    throw explained(error, place.shown);
  }
}

/** Null when there is nothing at the place yet. Throws `ToolError` for a folder and whatever else is no ordinary file. */
export async function fileAt(place: Place): Promise<{ size: number } | null> {
  try {
    const facts = await stat(place.path);
    if (facts.isDirectory()) throw new ToolError(`${place.shown} is a folder.`);
    if (!facts.isFile()) throw new ToolError(`${place.shown} is no ordinary file.`);
    return { size: facts.size };
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    throw explained(error, place.shown);
  }
}
