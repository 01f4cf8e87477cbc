// Which rows are drawn: all of a short tree, else those in sight and the one that Tab leads to.
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect } from 'react';
import type { OutlineRow } from '../../../shared/tree/outlineRows';

/** Above this many rows only those in sight are drawn. */
const drawAll = 120;
/** In rem. */
const rowHeight = 1.75;
export type PlacedRow = { row: OutlineRow; top: number | null };

export function useRowWindow(rows: readonly OutlineRow[], tabStop: number, scroller: HTMLElement | null) {
  const long = rows.length > drawAll;
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
  const virtual = useVirtualizer({
    count: long ? rows.length : 0,
    getScrollElement: () => scroller,
    estimateSize: () => rowHeight * rem,
    getItemKey: (index) => rows[index]?.key ?? index,
    overscan: 12,
    rangeExtractor: ({ startIndex, endIndex, overscan, count }) => {
      const from = Math.max(0, startIndex - overscan);
      const to = Math.min(count - 1, endIndex + overscan);
      const range = Array.from({ length: to - from + 1 }, (_, at) => from + at);
      return tabStop >= 0 && tabStop < count && (tabStop < from || tabStop > to) ? [...range, tabStop].sort((a, b) => a - b) : range;
    },
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new text size makes every height stale
  useEffect(() => virtual.measure(), [rem]);
  const shown: PlacedRow[] = long
    ? virtual.getVirtualItems().flatMap((item) => {
        const row = rows[item.index];
        return row ? [{ row, top: item.start }] : [];
      })
    : rows.map((row) => ({ row, top: null }));
  const inView = (index: number): boolean => {
    if (!scroller) return false;
    const top = index * rowHeight * rem;
    return top >= scroller.scrollTop && top + rowHeight * rem <= scroller.scrollTop + scroller.clientHeight;
  };
  return {
    shown,
    height: long ? virtual.getTotalSize() : null,
    inView,
    /** Brings a row into view, if it is not. */
    show: (index: number, align: 'near' | 'middle' = 'near') => {
      if (!scroller || index < 0 || inView(index)) return;
      const size = rowHeight * rem;
      const top = index * size;
      const near = top < scroller.scrollTop ? top : top + size - scroller.clientHeight;
      scroller.scrollTop = align === 'middle' ? Math.max(0, top - scroller.clientHeight / 2) : near;
    },
  };
}
