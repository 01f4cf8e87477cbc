// What pages stand on: the messages that are printed again at the next pass, and the card below, if there is one. Pages are made of messages, never of
// pages or of a card (S1). Pure.
import type { MessageId, RecordId } from '../../../shared/model/ids';
import type { MemoryRecord } from '../../../shared/model/memoryRecord';

/** `base`: what a memory is made over, never pages. `paged`: in the order of the path. */
export type UnderPages = { base: MemoryRecord | null; paged: MessageId[] };

/** `records`: all of the transcript, undone ones among them. */
export function underPages(memory: MemoryRecord | null, records: readonly MemoryRecord[]): UnderPages {
  const byId = new Map(records.map((record) => [record.id, record]));
  const seen = new Set<RecordId>();
  let paged: MessageId[] = [];
  let base = memory;
  while (base?.kind === 'pages' && !seen.has(base.id)) {
    seen.add(base.id);
    paged = [...base.folded, ...paged];
    base = (base.previousId && byId.get(base.previousId)) || null;
  }
  return { base: base?.kind === 'pages' ? null : base, paged: [...new Set(paged)] };
}
