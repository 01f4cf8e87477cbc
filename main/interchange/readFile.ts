// Reads one file as a stream and gives its conversations one by one: the format is told from the content, damage costs only what is damaged.

import type { FileProblem, ImportFormatId, SkipReason } from '../../shared/model/importReport';
import { parseJson } from '../lib/parseJson';
import { closeCut } from './closeCut';
import type { Found, ImportContext, LineFormat, MemberFormat, ValueFormat } from './format';
import { lineFormats, memberFormats, valueFormats } from './formats';
import { bough } from './import/bough';
import type { ImportedConversation } from './importedTree';
import { JsonLines } from './jsonLines';
import { JsonPieces, type Piece } from './jsonPieces';
import type { OwnLine } from './ownLine';
import { shapeOf } from './shapeOf';
import { toConversation } from './toConversation';

export type FileEvent =
  | { type: 'format'; format: ImportFormatId }
  | { type: 'conversation'; conversation: ImportedConversation }
  | { type: 'own'; line: OwnLine }
  | { type: 'skipped'; title: string | null; reason: SkipReason }
  | { type: 'problem'; problem: FileProblem };

type Bytes = AsyncIterable<Buffer>;
type Values = AsyncGenerator<Value>;
/** `value` is undefined where its bytes are no JSON. `isAfter`: it stands behind the outermost list or object. */
type Value = { key: string | null; value: unknown; cut: boolean; reason?: SkipReason | undefined; isAfter?: boolean | undefined };

/** So many elements are looked at before a file is nobody's. */
const mostLooks = 50;
const headSize = 1024 * 1024;

export async function* readFile(bytes: Bytes, context: ImportContext): AsyncGenerator<FileEvent> {
  const { head, isAll, whole } = await withHead(utf8(bytes));
  const shape = shapeOf(head, isAll);
  if (shape === 'empty') yield { type: 'problem', problem: 'empty' };
  else if (shape === 'list') yield* readValues(piecesOf(whole), context);
  else if (shape === 'object') yield* readObject(piecesOf(whole), context);
  else if (shape === 'lines') yield* readLines(whole, context);
  else yield { type: 'problem', problem: 'notJson' };
}

/** A list, or the list inside a wrapping object. Elements before the first that a format knows are read by that format, too. */
async function* readValues(values: Values, context: ImportContext): AsyncGenerator<FileEvent> {
  const waiting: Value[] = [];
  let format: ValueFormat | undefined;
  let wasCut = false;
  for await (const next of values) {
    wasCut ||= next.cut;
    // What else a wrapping object says is no conversation.
    if (next.key !== null) continue;
    if (format === undefined) {
      waiting.push(next);
      format = valueFormats.find((one) => one.claims(next.value));
      if (format === undefined && waiting.length >= mostLooks) break;
      if (format === undefined) continue;
      yield { type: 'format', format: format.id };
      for (const value of waiting.splice(0)) yield* readValue(format, value, context);
    } else yield* readValue(format, next, context);
  }
  if (format === undefined) yield { type: 'problem', problem: problemOf(waiting, wasCut) };
  else if (wasCut) yield { type: 'problem', problem: 'cut' };
}

function problemOf(values: readonly Value[], wasCut: boolean): FileProblem {
  if (values.some(({ reason }) => reason === 'unreadable') && values.every(({ value }) => value === undefined)) return 'notJson';
  return wasCut ? 'cut' : 'notRecognized';
}

function* readValue(format: ValueFormat, { value, cut, reason }: Value, context: ImportContext): Generator<FileEvent> {
  if (reason !== undefined) yield { type: 'skipped', title: null, reason };
  else yield* events(format.read(value, context), { format: format.id, context, cut });
}

