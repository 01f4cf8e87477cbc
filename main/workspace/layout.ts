// Where everything of a workspace lives (W2, fixed). Nothing is written elsewhere in the folder.
import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { systemCode } from '../lib/systemError';

export type Layout = {
  folder: string;
  /** `.bough` itself. */
  root: string;
  database: string;
  blobs: string;
  backups: string;
  transcripts: string;
  settings: string;
  lock: string;
  gitignore: string;
};

export function layoutOf(folder: string): Layout {
  const absolute = resolve(folder);
  const root = join(absolute, '.bough');
  return {
    folder: absolute,
    root,
    database: join(root, 'bough.db'),
    blobs: join(root, 'blobs'),
    backups: join(root, 'backups'),
    transcripts: join(root, 'transcripts'),
    settings: join(root, 'settings.json'),
    lock: join(root, 'lock'),
    gitignore: join(root, '.gitignore'),
  };
}

/** Last part of the path; a drive's root has none and is shown as it is. */
export function nameOf(folder: string): string {
  return basename(resolve(folder)) || folder;
}

/** Makes `.bough` and its `.gitignore` in a folder that exists; system errors pass through. */
export function makeLayout(layout: Layout): void {
  // Not recursive: that one reports a read-only disk as a missing folder.
  unlessThere(() => mkdirSync(layout.root));
  unlessThere(() => writeFileSync(layout.gitignore, '*\n', { flag: 'wx' }));
}

/** In `.bough`, which must be there: a workspace that vanished is not made anew, empty, in its place. */
export function makeBackupsFolder(layout: Layout): void {
  unlessThere(() => mkdirSync(layout.backups));
}

function unlessThere(make: () => void): void {
  try {
    make();
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
  }
}
