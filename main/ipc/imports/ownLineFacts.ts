// What is told of the lines of one of Bough's own exports: what a reader sees of them, what they take, and what they bring with them (I2, I5). Pure.
import type { BlobHash, MessageId, RecordId } from '../../../shared/model/ids';
import type { MemoryRecord } from '../../../shared/model/memoryRecord';
import type { Part } from '../../../shared/model/message';
import type { StepPart, TranscriptEntry } from '../../../shared/model/transcript';
import type { OwnLine } from '../../interchange/ownLine';

export type OwnFact = Exclude<OwnLine, { type: 'begin' | 'end' }>;

/** What a reader sees of it: a step whose words are others would be sent in the name of a message that nobody has read. */
export function said(parts: readonly (Part | StepPart)[]): string {
  const words: string[][] = [];
  for (const part of parts) {
    if (part.type === 'text' && part.text !== '') words.push([asStored(part.text)]);
    if (part.type === 'toolCall') words.push([part.callId, part.name, part.arguments]);
  }
  return JSON.stringify(words);
}

/** Half of a pair stays in a transcript, and is a stand-in character in the database. */
const asStored = (text: string): string => (/[\ud800-\udfff]/.test(text) ? Buffer.from(text).toString() : text);

/** Characters that a line takes while it is gathered. */
export function gatheredSize(line: OwnFact): number {
  if (line.type !== 'message') return line.type === 'record' ? JSON.stringify(line.record).length : 200;
  return line.message.parts.reduce((sum, part) => {
    if (part.type === 'text' || part.type === 'reasoning') return sum + part.text.length;
    if (part.type === 'raw') return sum + part.json.length;
    return sum + (part.type === 'toolCall' ? part.arguments.length : 200);
  }, 500);
}

/** The message that a record or a failure hangs on. */
export function placeOf(entry: TranscriptEntry): MessageId {
  if (entry.type === 'record') return entry.record.anchorId;
  return entry.type === 'failed' ? entry.parentId : ('' as MessageId);
}

/**
 * Pages show a model what they name: only what came in this file, or it would be told what else is in this workspace. Other records go; told is how
 * many. `carried`: bytes of each blob that came.
 */
export function keepCarried(records: Map<RecordId, MemoryRecord>, carried: ReadonlyMap<BlobHash, number>): number {
  let lost = 0;
  for (const [id, record] of records) {
    const { body } = record;
    if (!body?.pages.length) continue;
    if (!body.pages.every(({ hash }) => carried.has(hash))) {
      records.delete(id);
      lost += 1;
      continue;
    }
    // What a request weighs is not for the file to say.
    const pages = body.pages.map(({ textHash, ...page }) => {
      const known = { ...page, size: carried.get(page.hash) };
      return textHash && carried.has(textHash) ? { ...known, textHash } : known;
    });
    records.set(id, { ...record, body: { ...body, pages } });
  }
  return lost;
}