function* events(
  found: readonly Found[],
  { format, context, cut }: { format: ImportFormatId; context: ImportContext; cut: boolean },
): Generator<FileEvent> {
  for (const one of found) {
    if (!('conversation' in one)) {
      if ('own' in one) yield { type: 'own', line: one.own };
      else if ('problem' in one) yield { type: 'problem', problem: one.problem };
      else yield { type: 'skipped', ...one.skipped };
      continue;
    }
    const conversation = toConversation(one.conversation, format, context.fileName);
    if (conversation === null) yield { type: 'skipped', title: one.conversation.title, reason: 'noMessages' };
    else yield { type: 'conversation', conversation: cut ? { ...conversation, cut } : conversation };
  }
}

/** Members are kept until a format knows one of them, or the object is whole and may be a single conversation. */
async function* readObject(values: Values, context: ImportContext): AsyncGenerator<FileEvent> {
  const members: Value[] = [];
  for await (const next of values) {
    if (next.isAfter) {
      // Lines of JSON whose first one is long, or objects one after the other.
      yield* readValues(joined([wholeOf(members), next], values), context);
      return;
    }
    if (next.key === null) {
      const isOwn = members.some(({ key }) => key === 'bough') || bough.claims([next.value]);
      yield* isOwn ? readLinesOf(bough, joined(next, values), context) : readValues(joined(next, values), context);
      return;
    }
    members.push(next);
    const format = memberFormats.find((one) => next.key !== null && one.claims(next.key, next.value));
    if (format === undefined) continue;
    yield* readMembers(format, joined(members, values), context);
    return;
  }
  yield* readValues(joined([wholeOf(members)], undefined), context);
}

async function* readMembers(format: MemberFormat, members: Values, context: ImportContext): AsyncGenerator<FileEvent> {
  yield { type: 'format', format: format.id };
  const reader = format.start(context);
  let cut = false;
  for await (const { key, value, cut: isCut, reason } of members) {
    cut ||= isCut;
    if (reason !== undefined || key === null) yield { type: 'skipped', title: null, reason: reason ?? 'unreadable' };
    else yield* events(reader.member(key, value), { format: format.id, context, cut: isCut });
  }
  yield* events(reader.end(), { format: format.id, context, cut });
  if (cut) yield { type: 'problem', problem: 'cut' };
}

function wholeOf(members: readonly Value[]): Value {
  const isWhole = members.filter(({ value }) => value !== undefined);
  // `fromEntries` makes own fields of any name, `__proto__` among them.
  const value = Object.fromEntries(isWhole.map(({ key, value: member }) => [key ?? '', member]));
  const cut = members.some((member) => member.cut);
  const reason = members.find((member) => member.reason !== undefined)?.reason;
  if (isWhole.length > 0) return { key: null, value, cut };
  return { key: null, value: undefined, cut, ...(reason === undefined ? {} : { reason }) };
}

async function* joined(first: Value | readonly Value[], rest: Values | undefined): Values {
  yield* [first].flat();
  if (rest !== undefined) yield* rest;
}

async function* readLines(bytes: Bytes, context: ImportContext): AsyncGenerator<FileEvent> {
  const lines = linesOf(bytes);
  const first: Value[] = [];
  // By hand: leaving a loop over them would close them.
  while (first.length < mostLooks) {
    const { value, done } = await lines.next();
    if (done === true) break;
    first.push(value);
  }
  const values = first.map(({ value }) => value);
  const format = lineFormats.find((one) => one.claims(values));
  if (format === undefined) {
    yield* readValues(joined(first, lines), context);
    return;
  }
  yield* readLinesOf(format, joined(first, lines), context);
}

async function* readLinesOf(format: LineFormat, lines: Values, context: ImportContext): AsyncGenerator<FileEvent> {
  yield { type: 'format', format: format.id };
  const reader = format.start(context);
  let cut = false;
  for await (const line of lines) {
    cut = line.cut;
    // What else a wrapping object says is no line.
    if (line.key !== null) continue;
    // Half a line is none, and that is said once.
    const value = line.cut ? null : (line.value ?? null);
    if (format.id !== 'bough' || !line.cut) yield* events(reader.line(value), { format: format.id, context, cut: false });
  }
  const last = [...events(reader.end(), { format: format.id, context, cut })];
  yield* last;
  if (cut && !last.some(({ type }) => type === 'problem')) yield { type: 'problem', problem: 'cut' };
}

