// Which lines of the outline are drawn, and how one is brought into view.
import type { OutlineRow } from '../../../shared/tree/outlineRows';
import { useRowWindow } from '../../ui/useRowWindow';

/** In rem. */
const rowHeight = 1.75;

export function useLineWindow(rows: readonly OutlineRow[], tabStop: number, scroller: HTMLElement | null) {
  const { shown, height, rem } = useRowWindow({ rows, tabStop, scroller, heightOf: () => rowHeight });
  const inView = (index: number): boolean => {
    if (!scroller) return false;
    const top = index * rowHeight * rem;
    return top >= scroller.scrollTop && top + rowHeight * rem <= scroller.scrollTop + scroller.clientHeight;
  };
  return {
    shown,
    height,
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
