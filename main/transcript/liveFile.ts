// Opens the live file of a transcript: makes it, cuts a torn end, keeps a damaged or foreign one aside (X2, X5, X10).
import { dirname, join } from 'node:path';
import { FailureError, makeFailure } from '../../shared/model/failure';
import type { AgentId, ConversationId } from '../../shared/model/ids';
import { entriesOf, nothingStands, type Standing, type TranscriptHead, transcriptVersion } from '../../shared/model/transcript';
import { type Disk, ensureFolder, namesIn, writeWholeNow } from '../lib/disk';
import { systemCode } from '../lib/systemError';
import { asideName, folderName, liveName, sealedName, sealedSegments } from './fileName';
import { sourceOf } from './lines';
import { cut, type Segment, segmentOf } from './segment';
import { fileText, type ParsedTranscript, parseTranscript } from './transcriptFile';

/** Whose transcript it is: one file for each conversation and agent (X1). */
export type TranscriptPlace = { conversationId: ConversationId; agentId: AgentId };

/**
 * `repaired`: `count` bad entries were skipped, `setAside`: the file could not be used at all; the original was copied or moved aside.
 * `skipped` and `unusable`: the same of a file that is never changed. `textLost`: `count` long texts are gone. `long`: a file of `count` bytes
 * that `why` keeps from being sealed. `lacking`: `count` steps that the database knows are in no file.
 */
export type TranscriptNotice = {
  kind: 'repaired' | 'setAside' | 'skipped' | 'unusable' | 'textLost' | 'long' | 'lacking';
  path: string;
  count: number;
  why?: string | undefined;
};

export type LiveFileDeps = {
  disk: Disk;
  /** `.bough/transcripts`; the folder above it must be there. */
  folder: string;
  notify(notice: TranscriptNotice): void;
};

type Opening = LiveFileDeps & { place: TranscriptPlace; path: string };
type Read = Extract<ParsedTranscript, { status: 'read' }>;

/** Throws `transcriptNewer`, and system errors as they are. */
export function openLive(deps: LiveFileDeps, place: TranscriptPlace): Segment {
  const path = livePath(deps.folder, place);
  ensureFolder(deps.disk, deps.folder);
  ensureFolder(deps.disk, dirname(path));
  removePartial(deps.disk, dirname(path));
  const opening = { ...deps, place, path };
  const parsed = parseAt(deps.disk, path);
  if (!parsed) return makeNext(opening);
  if (parsed.status === 'newer') throw newer(path);
  if (parsed.status === 'unreadable' || !belongs(opening, parsed.head)) {
    deps.disk.rename(path, freeAside(opening));
    deps.notify({ kind: 'setAside', path, count: 1 });
    return makeNext(opening);
  }
  if (parsed.state === 'damaged') return rewrite(opening, parsed);
  const segment = segmentOf(path, parsed);
  if (parsed.state === 'torn') mend(deps.disk, segment);
  return segment;
}

/** The same for a workspace that is only read: nothing is made, mended or moved. */
export function readLive(deps: LiveFileDeps, place: TranscriptPlace): Segment {
  const path = livePath(deps.folder, place);
  const parsed = parseAt(deps.disk, path);
  if (parsed?.status === 'newer') throw newer(path);
  if (parsed?.status === 'read' && isOf(place, parsed.head)) {
    if (parsed.skipped > 0) deps.notify({ kind: 'skipped', path, count: parsed.skipped });
    return segmentOf(path, parsed);
  }
  if (parsed) deps.notify({ kind: 'unusable', path, count: 1 });
  const opening = { ...deps, place, path };
  const last = lastSealed(opening);
  const head = headOf(place, last + 1);
  const standing = openSealed(deps, place, last)?.standing ?? nothingStands;
  return { ...segmentOf(path, { status: 'read', head, entries: [], end: 0, state: 'whole', skipped: 0 }), standing };
}

/** The file a sealed one of this number is in; undefined where it is gone or makes no sense. `isOfAnother`: linked from another conversation. */
export function openSealed(deps: LiveFileDeps, place: TranscriptPlace, segment: number, isOfAnother = false): Segment | undefined {
  const path = join(deps.folder, folderName(place.conversationId), sealedName(place.agentId, segment));
  const parsed = parseAt(deps.disk, path);
  const isIts = (head: TranscriptHead) => (isOfAnother ? head.agentId === place.agentId : isOf(place, head));
  if (parsed?.status !== 'read' || !isIts(parsed.head)) {
    if (segment > 0) deps.notify({ kind: 'unusable', path, count: 1 });
    return undefined;
  }
  if (parsed.skipped > 0) deps.notify({ kind: 'skipped', path, count: parsed.skipped });
  return segmentOf(path, parsed);
}

