// Which messages the person's eye is on, by the list's measurements.
import type { Virtualizer } from '@tanstack/react-virtual';

type List = Pick<
  Virtualizer<HTMLDivElement, HTMLDivElement>,
  'getVirtualItemForOffset' | 'measurementsCache' | 'itemSizeCache' | 'options'
>;

/** Rows in view whose height is known; new ones that scroll in are not among them until they are measured. */
export function measuredInView(list: List, element: HTMLElement): { first: number; last: number } | null {
  const bottom = element.scrollTop + element.clientHeight;
  const start = list.getVirtualItemForOffset(element.scrollTop)?.index ?? 0;
  const measured: number[] = [];
  for (let index = start; index < list.options.count; index++) {
    const row = list.measurementsCache[index];
    if (!row || row.start >= bottom) break;
    if (list.itemSizeCache.has(row.key)) measured.push(index);
  }
  const [first, last] = [measured[0], measured.at(-1)];
  return first === undefined || last === undefined ? null : { first, last };
}

/** The first row that was in view before and still is: what comes in above it must not move it. */
export function stillInView(list: List, element: HTMLElement, shown: { first: number; last: number } | null): number | null {
  if (!shown) return null;
  const [top, bottom] = [element.scrollTop, element.scrollTop + element.clientHeight];
  for (let index = shown.first; index <= shown.last; index++) {
    const row = list.measurementsCache[index];
    if (row && row.end > top && row.start < bottom) return index;
  }
  return null;
}
