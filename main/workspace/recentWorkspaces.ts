// The workspaces opened last, newest first: a file of the user's, not of any workspace (W1).
import { readFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import * as z from 'zod/mini';
import type { RecentWorkspace } from '../../shared/model/workspace';
import { writeAtomic } from '../lib/atomicFile';
import type { Now } from '../lib/clock';
import { createSequential } from '../lib/sequential';
import { systemCode } from '../lib/systemError';
import { nameOf } from './layout';

const limit = 20;
const entrySchema = z.object({ folder: z.string().check(z.minLength(1)), openedAt: z.number() });
const fileSchema = z.object({ version: z.literal(1), workspaces: z.array(entrySchema) });
type Entry = z.infer<typeof entrySchema>;

export type RecentWorkspaces = {
  /** Newest first; `exists` says whether the folder is there now. */
  list(): Promise<RecentWorkspace[]>;
  /** Folder of the newest one, if any: what the program opens by itself. */
  newest(): string | undefined;
  add(folder: string): Promise<void>;
  remove(folder: string): Promise<void>;
};

/** A file that cannot be read counts as empty: it only costs a list. */
export function openRecentWorkspaces(options: { file: string; now: Now }): RecentWorkspaces {
  const { file, now } = options;
  const inOrder = createSequential();
  const change = (edit: (entries: Entry[]) => Entry[]) =>
    inOrder.run(async () => {
      const workspaces = edit(readEntries(file)).slice(0, limit);
      await writeAtomic(file, `${JSON.stringify({ version: 1, workspaces }, null, 2)}\n`);
    });
  return {
    newest: () => readEntries(file)[0]?.folder,
    list: () =>
      Promise.all(readEntries(file).map(async (entry) => ({ ...entry, name: nameOf(entry.folder), exists: await isFolder(entry.folder) }))),
    add: (folder) => change((entries) => [{ folder, openedAt: now() }, ...entries.filter((entry) => entry.folder !== folder)]),
    remove: (folder) => change((entries) => entries.filter((entry) => entry.folder !== folder)),
  };
}

function readEntries(file: string): Entry[] {
  try {
    const result = fileSchema.safeParse(JSON.parse(readFileSync(file, 'utf8')));
    return result.success ? result.data.workspaces : [];
  } catch (error) {
    if (error instanceof SyntaxError || systemCode(error) !== undefined) return [];
    throw error;
  }
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return false;
  }
}