/** Gives the live file its number for good and starts the next one with what still stands (X5). The next opening goes on where this ends. */
export function seal(deps: LiveFileDeps, place: TranscriptPlace, live: Segment): Segment {
  const folder = dirname(live.path);
  deps.disk.rename(live.path, join(folder, sealedName(place.agentId, live.head.segment)));
  deps.disk.flushFolder(folder);
  return make({ ...deps, place, path: live.path }, live.head.segment + 1, live.standing);
}

function isOf(place: TranscriptPlace, head: TranscriptHead): boolean {
  return head.conversationId === place.conversationId && head.agentId === place.agentId;
}

/** A live file whose number is taken by a sealed one would be renamed over it: it comes from somewhere else. */
function belongs(opening: Opening, head: TranscriptHead): boolean {
  return isOf(opening.place, head) && head.segment > lastSealed(opening);
}

function lastSealed({ disk, path, place }: Opening): number {
  return sealedSegments(place.agentId, namesIn(disk, dirname(path))).at(-1) ?? 0;
}

/** What a crash left of files that were being made. One that cannot be removed does no harm. */
function removePartial(disk: Disk, folder: string): void {
  try {
    for (const name of disk.names(folder)) if (/^\..+\.now\.tmp$/.test(name)) disk.remove(join(folder, name));
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
  }
}

export function livePath(folder: string, place: TranscriptPlace): string {
  return join(folder, folderName(place.conversationId), liveName(place.agentId));
}

function newer(path: string): FailureError {
  return new FailureError(makeFailure('transcriptNewer', 'This transcript was written by a newer version of Bough.', { detail: { path } }));
}

function headOf({ conversationId, agentId }: TranscriptPlace, segment: number): TranscriptHead {
  return { version: transcriptVersion, conversationId, agentId, segment };
}

/** The first file, or the one after the last that was sealed: also where the program ended between sealing and this. */
function makeNext(opening: Opening): Segment {
  const last = lastSealed(opening);
  return make(opening, last + 1, openSealed(opening, opening.place, last)?.standing ?? nothingStands);
}

function make({ disk, path, place }: Opening, segment: number, standing: Standing): Segment {
  const lines = entriesOf(standing).map((entry) => JSON.stringify(entry));
  return write(disk, path, fileText(headOf(place, segment), lines));
}

/** The good lines byte for byte in a new file, after the damaged one was copied aside. */
function rewrite(opening: Opening, parsed: Read): Segment {
  const { disk, path, notify } = opening;
  const bytes = disk.readWhole(path);
  if (parsed.skipped > 0) disk.copy(path, freeAside(opening));
  const lines = parsed.entries.map(({ start, length }) => bytes.subarray(start, start + length).toString('utf8'));
  const segment = write(disk, path, fileText(parsed.head, lines));
  if (parsed.skipped > 0) notify({ kind: 'repaired', path, count: parsed.skipped });
  return segment;
}

function write(disk: Disk, path: string, text: string): Segment {
  const bytes = Buffer.from(text);
  writeWholeNow(disk, path, bytes);
  const parsed = parseTranscript(sourceOf(bytes));
  if (parsed.status !== 'read') throw new Error('a transcript that was just made cannot be read');
  return segmentOf(path, parsed);
}

function mend(disk: Disk, segment: Segment): void {
  const file = disk.open(segment.path, 'r+');
  try {
    cut(disk, file, segment.end);
  } finally {
    disk.close(file);
  }
}

function freeAside({ disk, path, place }: Opening): string {
  const names = new Set(disk.names(dirname(path)));
  let count = 1;
  while (names.has(asideName(place.agentId, count))) count++;
  return join(dirname(path), asideName(place.agentId, count));
}

/** Undefined where there is no file. */
function parseAt(disk: Disk, path: string): ParsedTranscript | undefined {
  let file: number;
  try {
    file = disk.open(path, 'r');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
  try {
    return parseTranscript({ size: disk.size(file), read: (into, position) => disk.read(file, into, position) });
  } finally {
    disk.close(file);
  }
}
