// The part of a path that the window holds: a sparse list by depth, merged from slices. Pure.
import type { MessageId } from '../../shared/model/ids';
import type { MessageView, PathSlice, TalkView } from '../../shared/model/talkView';

export type LoadedPath = { tipId: MessageId | null; length: number; items: ReadonlyMap<number, MessageView> };

export const emptyPath: LoadedPath = { tipId: null, length: 0, items: new Map() };

/** Puts a fresh view over what was loaded: older messages stay only where the tree proves that they are on the new path. */
export function mergeView(old: LoadedPath, view: TalkView): LoadedPath {
  const items = new Map<number, MessageView>();
  addSlice(items, view.slice, old.items);
  keepChainAbove(items, view.slice, old);
  // The new path runs through the old tip, so all that was loaded above it is still on it.
  const oldEnd = old.length - 1;
  const runsThroughOldTip = old.tipId !== null && (view.tipId === old.tipId || items.get(oldEnd)?.id === old.tipId);
  if (runsThroughOldTip) for (const [depth, item] of old.items) if (depth <= oldEnd && !items.has(depth)) items.set(depth, item);
  return { tipId: view.tipId, length: view.length, items };
}

/** Walks up from the slice's first message as long as each loaded message is the parent of the one below it. */
function keepChainAbove(items: Map<number, MessageView>, slice: PathSlice, old: LoadedPath): void {
  let below = slice.items[0];
  for (let depth = slice.offset - 1; below && depth >= 0; depth--) {
    const item = old.items.get(depth);
    if (!item || item.id !== below.parentId) return;
    items.set(depth, item);
    below = item;
  }
}

/** Adds a slice of the same path. */
export function addToPath(path: LoadedPath, slice: PathSlice): LoadedPath {
  const items = new Map(path.items);
  addSlice(items, slice, path.items);
  return { ...path, items };
}

function addSlice(items: Map<number, MessageView>, slice: PathSlice, old: ReadonlyMap<number, MessageView>): void {
  for (const [index, item] of slice.items.entries()) {
    const depth = slice.offset + index;
    const known = old.get(depth);
    items.set(depth, known && isSameView(known, item) ? known : item);
  }
}

/** Messages never change (T1): only their place among siblings can. The known object is kept so that nothing is drawn again. */
function isSameView(a: MessageView, b: MessageView): boolean {
  return (
    a.id === b.id &&
    a.parentId === b.parentId &&
    a.version === b.version &&
    a.versions === b.versions &&
    a.depth === b.depth &&
    a.status === b.status &&
    a.recovered === b.recovered &&
    a.retold === b.retold
  );
}

/** What is missing of [from, to), as one slice of `count` messages around it; null when all of it is loaded. */
export function missingRange(path: LoadedPath, from: number, to: number, count: number): { offset: number; count: number } | null {
  const end = Math.min(to, path.length);
  let first = Math.max(0, from);
  while (first < end && path.items.has(first)) first++;
  if (first >= end) return null;
  let last = end - 1;
  while (last > first && path.items.has(last)) last--;
  const size = Math.min(count, path.length);
  const centred = Math.floor((first + last + 1 - size) / 2);
  // The first missing one is always inside, however far apart the two ends are.
  const nearest = Math.min(Math.max(centred, first - size + 1), first);
  const offset = Math.max(0, Math.min(nearest, path.length - size));
  return { offset, count: size };
}
