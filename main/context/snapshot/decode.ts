// A page read back from its PNG (S7): each cell is compared with the bitmaps, and there may be no ink beside them. Pure.
import { fromUnits, type Glyphs, glyphRows } from './glyphs';
import { decodePng } from './png';
import { type Bitmap, insetsOf, strideOf } from './raster';
import type { Grid } from './shapes';

/** The text of a page with the first of its kind for characters that look the same; null where it is no page of this grid. */
export function readPage(glyphs: Glyphs, png: Uint8Array, grid: Grid, spans: Uint8Array): string | null {
  const bitmap = decodePng(png);
  if (!bitmap || bitmap.height < grid.rows * grid.pitch || bitmap.width < grid.columns * grid.advance) return null;
  const templates = templatesOf(glyphs);
  const insets = insetsOf(grid);
  const stride = strideOf(bitmap.width);
  const units = new Uint16Array(spans.length);
  const cell = new Uint16Array(glyphRows);
  let [length, ink] = [0, 0];
  for (let at = 0; at < spans.length; at++) {
    const span = spans[at];
    if (span !== 1 && span !== 2) continue;
    const row = Math.floor(at / grid.columns);
    const left = (at - row * grid.columns) * grid.advance + (span === 1 ? insets.narrow : insets.wide);
    const hash = cut(bitmap.rows, { byte: (row * grid.pitch + insets.top) * stride + 1 + (left >> 3), stride, left, span }, cell);
    const place = templates.find(hash, cell, span === 2);
    if (place < 0) return null;
    ink += templates.ink[place] ?? 0;
    units[length++] = glyphs.firstAlike[place] ?? 0;
  }
  return ink === inkOf(bitmap) ? fromUnits(units.subarray(0, length)) : null;
}

type Spot = { byte: number; stride: number; left: number; span: number };

/** The rows of one glyph's box, and their hash. */
function cut(rows: Uint8Array, { byte: first, stride, left, span }: Spot, cell: Uint16Array): number {
  const shift = 8 - (left & 7);
  const mask = span === 1 ? 0xff00 : 0xfffc;
  let byte = first;
  let hash = 0;
  for (let y = 0; y < glyphRows; y++, byte += stride) {
    const bits = ((rows[byte] ?? 0) << 16) | ((rows[byte + 1] ?? 0) << 8) | (rows[byte + 2] ?? 0);
    const row = ~(bits >> shift) & mask;
    cell[y] = row;
    hash = Math.imul(hash ^ row, 0x01000193);
  }
  return hash;
}

type Templates = { find(hash: number, cell: Uint16Array, wide: boolean): number; ink: Uint16Array };
let known: { glyphs: Glyphs; templates: Templates } | null = null;

/** Place 0 is the blank cell of a space. */
function templatesOf(glyphs: Glyphs): Templates {
  if (known?.glyphs === glyphs) return known.templates;
  const { bits, firstWide } = glyphs;
  const count = bits.length / glyphRows;
  const ink = new Uint16Array(count);
  const byHash = [new Map<number, number[]>(), new Map<number, number[]>()];
  for (let place = 0; place < count; place++) {
    let hash = 0;
    for (let at = place * glyphRows; at < (place + 1) * glyphRows; at++) {
      hash = Math.imul(hash ^ (bits[at] ?? 0), 0x01000193);
      ink[place] = (ink[place] ?? 0) + (ones[(bits[at] ?? 0) >> 8] ?? 0) + (ones[(bits[at] ?? 0) & 0xff] ?? 0);
    }
    const map = byHash[place < firstWide ? 0 : 1];
    const others = map?.get(hash);
    if (others) others.push(place);
    else map?.set(hash, [place]);
  }
  const isAt = (place: number, cell: Uint16Array) => {
    for (let y = 0; y < glyphRows; y++) if (bits[place * glyphRows + y] !== cell[y]) return false;
    return true;
  };
  const find: Templates['find'] = (hash, cell, wide) => byHash[wide ? 1 : 0]?.get(hash)?.find((place) => isAt(place, cell)) ?? -1;
  const templates = { find, ink };
  known = { glyphs, templates };
  return templates;
}

const ones = new Uint8Array(256).map((_, byte) => byte.toString(2).replaceAll('0', '').length);

/** Black pixels of a bitmap; what pads its rows is white. */
function inkOf({ width, height, rows }: Bitmap): number {
  const stride = strideOf(width);
  let white = 0;
  for (let at = 0; at < rows.length; at++) white += ones[rows[at] ?? 0] ?? 0;
  return height * (stride - 1) * 8 - white;
}
