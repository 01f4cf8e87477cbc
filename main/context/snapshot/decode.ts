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
    const place = findPlace(glyphs, templates, { hash, cell, wide: span === 2 });
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
    const row = (bits >> shift) & mask;
    cell[y] = row;
    hash = Math.imul(hash ^ row, 0x01000193);
  }
  return hash;
}

/** `slots`: a table open to the next slot, of places and 1, by the hash of their rows; `ink` by place. */
type Templates = { slots: Int32Array; ink: Uint16Array };
const slotCount = 1 << 17;
let known: { glyphs: Glyphs; templates: Templates } | null = null;

const slotOf = (hash: number, wide: boolean): number => (hash ^ (hash >>> 15) ^ (wide ? 0x5555 : 0)) & (slotCount - 1);

function findPlace({ bits, firstWide }: Glyphs, { slots }: Templates, look: { hash: number; cell: Uint16Array; wide: boolean }): number {
  const { hash, cell, wide } = look;
  for (let slot = slotOf(hash, wide); ; slot = (slot + 1) & (slotCount - 1)) {
    const place = (slots[slot] ?? 0) - 1;
    if (place < 0) return -1;
    if (place >= firstWide === wide && isAt(bits, place, cell)) return place;
  }
}

function isAt(bits: Uint16Array, place: number, cell: Uint16Array): boolean {
  const first = place * glyphRows;
  for (let y = 0; y < glyphRows; y++) if (bits[first + y] !== cell[y]) return false;
  return true;
}

/** Place 0 is the blank cell of a space. */
function templatesOf(glyphs: Glyphs): Templates {
  if (known?.glyphs === glyphs) return known.templates;
  const { bits, firstWide } = glyphs;
  const count = bits.length / glyphRows;
  const templates: Templates = { slots: new Int32Array(slotCount), ink: new Uint16Array(count) };
  for (let place = 0; place < count; place++) {
    let [hash, ink] = [0, 0];
    for (let at = place * glyphRows; at < (place + 1) * glyphRows; at++) {
      const row = bits[at] ?? 0;
      hash = Math.imul(hash ^ row, 0x01000193);
      ink += (ones[row >> 8] ?? 0) + (ones[row & 0xff] ?? 0);
    }
    templates.ink[place] = ink;
    let slot = slotOf(hash, place >= firstWide);
    while (templates.slots[slot] !== 0) slot = (slot + 1) & (slotCount - 1);
    templates.slots[slot] = place + 1;
  }
  known = { glyphs, templates };
  return templates;
}

const ones = new Uint8Array(256).map((_, byte) => byte.toString(2).replaceAll('0', '').length);

/** Black pixels of a bitmap; what pads its rows must be white, too. */
function inkOf({ rows }: Bitmap): number {
  let ink = 0;
  for (let at = 0; at < rows.length; at++) ink += ones[rows[at] ?? 0] ?? 0;
  return ink;
}
