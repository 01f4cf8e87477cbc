// The tree as rows for a page, in the order it is told, a few at a time: a window must not hold a large tree with its attachments at once (R4).
import type { ExportRow, ExportRows } from '../../../shared/model/export';
import type { BlobHash, MessageId } from '../../../shared/model/ids';
import type { Message, Part } from '../../../shared/model/message';
import { type Bundle, type ExportContext, type Include, limitBundle } from './bundle';
import { type Line, linesOfTree } from './walkTree';

/** Of one slice. `weight` in characters of text and base64. */
const most = { rows: 60, weight: 2_000_000 };

export async function* toRows(whole: Bundle, include: Include, context: ExportContext): AsyncGenerator<ExportRows> {
  const bundle = limitBundle(whole, include);
  const resultsOf = resultsBy(bundle);
  const frame = {
    title: bundle.conversation.title,
    exportedAt: context.exportedAt,
    agents: bundle.agents.map(({ id, name }) => ({ id, name })),
  };
  let slice: ExportRows = { ...frame, first: true, last: false, rows: [] };
  let weight = 0;
  for (const placed of placesOf(bundle)) {
    const files = include.attachments ? await filesOf(placed.message, context) : {};
    const row: ExportRow = { ...placed, results: resultsOf(placed.message), files };
    slice.rows.push(row);
    weight += weightOf(row);
    if (slice.rows.length < most.rows && weight < most.weight) continue;
    yield slice;
    slice = { ...frame, first: false, last: false, rows: [] };
    weight = 0;
  }
  yield { ...slice, last: true };
}

function* placesOf({ messages, tipId, labels }: Bundle): Generator<Omit<ExportRow, 'results' | 'files'>> {
  const labelOf = new Map(labels.map(({ messageId, label }) => [messageId, label]));
  const lines = linesOfTree(messages, tipId);
  const leaving = new Map<MessageId, MessageId[]>();
  for (const { messages: line, from } of lines) {
    const [first] = line;
    if (from && first) leaving.set(from.message.id, [...(leaving.get(from.message.id) ?? []), first.id]);
  }
  for (const { messages: line, from } of lines) {
    for (const [index, message] of line.entries()) {
      yield {
        message,
        label: labelOf.get(message.id),
        from: index === 0 && from ? fromOf(from, line.length) : undefined,
        leaving: leaving.get(message.id) ?? [],
        onBranch: from !== null,
        last: index === line.length - 1,
      };
    }
  }
}

function fromOf({ message, branch, branches }: NonNullable<Line['from']>, length: number): ExportRow['from'] {
  const text = message.parts.flatMap((part) => (part.type === 'text' ? [part.text.slice(0, 400)] : [])).join(' ');
  const start = text.replaceAll(/\s+/gu, ' ').trim();
  return { id: message.id, start: start.length <= 80 ? start : `${start.slice(0, 80)}…`, branch, branches, messages: length };
}

function resultsBy({ transcripts }: Bundle): (message: Message) => Record<string, string> {
  const steps = new Map(transcripts.flatMap((one) => one.steps.map((step) => [step.messageId, step.results] as const)));
  return ({ id }) =>
    Object.fromEntries((steps.get(id) ?? []).flatMap(({ callId, content }) => (content === undefined ? [] : [[callId, content]])));
}

async function filesOf({ parts }: Message, { readBlob }: ExportContext): Promise<ExportRow['files']> {
  const files: [BlobHash, string | null][] = [];
  for (const part of parts) {
    if (!isAttachment(part)) continue;
    const bytes = await readBlob(part.hash);
    files.push([part.hash, bytes && Buffer.from(bytes).toString('base64')]);
  }
  return Object.fromEntries(files);
}

function isAttachment(part: Part): part is Extract<Part, { type: 'image' | 'file' }> {
  return part.type === 'image' || part.type === 'file';
}

function weightOf({ message, results, files }: ExportRow): number {
  let weight = 0;
  for (const part of message.parts) weight += 'text' in part ? part.text.length : 200;
  for (const text of [...Object.values(results), ...Object.values(files)]) weight += text?.length ?? 0;
  return weight;
}
