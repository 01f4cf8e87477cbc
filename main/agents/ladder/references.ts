// The files that are named beside a card (M6): those a worker chose, those touched last, and of the memory before what still stands. Never many.
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { MemoryBody } from '../../../shared/model/memoryRecord';
import type { TouchedFile } from '../../../shared/model/touchedFile';
import { oneLine } from '../../context/digest/frame';
import { referenceOf } from '../../context/ladder/rebuilt';
import { systemCode } from '../../lib/systemError';

export type Chosen = Pick<MemoryBody, 'files' | 'references'>;
export const nothingChosen: Chosen = { files: [], references: [] };
type Reference = MemoryBody['references'][number];

/** Files touched last that are named whatever was chosen (M5). */
const namedFiles = 5;
/** Candidates that are looked for on the disk. */
const mostLooked = 30;
/** Longer names of files are cut: a reference is a line. */
export const mostPath = 300;

export type ReferencesArgs = {
  chosen: Chosen;
  /** Touched in what is folded, the last first. */
  files: readonly TouchedFile[];
  previous: MemoryBody | undefined;
  workspace: string;
};

/** What was read for the memory before is the past now, as any file that was touched. */
export async function referencesOf({ chosen, files, previous, workspace }: ReferencesArgs): Promise<Reference[]> {
  const touched = files.map(({ path, changed }) => ({ path, why: changed > 0 ? 'changed' : 'read' }));
  const before = [...(previous?.files ?? []).map(referenceOf), ...(previous?.references ?? [])];
  const known = new Set([...chosen.files, ...chosen.references].map(({ path }) => path));
  const named: Reference[] = [];
  for (const one of [...touched, ...before].slice(0, mostLooked)) {
    if (named.length === namedFiles) break;
    if (known.has(one.path) || !(await isThere(workspace, one.path))) continue;
    known.add(one.path);
    named.push({ path: oneLine(one.path, mostPath), why: one.why });
  }
  return [...chosen.references, ...named];
}

/** Anything but a file that is gone stays. */
async function isThere(workspace: string, path: string): Promise<boolean> {
  try {
    await stat(resolve(workspace, path));
    return true;
  } catch (error) {
    const code = systemCode(error);
    if (code === undefined) throw error;
    return code !== 'ENOENT' && code !== 'ENOTDIR';
  }
}