async function* linesOf(bytes: Bytes): Values {
  const lines = new JsonLines();
  const toValue = (line: { bytes: Buffer; tooLarge: boolean }): Value => {
    const value = line.tooLarge ? undefined : parseJson(line.bytes.toString('utf8').replace('\ufeff', ''));
    return { key: null, value, cut: false, ...(value === undefined ? { reason: 'unreadable' as const } : {}) };
  };
  for await (const chunk of bytes) yield* lines.push(chunk).map(toValue);
  // The last line of a whole file may lack its end, but not its value.
  for (const line of lines.end().map(toValue)) yield { ...line, cut: line.value === undefined };
}

async function* piecesOf(bytes: Bytes): Values {
  const pieces = new JsonPieces();
  for await (const chunk of bytes) yield* pieces.push(chunk).map(toValue);
  yield* pieces.end().map(toValue);
  // It may be cut between two of them.
  if (!pieces.isClosed) yield { key: '', value: undefined, cut: true };
}

function toValue({ kind, bytes, cut, tooLarge }: Piece): Value {
  if (tooLarge) return { key: null, value: undefined, cut, reason: 'tooLarge' };
  const text = bytes.toString('utf8').replace(/^\ufeff/, '');
  const json = kind === 'member' ? `{${text}}` : text;
  const found = parseJson(json) ?? (cut ? parseJson(closeCut(kind === 'member' ? `{${text}` : text) ?? '') : undefined);
  // The start of something that was JSON until the file ended.
  const isStart = cut && /^\s*(?:\{\s*(?:"|$)|")/.test(text);
  const reason = found === undefined && !isStart ? { reason: 'unreadable' as const } : {};
  if (kind !== 'member') return { key: null, value: found, cut, ...(kind === 'after' ? { isAfter: true } : {}), ...reason };
  const [entry] = Object.entries(Object(found));
  if (entry === undefined) return { key: '', value: undefined, cut, ...reason };
  return { key: entry[0], value: entry[1], cut };
}

/** Reads the head without losing it to who reads the whole. */
async function withHead(bytes: Bytes): Promise<{ head: Buffer; isAll: boolean; whole: Bytes }> {
  const iterator = bytes[Symbol.asyncIterator]();
  const first: Buffer[] = [];
  let size = 0;
  let isAll = false;
  while (size < headSize && !isAll) {
    const { value, done } = await iterator.next();
    if (done === true) isAll = true;
    else {
      first.push(value);
      size += value.length;
    }
  }
  const rest = { [Symbol.asyncIterator]: () => iterator };
  return { head: Buffer.concat(first), isAll, whole: isAll ? from(first) : from(first, rest) };
}

async function* from(first: Buffer[], rest?: Bytes): AsyncGenerator<Buffer> {
  for (let next = first.shift(); next !== undefined; next = first.shift()) yield next;
  if (rest) yield* rest;
}

/** Editors of Windows save as UTF-16: told by its mark, or by the zeros beside the first bracket, and made UTF-8. */
async function* utf8(bytes: Bytes): AsyncGenerator<Buffer> {
  let decoder: TextDecoder | null | undefined;
  for await (const chunk of bytes) {
    if (decoder === undefined && chunk.length > 1) {
      const [first = 0, second = 0] = chunk;
      if ((first === 0xff && second === 0xfe) || (first > 0 && second === 0)) decoder = new TextDecoder('utf-16le');
      else if ((first === 0xfe && second === 0xff) || (first === 0 && second > 0)) decoder = new TextDecoder('utf-16be');
      else decoder = null;
    }
    yield decoder ? Buffer.from(decoder.decode(chunk, { stream: true }), 'utf8') : chunk;
  }
}
