// The bytes of a transcript: one JSON document, a head line, one entry a line, then the closing. What a crash leaves at its end is told apart
// from damage (X2, X10). Reads and makes bytes only.
import { isAscii, isUtf8 } from 'node:buffer';
import {
  type TranscriptEntry,
  type TranscriptHead,
  transcriptEntrySchema,
  transcriptHeadSchema,
  transcriptVersion,
} from '../../shared/model/transcript';
import { type ByteSource, linesOf, restOf } from './lines';
import { isPlainStep } from './plainStep';

export const closing = '\n]}';
const entriesKey = ',"entries":[';
const comma = 0x2c;

/** An entry with the place of its JSON in the file, in bytes. */
export type PlacedEntry = { entry: TranscriptEntry; start: number; length: number };

export type ParsedTranscript =
  | {
      status: 'read';
      head: TranscriptHead;
      entries: PlacedEntry[];
      /** Bytes up to and with the last whole entry (or the head); the closing, or the rest of a torn write, follows. */
      end: number;
      /** `torn`: a write was cut off; `damaged`: `skipped` lines that are no entries, or lines that are not joined as they should be. */
      state: 'whole' | 'torn' | 'damaged';
      skipped: number;
    }
  /** Of a later version of the format. */
  | { status: 'newer' }
  /** Even its head cannot be read. */
  | { status: 'unreadable' };

export function headText(head: TranscriptHead): string {
  return `${JSON.stringify(head).slice(0, -1)}${entriesKey}`;
}

/** A whole file of these entries, each the text of one line. */
export function fileText(head: TranscriptHead, lines: readonly string[]): string {
  return headText(head) + lines.map((line, index) => (index === 0 ? `\n${line}` : `,\n${line}`)).join('') + closing;
}

/** What is written over the closing to append one line. */
export function appendix(line: string, isFirst: boolean): string {
  return `${isFirst ? '' : ','}\n${line}${closing}`;
}

/** `chunkSize`: bytes read at a time. */
export function parseTranscript(source: ByteSource, chunkSize?: number): ParsedTranscript {
  const lines = linesOf(source, chunkSize);
  const first = lines.next().value?.bytes ?? Buffer.alloc(0);
  const headLength = lengthToNul(first);
  const head = parseHead(first.subarray(0, headLength));
  if (head === 'newer' || head === 'unreadable') return { status: head };
  const entries: PlacedEntry[] = [];
  let end = headLength;
  let skipped = 0;
  let badSinceEntry = 0;
  let isJoined = true;
  /** What stands between the last entry and one that follows it as it should: a comma, and the line end. */
  let gap = 1;
  for (const { bytes, start } of lines) {
    if (bytes.length === 2 && bytes.toString('latin1') === ']}') break;
    const { entry, length } = entryOf(bytes);
    if (entry) {
      isJoined &&= start === end + gap;
      entries.push({ entry, start, length });
      skipped += badSinceEntry;
      badSinceEntry = 0;
      end = start + length;
      gap = bytes[length] === comma ? 2 : Number.NaN;
    } else if (length > 0) badSinceEntry++;
  }
  const tail = tailOf(restOf(source, end).toString('latin1'));
  skipped += tail.damaged;
  const state = skipped > 0 || !isJoined ? 'damaged' : tail.closed ? 'whole' : 'torn';
  return { status: 'read', head, entries, end, state, skipped };
}

/** The entry of a line, and its length without what joins it to the next. Looked at for NULs only when it is none: no JSON holds one. */
function entryOf(line: Buffer): { entry: TranscriptEntry | undefined; length: number } {
  const within = (end: number) => {
    const length = end - (line[end - 1] === comma ? 1 : 0);
    return { entry: parseEntry(line.subarray(0, length)), length };
  };
  const whole = within(line.length);
  if (whole.entry) return whole;
  const end = lengthToNul(line);
  return end === line.length ? whole : within(end);
}

/** A line ends before the first NUL: behind it a write is missing. */
function lengthToNul(line: Buffer): number {
  const nul = line.indexOf(0);
  return nul < 0 ? line.length : nul;
}

/** A torn write leaves at most one line that is no entry; a line that was written to its closing and is none was damaged later. */
function tailOf(rest: string): { closed: boolean; damaged: number } {
  if (rest === closing) return { closed: true, damaged: 0 };
  const bad = rest.split('\n').filter((line) => line !== '' && line !== ',' && line !== ']}').length;
  const complete = /^,?\n\{/.test(rest) && rest.endsWith(closing) && !rest.includes('\0');
  return { closed: false, damaged: bad > 1 || complete ? bad : 0 };
}

/** The head in these bytes of the first line. */
export function parseHead(line: Buffer): TranscriptHead | 'newer' | 'unreadable' {
  const text = line.toString('utf8');
  if (!text.endsWith(entriesKey)) return 'unreadable';
  const value = parseJson(Buffer.from(`${text.slice(0, -entriesKey.length)}}`));
  if (typeof value === 'object' && value !== null && 'version' in value) {
    if (typeof value.version === 'number' && value.version > transcriptVersion) return 'newer';
  }
  const head = transcriptHeadSchema.safeParse(value);
  return head.success && head.data.version === transcriptVersion ? head.data : 'unreadable';
}

/** The entry in these bytes of one line; undefined when they are none. */
export function parseEntry(json: Buffer): TranscriptEntry | undefined {
  const value = parseJson(json);
  if (value === undefined) return undefined;
  if (isPlainStep(value)) return value;
  const entry = transcriptEntrySchema.safeParse(value);
  return entry.success ? entry.data : undefined;
}

/** Bytes that are no UTF-8 are no JSON: nothing is read as a stand-in for them. */
function parseJson(json: Buffer): unknown {
  if (!isUtf8(json)) return undefined;
  try {
    // The same string, decoded several times quicker and kept in half the memory.
    return JSON.parse(json.toString(isAscii(json) ? 'latin1' : 'utf8'));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
