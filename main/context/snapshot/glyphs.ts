// The bitmaps that pages are printed with (S5): characters of one cell, and of two (CJK). Fonts, licences and how they are packed: docs/snapshot.md. Pure.
import { inflateRawSync } from 'node:zlib';

/** Rows of a bitmap, whatever its width; letters of both widths stand on the same line. */
export const glyphRows = 14;
/** Pixels. */
export const narrowWidth = 8;
export const wideWidth = 14;

export type Glyphs = {
  /** By code point of the basic plane: 0 where there is none, else its place in `bits`; wide ones from `firstWide` on. */
  places: Uint16Array;
  firstWide: number;
  /** `glyphRows` rows a glyph, the leftmost pixel in the highest of 16 bits. */
  bits: Uint16Array;
  /** By place: the first of the characters that look the same. */
  firstAlike: Uint16Array;
};

export type GlyphFiles = { narrow: Uint8Array; wide: Uint8Array };

/** Place 0 is the blank cell, which a space is. */
export function readGlyphs(files: GlyphFiles): Glyphs {
  const sets = [readSet(files.narrow, narrowWidth), readSet(files.wide, wideWidth)];
  const count = 1 + sets.reduce((sum, { codes }) => sum + codes.length, 0);
  const glyphs: Glyphs = {
    places: new Uint16Array(0x10000),
    firstWide: 1 + (sets[0]?.codes.length ?? 0),
    bits: new Uint16Array(count * glyphRows),
    firstAlike: new Uint16Array(count).fill(0x20, 0, 1),
  };
  let place = 1;
  for (const { codes, rows, height } of sets)
    for (let at = 0; at < codes.length; at++, place++) {
      glyphs.places[codes[at] ?? 0] = place;
      const top = place * glyphRows + (glyphRows - height);
      for (let y = 0; y < height; y++) glyphs.bits[top + y] = rows[at * height + y] ?? 0;
    }
  markAlike(glyphs);
  return glyphs;
}

type GlyphSet = { codes: number[]; rows: Uint16Array; height: number };

/** Version, width, height, ranges of code points (first, count), bitmaps by rows of whole bytes. */
function readSet(packed: Uint8Array, width: number): GlyphSet {
  const data = inflateRawSync(packed);
  const [version, stated, height = 0] = data;
  if (version !== 1 || stated !== width || height > glyphRows) throw new Error('glyphs of a form that this program does not know');
  const ranges = data.readUInt16BE(3);
  const codes: number[] = [];
  for (let range = 0; range < ranges; range++) {
    const first = data.readUInt16BE(5 + 4 * range);
    for (let at = 0; at < data.readUInt16BE(7 + 4 * range); at++) codes.push(first + at);
  }
  const start = 5 + 4 * ranges;
  const rows = new Uint16Array(codes.length * height);
  for (let row = 0; row < rows.length; row++) rows[row] = width > 8 ? data.readUInt16BE(start + 2 * row) : data.readUInt8(start + row) << 8;
  return { codes, rows, height };
}

function markAlike({ places, bits, firstAlike, firstWide }: Glyphs): void {
  const seen = new Map<string, number>();
  for (let code = 0; code < places.length; code++) {
    const place = places[code] ?? 0;
    if (place === 0) continue;
    const look = `${place < firstWide ? 'n' : 'w'}${bits.subarray(place * glyphRows, (place + 1) * glyphRows).join()}`;
    const first = seen.get(look) ?? code;
    seen.set(look, first);
    firstAlike[place] = first;
  }
}

/** Cells that a character takes; 0 where it cannot be printed. */
export function cellsOf({ places, firstWide }: Glyphs, code: number): 0 | 1 | 2 {
  if (code === 0x20) return 1;
  const place = code < places.length ? (places[code] ?? 0) : 0;
  return place === 0 ? 0 : place < firstWide ? 1 : 2;
}

/** A text with the first of its kind for each character that looks like others: what a page can be read back as (S7). */
export function asSeen({ places, firstAlike }: Glyphs, text: string): string {
  const seen = new Uint16Array(text.length);
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const place = places[code] ?? 0;
    seen[at] = place === 0 ? code : (firstAlike[place] ?? code);
  }
  return fromUnits(seen);
}

/** UTF-16 code units as text. */
export function fromUnits(units: Uint16Array): string {
  return Buffer.from(units.buffer, units.byteOffset, units.byteLength).toString('utf16le');
}
