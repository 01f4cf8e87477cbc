// How large a page is drawn: as a whole, or in steps that keep its pixels whole from 1:1 on. Pure.

/** `fit`: the whole page, never above 1:1; else pixels of the window to one of the page. */
export type PageZoom = 'fit' | number;
export type Sides = { width: number; height: number };

const steps = [0.25, 0.5, 0.75, 1, 2, 3, 4] as const;
export const mostZoom = 4;

/** `pane` is the room there is; 1 where it is not known yet. */
export function fitScale(page: Sides, pane: Sides): number {
  if (pane.width <= 0 || pane.height <= 0) return 1;
  return Math.min(1, pane.width / page.width, pane.height / page.height);
}

export const scaleOf = (zoom: PageZoom, fit: number): number => (zoom === 'fit' ? fit : zoom);

/** A step below what fits is the whole page. */
export function nextZoom(zoom: PageZoom, fit: number, way: 'in' | 'out'): PageZoom {
  const scale = scaleOf(zoom, fit);
  if (way === 'in') return steps.find((step) => step > scale + 0.001) ?? mostZoom;
  const smaller = steps.findLast((step) => step < scale - 0.001);
  return smaller === undefined || smaller <= fit ? 'fit' : smaller;
}
