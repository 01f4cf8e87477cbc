// The files of a fork: the steps in scope byte for byte in sealed files, and a new live file with what stands (T9, N5). A sealed file that holds
// nothing else is linked. Nothing outside the scope is in the fork's folder, and no file of the source is written.
import { join } from 'node:path';
import { FailureError, makeFailure } from '../../shared/model/failure';
import type { ConversationId, StepId } from '../../shared/model/ids';
import { nothingStands, type Standing, standAfter, transcriptVersion } from '../../shared/model/transcript';
import { type Disk, ensureFolder, namesIn } from '../lib/disk';
import { inSlices } from '../lib/slices';
import { systemCode } from '../lib/systemError';
import { folderName, liveName, sealedName, sealedSegments } from './fileName';
import { type LineSink, openLines, readLines, type SourceFile } from './forkLines';
import { LineWriter, writeLive } from './lineWriter';
import type { TranscriptPlace } from './liveFile';

/** Steps of one file of the source that are in scope, by the ids they have in it. */
export type ForkedFile = {
  file: number;
  steps: ReadonlySet<StepId>;
  /** The source has them from another conversation itself: its file may name that one. */
  isOfAnother: boolean;
};

export type TranscriptFork = {
  from: TranscriptPlace;
  to: TranscriptPlace;
  files: readonly ForkedFile[];
  /** Whether what a sealed file says besides its steps is all in scope. */
  isInScope(standing: Standing): boolean;
  standing(of: Standing): Standing;
  signal?: AbortSignal | undefined;
};

type Deps = { disk: Disk; folder: string };
type Work = Deps & TranscriptFork & { source: string; target: string };

/** Each file and the folder are flushed when it ends. Throws `transcriptNewer`, and system errors as they are. */
export async function forkFiles(deps: Deps, fork: TranscriptFork): Promise<void> {
  const { disk, folder } = deps;
  const work: Work = {
    ...deps,
    ...fork,
    source: folderOf(folder, fork.from.conversationId),
    target: folderOf(folder, fork.to.conversationId),
  };
  const sealed = sealedSegments(fork.from.agentId, namesIn(disk, work.source));
  const live = open(work, liveName(fork.from.agentId));
  try {
    let standing: Standing | undefined;
    for (const one of fork.files) {
      if (sealed.includes(one.file)) await forkSealed(work, one);
      else if (live?.head.segment === one.file) standing = await copyLines(work, live, one);
    }
    standing ??= live ? await copyLines(work, live, nothingOf(live)) : await standingOf(work, sealed.at(-1));
    const last = Math.max(0, live?.head.segment ?? 0, ...sealed, ...fork.files.map(({ file }) => file));
    await writeLive(
      disk,
      join(work.target, liveName(work.to.agentId)),
      { version: transcriptVersion, ...work.to, segment: last + 1 },
      fork.standing(standing),
    );
    disk.flushFolder(work.target);
  } finally {
    if (live) disk.close(live.handle);
  }
}

const nothingOf = ({ head }: SourceFile): ForkedFile => ({ file: head.segment, steps: new Set(), isOfAnother: false });

function folderOf(folder: string, id: ConversationId): string {
  return join(folder, folderName(id));
}

/** Undefined where it is not there or not to be used, as for who reads it (X10). `isOfAnother`: the database knows that it was linked from elsewhere. */
function open({ disk, source, from }: Work, name: string, isOfAnother = false): SourceFile | undefined {
  const path = join(source, name);
  const opened = openLines(disk, path);
  if (opened === 'newer')
    throw new FailureError(
      makeFailure('transcriptNewer', 'This transcript was written by a newer version of Bough.', { detail: { path } }),
    );
  if (opened === undefined) return undefined;
  const { head } = opened;
  const isIts = head.agentId === from.agentId && (isOfAnother || head.conversationId === from.conversationId);
  if (isIts) return opened;
  disk.close(opened.handle);
  return undefined;
}

/** The last sealed file says what stands where the live file is gone. */
async function standingOf(work: Work, sealed: number | undefined): Promise<Standing> {
  const file = sealed === undefined ? undefined : open(work, sealedName(work.from.agentId, sealed));
  if (!file) return nothingStands;
  try {
    return await copyLines(work, file, nothingOf(file));
  } finally {
    work.disk.close(file.handle);
  }
}

async function forkSealed(work: Work, one: ForkedFile): Promise<void> {
  const { disk, from, to, source, target } = work;
  const file = open(work, sealedName(from.agentId, one.file), one.isOfAnother);
  if (!file) return;
  try {
    if (
      (await holdsOnly(work, file, one)) &&
      link(disk, join(source, sealedName(from.agentId, one.file)), join(target, sealedName(to.agentId, one.file)))
    )
      return;
    await copyLines(work, file, one);
  } finally {
    disk.close(file.handle);
  }
}

/** Whether the fork may have this file as it is. */
async function holdsOnly(work: Work, file: SourceFile, { steps }: ForkedFile): Promise<boolean> {
  let only = true;
  let standing = nothingStands;
  const sink: LineSink = {
    step: (id) => {
      only &&= steps.has(id);
      return only;
    },
    entry: (entry) => {
      // Undone or not: what it says is in the file.
      if (entry.type === 'record' || entry.type === 'failed') standing = standAfter(standing, entry);
    },
  };
  await inSlices(readLines(work.disk, file, sink), { signal: work.signal });
  return only && work.isInScope(standing);
}

/** Says whether the file system took it: not every one has links, or another for the same file. */
function link(disk: Disk, from: string, to: string): boolean {
  try {
    disk.link(from, to);
    return true;
  } catch (error) {
    const code = systemCode(error);
    if (code === undefined || code === 'ENOSPC' || code === 'EDQUOT') throw error;
    return false;
  }
}

/** Copies the lines of the steps in scope into a sealed file of the fork, where there is one; gives what stands at the end of the file. */
async function copyLines(work: Work, file: SourceFile, { file: segment, steps }: ForkedFile): Promise<Standing> {
  const { disk, to, target, signal } = work;
  const out = new LineWriter(disk, join(target, sealedName(to.agentId, segment)), { version: transcriptVersion, ...to, segment });
  let standing = nothingStands;
  const sink: LineSink = {
    step: (id, line, parentId) => {
      if (steps.has(id)) out.add(line);
      if (standing.failed.size > 0) standing = withoutFailure(standing, parentId());
      return true;
    },
    entry: (entry) => {
      standing = standAfter(standing, entry);
    },
  };
  try {
    await inSlices(readLines(disk, file, sink), { signal });
    await out.end();
  } finally {
    out.close();
  }
  return standing;
}

function withoutFailure(standing: Standing, parentId: string | undefined): Standing {
  const failed = new Map([...standing.failed].filter(([id]) => id !== parentId));
  return failed.size === standing.failed.size ? standing : { ...standing, failed };
}

/** Makes the folders of a fork. */
export function makeForkFolder({ disk, folder }: Deps, id: ConversationId): void {
  ensureFolder(disk, folder);
  ensureFolder(disk, folderOf(folder, id));
}
