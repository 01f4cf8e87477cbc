// The virtual list of one conversation: which rows exist, and where the view stands when anything about them changes.
import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual';
import { type FocusEvent, useCallback, useEffect, useLayoutEffect, useMemo, useReducer, useRef, useState } from 'react';
import type { ConversationId } from '../../../shared/model/ids';
import {
  ensureLoaded,
  rememberReading,
  useAnchor,
  useConversationId,
  useEditing,
  useEndingKey,
  useLoadedPath,
} from '../../state/talkSlice';
import type { Reading } from '../../state/talkStore';
import { heightOf } from './rowHeights';
import { keepHeight, knownHeights, usualHeight } from './scrollCache';
import type { Stand } from './stand';
import { useStand } from './useStand';

/** Messages loaded beyond the rows in the page, so that scrolling rarely meets an empty place. */
const ahead = 15;
const padding = { start: 8, end: 24 };

/** Rows beyond the view: none in the first frame, which waits for what is seen alone; they come with whatever is drawn next. */
const overscan = 3;

export function useTalkList(isFirstView: boolean) {
  const path = useLoadedPath();
  const endingKey = useEndingKey();
  const anchor = useAnchor();
  const editing = useEditing();
  const conversationId = useConversationId();
  const count = path.length + (endingKey ? 1 : 0);
  const scroller = useRef<HTMLDivElement>(null);
  const wanted = useRef<Wanted>(null);
  const focused = useRef<number | null>(null);
  // Rows come into the page: the view is settled once for all of them, below.
  const attaching = useRef(false);
  const painted = useRef(false);
  useEffect(() => {
    const frame = requestAnimationFrame(() => {
      painted.current = true;
    });
    return () => cancelAnimationFrame(frame);
  }, []);
  const [spare, setSpare] = useState(0);
  const [, redraw] = useReducer((renders: number) => renders + 1, 0);
  const { stand, away, following, handlers } = useStand(scroller, { redraw, spare, setSpare });
  stand.noteBefore(anchor);

  const { items, length } = path;
  const keyAt = useCallback(
    (index: number) => (index === length ? (endingKey ?? 'ending') : (items.get(index)?.id ?? index)),
    [items, length, endingKey],
  );
  const usual = usualHeight(count);
  // Of the first view alone: an estimate that changed later would move what is being read without anyone making up for it.
  const [known] = useState(() => knownHeights([...items.values()].map((item) => item.id)));
  const edited = editing === null ? null : depthOf(items, editing);
  const kept = keptDepths(wanted.current?.depth ?? null, focused.current, edited);
  const list = useVirtualizer<HTMLDivElement, HTMLDivElement>({
    count,
    getScrollElement: () => scroller.current,
    getItemKey: keyAt,
    estimateSize: (index) => known.get(items.get(index)?.id ?? '') ?? usual,
    measureElement: (element, entry) => Math.round(entry?.borderBoxSize?.[0]?.blockSize ?? heightOf(element)),
    rangeExtractor: (range) => withKept(range, kept),
    initialOffset: () => Number.MAX_SAFE_INTEGER,
    overscan: isFirstView && !painted.current ? 0 : overscan,
    paddingStart: padding.start,
    paddingEnd: padding.end + spare,
    directDomUpdates: true,
    directDomUpdatesMode: 'position',
    onChange: () => {
      if (!attaching.current) stand.settle();
    },
  });
  stand.take(list);
  const measure = useCallback(
    (row: HTMLDivElement | null) => {
      attaching.current = true;
      list.measureElement(row);
      attaching.current = false;
    },
    [list],
  );

  useLayoutEffect(() => stand.turnTo(anchor), [anchor, stand]);
  useLayoutEffect(() => {
    if (stand.settle()) redraw();
    focusWanted(scroller.current, wanted);
  });
  const rows = list.getVirtualItems();
  const [first, last] = [rows[0]?.index ?? 0, rows.at(-1)?.index ?? 0];
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was just loaded may still leave a gap in view
  useLayoutEffect(() => void ensureLoaded(Math.max(0, first - ahead), Math.min(last + 1 + ahead, length)), [first, last, length, items]);
  useLayoutEffect(() => (edited === null ? undefined : stand.edit(edited)), [edited, stand]);
  useKept(conversationId, stand.reading, list.itemSizeCache);

  const focus = useFocus(wanted, focused, stand, redraw);
  return { scroller, list, measure, rows, count, usual, stand, away, following, handlers, ...focus };
}

/** Moves the focus to a message, and knows which one has it. */
function useFocus(wanted: { current: Wanted }, focused: { current: number | null }, stand: Stand, redraw: () => void) {
  return useMemo(() => {
    const focusDepth = (depth: number, act?: string) => {
      wanted.current = { depth, act };
      redraw();
    };
    return {
      focusDepth,
      goToDepth(depth: number) {
        stand.show(depth);
        focusDepth(depth);
      },
      onFocus(event: FocusEvent) {
        focused.current = depthAt(event.target);
      },
    };
  }, [wanted, focused, stand, redraw]);
}

function depthOf(items: ReadonlyMap<number, { id: string }>, id: string): number | null {
  for (const [depth, item] of items) if (item.id === id) return depth;
  return null;
}
const keptDepths = (...depths: (number | null)[]): number[] => [...new Set(depths.filter((depth) => depth !== null))];

/** What has the focus or is being edited stays in the page, however far the view is from it. */
function withKept(range: Range, kept: readonly number[]): number[] {
  const indexes = defaultRangeExtractor(range);
  const more = kept.filter((index) => index < range.count && !indexes.includes(index));
  return more.length === 0 ? indexes : [...indexes, ...more].sort((a, b) => a - b);
}

/** The row that holds this element. */
export function depthAt(target: EventTarget | null): number | null {
  const row = target instanceof Element ? target.closest<HTMLElement>('[data-index]') : null;
  return row ? Number(row.dataset.index) : null;
}

/** A message that is to have the focus, or one of its buttons by `data-act`. */
type Wanted = { depth: number; act?: string | undefined } | null;
function focusWanted(scroller: HTMLElement | null, wanted: { current: Wanted }): void {
  if (wanted.current === null) return;
  const { depth, act } = wanted.current;
  const article = scroller?.querySelector<HTMLElement>(`[data-index="${depth}"] article`);
  if (!article) return;
  wanted.current = null;
  const button = act ? article.querySelector<HTMLElement>(`[data-act="${act}"]:enabled`) : null;
  (button ?? article).focus({ preventScroll: true });
}

/** When the list is left: where it was, and how tall its messages are. */
function useKept(
  conversationId: ConversationId | null,
  reading: () => Reading,
  sizes: ReadonlyMap<number | string | bigint, number>,
): void {
  useLayoutEffect(() => {
    if (!conversationId) return;
    return () => {
      rememberReading(conversationId, reading());
      for (const [key, height] of sizes) if (typeof key === 'string') keepHeight(key, height);
    };
  }, [conversationId, reading, sizes]);
}
