// Heights of messages as they were last measured, so that a conversation opened again stands still from its first frame.

const heights = new Map<string, number>();
const limit = 20_000;

/** A good guess rather than a promise: after a change of width the first measurement corrects it. */
export function knownHeights(ids: readonly string[]): ReadonlyMap<string, number> {
  const known = new Map<string, number>();
  for (const id of ids) {
    const height = heights.get(id);
    if (height !== undefined) known.set(id, height);
  }
  return known;
}
export function keepHeight(id: string, height: number): void {
  if (heights.size >= limit) heights.clear();
  heights.set(id, height);
}

/** What an unmeasured message is taken to be, in pixels; small enough that browsers can still scroll over all of them. */
export function usualHeight(count: number): number {
  const tallest = 30_000_000;
  return Math.max(24, Math.min(132, Math.floor(tallest / Math.max(1, count))));
}
