// Which rows of a long list are drawn: all of a short one, else those in sight and the one that Tab leads to.
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect } from 'react';

/** Above this many rows only those in sight are drawn. */
const drawAll = 120;

type RowWindow<Row> = {
  rows: readonly Row[];
  /** The row that stays in the page for the keyboard; -1 for none. */
  tabStop: number;
  scroller: HTMLElement | null;
  /** In rem. */
  heightOf(row: Row | undefined): number;
};

/** `top` in pixels, null where rows stand in the flow; `height` of all rows, null likewise; `rem` in pixels. */
export function useRowWindow<Row extends { key: string }>({ rows, tabStop, scroller, heightOf }: RowWindow<Row>) {
  const long = rows.length > drawAll;
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
  const virtual = useVirtualizer({
    count: long ? rows.length : 0,
    getScrollElement: () => scroller,
    estimateSize: (index) => heightOf(rows[index]) * rem,
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
  const shown: { row: Row; top: number | null }[] = long
    ? virtual.getVirtualItems().flatMap((item) => {
        const row = rows[item.index];
        return row ? [{ row, top: item.start }] : [];
      })
    : rows.map((row) => ({ row, top: null }));
  return {
    shown,
    height: long ? virtual.getTotalSize() : null,
    rem,
    /** Brings a row of a long list into view. */
    show: (index: number) => {
      if (long && index >= 0) virtual.scrollToIndex(index, { align: 'auto' });
    },
  };
}
