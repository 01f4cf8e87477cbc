// What stands in a transcript, as it stands in a copy of it, made by a fork or an import: every id is the copy's, and what concerns other messages
// is not there (T9, I2).
import type { MessageId, RecordId, TurnId } from '../../shared/model/ids';
import type { MemoryRecord } from '../../shared/model/memoryRecord';
import type { Standing, TranscriptFailure } from '../../shared/model/transcript';

export type ForkedIds = {
  /** The copy of a message; undefined where it is not in the fork. */
  message(id: MessageId): MessageId | undefined;
  /** The turn of the copies; undefined where none of its messages is in the fork. */
  turn(id: TurnId): TurnId | undefined;
  /** Whether what failed under this message of the source is in the fork. */
  holdsFailure(parentId: MessageId): boolean;
  /** The name of a record's copy; asked once for each. */
  record(id: RecordId): RecordId;
  /** For a failure whose turn has no message in the fork. */
  loneTurn(id: TurnId): TurnId;
};

export function forkStanding({ records, failed }: Standing, ids: ForkedIds): Standing {
  const kept = [...records.values()].filter(({ anchorId }) => ids.message(anchorId) !== undefined);
  const names = new Map(kept.map(({ id }): [RecordId, RecordId] => [id, ids.record(id)]));
  return {
    records: new Map(kept.map((record) => forkRecord(record, names, ids)).map((record) => [record.id, record])),
    failed: new Map([...failed.values()].flatMap((failure) => forkFailure(failure, ids)).map((failure) => [failure.parentId, failure])),
  };
}

/** Whether nothing of it is about messages outside the fork. */
export function concernsOnly({ records, failed }: Standing, ids: ForkedIds): boolean {
  return (
    [...records.values()].every(({ anchorId }) => ids.message(anchorId) !== undefined) &&
    [...failed.keys()].every((parentId) => ids.holdsFailure(parentId))
  );
}

function forkRecord(record: MemoryRecord, names: ReadonlyMap<RecordId, RecordId>, ids: ForkedIds): MemoryRecord {
  const { previousId, receipt, ...rest } = record;
  const previous = previousId && names.get(previousId);
  const { turnId, ...numbers } = receipt;
  const turn = turnId && ids.turn(turnId);
  return {
    ...rest,
    id: names.get(record.id) ?? record.id,
    anchorId: ids.message(record.anchorId) ?? record.anchorId,
    ...(previous ? { previousId: previous } : {}),
    folded: messagesOf(record.folded, ids),
    elided: inFork(record.elided, ids),
    droppedImages: inFork(record.droppedImages, ids),
    receipt: { ...numbers, ...(turn ? { turnId: turn } : {}), kept: messagesOf(receipt.kept, ids) },
  };
}

function messagesOf(all: readonly MessageId[], ids: ForkedIds): MessageId[] {
  return all.flatMap((id) => ids.message(id) ?? []);
}

function inFork<T extends { messageId: MessageId }>(all: readonly T[], ids: ForkedIds): T[] {
  return all.flatMap((one) => {
    const messageId = ids.message(one.messageId);
    return messageId ? [{ ...one, messageId }] : [];
  });
}

function forkFailure(failure: TranscriptFailure, ids: ForkedIds): TranscriptFailure[] {
  const parentId = ids.holdsFailure(failure.parentId) ? ids.message(failure.parentId) : undefined;
  return parentId ? [{ ...failure, parentId, turnId: ids.turn(failure.turnId) ?? ids.loneTurn(failure.turnId) }] : [];
}
