// A page as pixels, one bit each, in the rows that a PNG wants. Pure.
import { type Glyphs, glyphRows, narrowWidth, wideWidth } from './glyphs';
import type { Page } from './layout';
import type { Cell } from './shapes';

/** Rows of pixels, each with PNG's filter byte (0: none) before it; a set bit is ink. So blank rows are zeros throughout and pack a little smaller. */
export type Bitmap = { width: number; height: number; rows: Uint8Array };

export const strideOf = (width: number): number => 1 + Math.ceil(width / 8);

/** Where a glyph stands in its cell, in pixels. */
export function insetsOf({ advance, pitch }: Cell): { narrow: number; wide: number; top: number } {
  return { narrow: (advance - narrowWidth) >> 1, wide: (2 * advance - wideWidth) >> 1, top: (pitch - glyphRows) >> 1 };
}

export function rasterPage({ places, firstWide, bits }: Glyphs, text: string, page: Page): Bitmap {
  const { from, to, columns, advance, pitch, width, height } = page;
  const stride = strideOf(width);
  const rows = new Uint8Array(height * stride);
  const insets = insetsOf(page);
  let column = 0;
  let top = insets.top * stride + 1;
  for (let at = from; at < to; at++) {
    const place = places[text.charCodeAt(at)] ?? 0;
    const cells = place < firstWide ? 1 : 2;
    if (column + cells > columns) {
      column = 0;
      top += pitch * stride;
    }
    if (place > 0) stamp(rows, bits, place, { top, left: column * advance + (cells === 1 ? insets.narrow : insets.wide), stride });
    column += cells;
  }
  return { width, height, rows };
}

/** `top`: the byte at which the first row of pixels begins. */
function stamp(
  rows: Uint8Array,
  bits: Uint16Array,
  place: number,
  { top, left, stride }: { top: number; left: number; stride: number },
): void {
  const shift = 8 - (left & 7);
  const end = (place + 1) * glyphRows;
  let byte = top + (left >> 3);
  for (let row = place * glyphRows; row < end; row++, byte += stride) {
    const ink = (bits[row] ?? 0) << shift;
    if (ink === 0) continue;
    rows[byte] = (rows[byte] ?? 0) | (ink >> 16);
    rows[byte + 1] = (rows[byte + 1] ?? 0) | (ink >> 8);
    if (ink & 0xff) rows[byte + 2] = (rows[byte + 2] ?? 0) | ink;
  }
}
