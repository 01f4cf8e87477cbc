// One file of a transcript as it is used: where its entries are, where the next one goes, what stands. The steps themselves stay on disk.
import type { MessageId, StepId } from '../../shared/model/ids';
import {
  nothingStands,
  type Standing,
  type Step,
  standAfter,
  type TranscriptEntry,
  type TranscriptHead,
} from '../../shared/model/transcript';
import { type Disk, writeAll } from '../lib/disk';
import { systemCode } from '../lib/systemError';
import { appendix, closing, type ParsedTranscript, parseEntry } from './transcriptFile';

type Span = { start: number; length: number };

export type Segment = {
  path: string;
  head: TranscriptHead;
  /** Bytes to the end of the last entry, and of the whole file: another number on disk means that someone else has written. */
  end: number;
  size: number;
  isEmpty: boolean;
  standing: Standing;
  steps: Map<StepId, Span>;
  /** The message of the oldest step in this file. */
  firstMessage: MessageId | null;
  /** A pass has folded the start of this file: it is to be sealed (X5). */
  isFolded: boolean;
  /** The steps as they were read when the file was opened, for the reading that nearly always follows; not kept beyond it. */
  fresh: Map<StepId, Step> | null;
};

export function segmentOf(path: string, parsed: Extract<ParsedTranscript, { status: 'read' }>): Segment {
  const segment: Segment = {
    path,
    head: parsed.head,
    end: parsed.end,
    size: parsed.end + closing.length,
    isEmpty: true,
    standing: nothingStands,
    steps: new Map(),
    firstMessage: null,
    isFolded: false,
    fresh: null,
  };
  const fresh = new Map<StepId, Step>();
  for (const { entry, start, length } of parsed.entries) {
    take(segment, entry, { start, length });
    if (entry.type === 'step') fresh.set(entry.step.id, entry.step);
  }
  segment.fresh = fresh;
  return segment;
}

function take(segment: Segment, entry: TranscriptEntry, span: Span): void {
  segment.isEmpty = false;
  segment.fresh = null;
  segment.standing = standAfter(segment.standing, entry);
  if (entry.type === 'record' && segment.firstMessage !== null && entry.record.folded.includes(segment.firstMessage))
    segment.isFolded = true;
  if (entry.type !== 'step') return;
  segment.steps.set(entry.step.id, span);
  segment.firstMessage ??= entry.step.messageId;
}

/** Whether the file is there with the length it was left with. */
export function isAsLeft(on: Disk, segment: Segment): boolean {
  let file: number;
  try {
    file = on.open(segment.path, 'r');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return false;
    throw error;
  }
  try {
    return on.size(file) === segment.size;
  } finally {
    on.close(file);
  }
}

/** Thrown when the file is not as long as it was left: it is to be read anew. */
export class SegmentChanged extends Error {}

/**
 * Writes one entry over the closing in one write and flushes it: its cost is that of the entry (X5). When it throws, the file is as it was, or
 * torn where even that failed; `segment` is then no longer true and has to be read anew.
 */
export function appendEntry(on: Disk, segment: Segment, entry: TranscriptEntry): void {
  const line = JSON.stringify(entry);
  const bytes = Buffer.from(appendix(line, segment.isEmpty));
  const file = on.open(segment.path, 'r+');
  try {
    if (on.size(file) !== segment.size) throw new SegmentChanged(segment.path);
    try {
      writeAll(on, file, bytes, segment.end);
      on.flush(file);
    } catch (error) {
      closeAt(on, file, segment.end);
      throw error;
    }
  } finally {
    on.close(file);
  }
  const lineBytes = Buffer.byteLength(line);
  take(segment, entry, { start: segment.end + bytes.length - closing.length - lineBytes, length: lineBytes });
  segment.end += bytes.length - closing.length;
  segment.size = segment.end + closing.length;
}

/** Takes back what a failed write has left. Where this fails too, the next opening cuts it. */
function closeAt(on: Disk, file: number, end: number): void {
  try {
    cut(on, file, end);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
  }
}

/** Cuts the file behind its last whole entry and closes the document. */
export function cut(on: Disk, file: number, end: number): void {
  on.truncate(file, end);
  writeAll(on, file, Buffer.from(closing), end);
  on.flush(file);
}

/** Those of the steps that are in this file, as they stand in it. */
export function readSteps(on: Disk, segment: Segment, ids: readonly StepId[]): Step[] {
  const { fresh } = segment;
  segment.fresh = null;
  if (fresh) return ids.flatMap((id) => fresh.get(id) ?? []);
  const spans = ids.flatMap((id) => segment.steps.get(id) ?? []);
  if (spans.length === 0) return [];
  const file = on.open(segment.path, 'r');
  try {
    return spans.flatMap(({ start, length }) => {
      const bytes = Buffer.alloc(length);
      const entry = on.read(file, bytes, start) === length ? parseEntry(bytes) : undefined;
      return entry?.type === 'step' ? [entry.step] : [];
    });
  } finally {
    on.close(file);
  }
}
