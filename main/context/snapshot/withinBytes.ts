// Pages that are drawn, within a limit of bytes (S4): the oldest of those that may go are left out, so that none is drawn a second time. Pure.
import type { Layout, Page } from './layout';

export type DrawnLayout = { layout: Layout; pngs: readonly Uint8Array[] };

/** In base64. */
export const sizeOf = (png: Uint8Array): number => 4 * Math.ceil(png.length / 3);
export const sizeOfAll = (pngs: readonly Uint8Array[]): number => pngs.reduce((sum, png) => sum + sizeOf(png), 0);
/** Characters. */
const lengthOf = (pages: readonly Page[]): number => pages.reduce((sum, { from, to }) => sum + to - from, 0);

/** null where what may go is not enough. `mayGo`: whether a page is of those that are dropped first. */
export function withinBytes({ layout, pngs }: DrawnLayout, most: number, mayGo: (page: Page) => boolean): DrawnLayout | null {
  const { pages, dropped, gapBefore } = layout;
  let [bytes, count] = [sizeOfAll(pngs), 0];
  while (bytes > most) {
    const [page, png] = [pages[gapBefore + count], pngs[gapBefore + count]];
    if (!page || !png || !mayGo(page) || pages.length - count === 1) return null;
    bytes -= sizeOf(png);
    count++;
  }
  const gone = pages.slice(gapBefore, gapBefore + count);
  const kept = <T>(all: readonly T[]) => [...all.slice(0, gapBefore), ...all.slice(gapBefore + count)];
  return { layout: { pages: kept(pages), dropped: dropped + lengthOf(gone), gapBefore }, pngs: kept(pngs) };
}
