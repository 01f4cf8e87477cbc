// Sums a path for the context ring without holding up anybody: slice by slice, from the nearest message that was summed before.
import type { MessageId } from '../../shared/model/ids';
import { addStretch, emptySum, type PathSum, type Stretch, sumStretch } from '../context/measureContext';
import type { ReadableDb } from '../store/database';
import { readSlice } from '../store/messages';

/** Messages read between two turns of the event loop: a few milliseconds. */
const sliceSize = 200;
/** Sums kept; each is four numbers. */
const kept = 5000;

export type ContextMeter = {
  /** The sum from the root to `tipId`, which stands at `depth`. */
  sum(db: ReadableDb, tipId: MessageId, depth: number): Promise<PathSum>;
};

export function createContextMeter(): ContextMeter {
  const sums = new Map<MessageId, PathSum>();
  const keep = (id: MessageId, sum: PathSum) => {
    sums.set(id, sum);
    const oldest = sums.size > kept ? sums.keys().next().value : undefined;
    if (oldest !== undefined) sums.delete(oldest);
  };
  return {
    sum: async (db, tipId, depth) => {
      const known = sums.get(tipId);
      if (known) return known;
      // Sums, not messages: a path may hold more text than should be in memory at once.
      const pending: { lastId: MessageId | undefined; stretch: Stretch }[] = [];
      let sum = emptySum;
      for (let end = depth + 1; end > 0; end -= sliceSize) {
        const offset = Math.max(0, end - sliceSize);
        const { items } = readSlice(db, { tipId, offset, count: end - offset });
        const from = items.findLastIndex((item) => sums.has(item.id));
        const start = items[from];
        pending.push({ lastId: items.at(-1)?.id, stretch: sumStretch(items.slice(from + 1)) });
        if (start) {
          sum = sums.get(start.id) ?? emptySum;
          break;
        }
        await new Promise((resolve) => setImmediate(resolve));
      }
      for (const { lastId, stretch } of pending.reverse()) {
        sum = addStretch(sum, stretch);
        if (lastId) keep(lastId, sum);
      }
      return sum;
    },
  };
}
