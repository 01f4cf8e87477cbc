// The part of a path that the window holds: a sparse list by depth, merged from slices. Pure.
import type { MessageId } from '../../shared/model/ids';
import type { MessageView, PathSlice, TalkView } from '../../shared/model/talkView';

export type LoadedPath = { tipId: MessageId | null; length: number; items: ReadonlyMap<number, MessageView> };

export const emptyPath: LoadedPath = { tipId: null, length: 0, items: new Map() };

/** Puts a fresh view over what was loaded: older messages stay only when the new slice continues them. */
export function mergeView(old: LoadedPath, view: TalkView): LoadedPath {
  const items = new Map<number, MessageView>();
  const first = view.slice.items[0];
  const before = view.slice.offset - 1;
  if (first && before >= 0 && old.items.get(before)?.id === first.parentId) {
    for (let depth = before; depth >= 0; depth--) {
      const item = old.items.get(depth);
      const above = old.items.get(depth + 1);
      if (!item || (depth < before && above?.parentId !== item.id)) break;
      items.set(depth, item);
    }
  }
  addSlice(items, view.slice);
  if (old.tipId === view.tipId && old.length === view.length) {
    for (const [depth, item] of old.items) if (!items.has(depth)) items.set(depth, item);
  }
  return { tipId: view.tipId, length: view.length, items };
}

/** Adds a slice of the same path. */
export function addToPath(path: LoadedPath, slice: PathSlice): LoadedPath {
  const items = new Map(path.items);
  addSlice(items, slice);
  return { ...path, items };
}

function addSlice(items: Map<number, MessageView>, slice: PathSlice): void {
  for (const [index, item] of slice.items.entries()) items.set(slice.offset + index, item);
}

/** The first gap inside [from, to), as a slice to ask for; null when all of it is loaded. */
export function missingRange(path: LoadedPath, from: number, to: number, count: number): { offset: number; count: number } | null {
  for (let depth = Math.max(0, from); depth < Math.min(to, path.length); depth++) {
    if (!path.items.has(depth)) return { offset: Math.max(0, Math.min(depth, path.length - count)), count: Math.min(count, path.length) };
  }
  return null;
}
