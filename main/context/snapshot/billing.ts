// What pages cost (S3): by the reader's own price of images, beside what their text would cost. Pure.
import type { ImagePrice } from '../imagePrice';
import type { Page } from './layout';
import type { Shape } from './shapes';

/** Pages may cost this share of their text. */
export const mostOfText = 0.9;

/** Pages at the height that costs least: some readers take more for a low page than for a whole one. */
export function cheapestHeights(pages: readonly Page[], shape: Shape, price: ImagePrice): Page[] {
  return pages.map((page) => (price(page) > price({ ...page, height: shape.height }) ? { ...page, height: shape.height } : page));
}

/** Tokens. */
export function priceOfPages(pages: readonly Pick<Page, 'width' | 'height'>[], price: ImagePrice): number {
  return pages.reduce((sum, { width, height }) => sum + price({ width, height }), 0);
}
