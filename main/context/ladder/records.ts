// The record of a pass: what it leaves out, what stands in for it, and its receipt (L9, L17). Pure.
import type { MessageId, RecordId, TurnId } from '../../../shared/model/ids';
import type { DroppedImage, Elision, MemoryBody, MemoryRecord, Receipt, RecordKind } from '../../../shared/model/memoryRecord';
import { wordingVersion } from '../wording';
import type { Weight } from './weigh';

export type Omissions = { elided: readonly Elision[]; droppedImages: readonly DroppedImage[] };
export const noOmissions: Omissions = { elided: [], droppedImages: [] };

export type RecordFacts = {
  id: RecordId;
  trigger: Receipt['trigger'];
  turnId: TurnId | undefined;
  before: Weight;
  /** Unix time in milliseconds. */
  startedAt: number;
  now: number;
};

type Body = {
  kind: RecordKind;
  folded: readonly MessageId[];
  kept: readonly MessageId[];
  body: MemoryBody;
  /** The memory it is made over. */
  previous: Pick<MemoryRecord, 'id' | 'anchorId'> | null;
};

/** `path` in order: the anchor is the newest message that something is left out of. The numbers after are those of the request built with it (`weighed`). */
export function omissionRecord(path: readonly MessageId[], facts: RecordFacts, { elided, droppedImages }: Omissions): MemoryRecord {
  const touched = new Set([...elided, ...droppedImages].map(({ messageId }) => messageId));
  const anchorId = path.findLast((id) => touched.has(id));
  if (anchorId === undefined) throw new Error('a record leaves something out');
  return recordWith(facts, { kind: 'free', anchorId, folded: [], elided: [...elided], droppedImages: [...droppedImages] }, []);
}

/**
 * What is left out of the tail is not part of it: its anchor is the newest message it stands for, so that every branch from the tail keeps the memory,
 * and none that left before knows what came later. `path` in order.
 */
export function memoryRecord(path: readonly MessageId[], facts: RecordFacts, { kind, folded, kept, body, previous }: Body): MemoryRecord {
  const stoodFor = new Set(folded);
  if (previous) stoodFor.add(previous.anchorId);
  const anchorId = path.findLast((id) => stoodFor.has(id));
  if (anchorId === undefined) throw new Error('a memory stands for something');
  const over = previous ? { previousId: previous.id } : {};
  return recordWith(facts, { kind, anchorId, ...over, folded: [...folded], elided: [], droppedImages: [], body }, kept);
}

type What = Pick<MemoryRecord, 'kind' | 'anchorId' | 'previousId' | 'folded' | 'elided' | 'droppedImages' | 'body'>;

function recordWith(facts: RecordFacts, what: What, kept: readonly MessageId[]): MemoryRecord {
  return {
    id: facts.id,
    ...what,
    wordingVersion,
    receipt: {
      trigger: facts.trigger,
      ...(facts.turnId === undefined ? {} : { turnId: facts.turnId }),
      tokensBefore: facts.before.tokens,
      tokensAfter: 0,
      bytesBefore: facts.before.bytes,
      bytesAfter: 0,
      kept: [...kept],
      ...(facts.before.scale === 1 ? {} : { scale: facts.before.scale }),
      durationMs: Math.max(0, facts.now - facts.startedAt),
      createdAt: facts.now,
    },
  };
}

/** With the numbers of the request as it is built with it, and more of the receipt. */
export function weighed(record: MemoryRecord, after: Weight, more: Partial<Receipt> = {}): MemoryRecord {
  return { ...record, receipt: { ...record.receipt, tokensAfter: after.tokens, bytesAfter: after.bytes, ...more } };
}
