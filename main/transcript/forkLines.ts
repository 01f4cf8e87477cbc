// Reads a transcript line by line without parsing its steps: for a fork only their ids count, and parsing megabytes would take a hundred times as
// long as copying them (N5).
import type { StepId } from '../../shared/model/ids';
import type { TranscriptEntry, TranscriptHead } from '../../shared/model/transcript';
import type { Disk } from '../lib/disk';
import { systemCode } from '../lib/systemError';
import { linesOf } from './lines';
import { closing, parseEntry, parseHead } from './transcriptFile';

/** `size`: bytes up to the closing; nothing in them changes while the file grows. */
export type SourceFile = { handle: number; head: TranscriptHead; size: number };

export type LineSink = {
  /** `line` holds until this returns. False ends the reading. */
  step(id: StepId, line: Buffer, parentId: () => string | undefined): boolean;
  entry(entry: Exclude<TranscriptEntry, { type: 'step' }>): void;
};

/** Undefined where there is none or its head makes no sense. */
export function openLines(disk: Disk, path: string): SourceFile | 'newer' | undefined {
  let handle: number;
  try {
    handle = disk.open(path, 'r');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
  let head: ReturnType<typeof parseHead> = 'unreadable';
  try {
    const size = sizeOf(disk, handle);
    const first = linesOf(sourceOf(disk, handle, size), 4096).next().value?.bytes;
    head = first ? parseHead(first) : 'unreadable';
    if (typeof head === 'object') return { handle, head, size };
  } finally {
    if (typeof head !== 'object') disk.close(handle);
  }
  return head === 'newer' ? 'newer' : undefined;
}

function sizeOf(disk: Disk, handle: number): number {
  const size = disk.size(handle);
  const end = Buffer.alloc(closing.length);
  const isClosed = size >= end.length && disk.read(handle, end, size - end.length) === end.length && end.toString('latin1') === closing;
  return isClosed ? size - end.length : size;
}

function sourceOf(disk: Disk, handle: number, size: number) {
  return {
    size,
    read: (into: Buffer, position: number) => {
      const room = into.subarray(0, Math.max(0, size - position));
      return room.length === 0 ? 0 : disk.read(handle, room, position);
    },
  };
}

const stepStart = Buffer.from('{"type":"step","step":{"id":"');
const quote = 0x22;
const comma = 0x2c;
const brace = 0x7d;
/** Within the first bytes of a step, before what a model said. */
const parentPattern = /^\{"type":"step","step":\{"id":"[^"]*","messageId":"[^"]*","parentId":"([^"]*)"/;

export function* readLines(disk: Disk, file: SourceFile, sink: LineSink): Generator<void, void, void> {
  let isHead = true;
  for (const { bytes, start } of linesOf(sourceOf(disk, file.handle, file.size))) {
    yield;
    if (isHead) {
      isHead = false;
      continue;
    }
    const line = bytes[bytes.length - 1] === comma ? bytes.subarray(0, bytes.length - 1) : bytes;
    // The last line may be what a crash left of a write.
    const isLast = start + bytes.length >= file.size;
    if (!take(line, isLast, sink)) return;
  }
}

const startsLikeStep = (line: Buffer): boolean => line.length >= stepStart.length && stepStart.compare(line, 0, stepStart.length) === 0;

function take(line: Buffer, isLast: boolean, sink: LineSink): boolean {
  if (!isLast && line[line.length - 1] === brace && startsLikeStep(line)) {
    const id = line.toString('latin1', stepStart.length, line.indexOf(quote, stepStart.length));
    return sink.step(id as StepId, line, () => parentPattern.exec(line.toString('latin1', 0, 2000))?.[1]);
  }
  const entry = parseEntry(line);
  if (entry?.type === 'step') return sink.step(entry.step.id, line, () => entry.step.parentId);
  if (entry) sink.entry(entry);
  return true;
}
