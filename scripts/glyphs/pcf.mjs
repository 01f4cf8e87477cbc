// Reads a bitmap font of the X Window System (.pcf.gz): each character's bitmap in the box of the font's cell.
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

const METRICS = 4;
const BITMAPS = 8;
const ENCODINGS = 32;
const COMPRESSED = 0x100;
const BIG_ENDIAN = 4;

/** @typedef {{ advance: number, rows: number[] }} Glyph `rows`: bits of a row, the leftmost pixel in bit `width - 1`. */

/**
 * @param {string} file @param {{ width: number, height: number, ascent: number }} cell `ascent`: rows above the base line
 * @returns {Map<number, Glyph>} by code point
 */
export function readPcf(file, { width, height, ascent }) {
  const data = gunzipSync(readFileSync(file));
  const metrics = readMetrics(data, tableOf(data, METRICS));
  const bitmaps = readBitmaps(data, tableOf(data, BITMAPS));
  const glyphs = new Map();
  for (const [code, index] of readEncodings(data, tableOf(data, ENCODINGS))) {
    const { left, right, advance, up, down } = metrics[index] ?? { left: 0, right: 0, advance: 0, up: 0, down: 0 };
    const rows = Array.from({ length: height }, () => 0);
    for (let y = 0; y < up + down; y++) {
      const at = ascent - up + y;
      for (let x = 0; x < right - left; x++) {
        if (!bitmaps(index, x, y, right - left)) continue;
        const column = left + x;
        if (at < 0 || at >= height || column < 0 || column >= width) continue;
        rows[at] = (rows[at] ?? 0) | (1 << (width - 1 - column));
      }
    }
    glyphs.set(code, { advance, rows });
  }
  return glyphs;
}

/** @param {Buffer} data @param {number} type @returns {{ at: number, format: number }} */
function tableOf(data, type) {
  const count = data.readUInt32LE(4);
  for (let index = 0; index < count; index++) {
    const entry = 8 + 16 * index;
    if (data.readUInt32LE(entry) === type) return { at: data.readUInt32LE(entry + 12), format: data.readUInt32LE(entry + 4) };
  }
  throw new Error(`the font has no table ${type}`);
}

/** @param {Buffer} data @param {{ at: number, format: number }} table */
function readMetrics(data, { at, format }) {
  if (!(format & COMPRESSED) || !(format & BIG_ENDIAN)) throw new Error('metrics of a form that is not read here');
  const byte = (/** @type {number} */ place) => data.readUInt8(place) - 0x80;
  return Array.from({ length: data.readUInt16BE(at + 4) }, (_, index) => {
    const place = at + 6 + 5 * index;
    return { left: byte(place), right: byte(place + 1), advance: byte(place + 2), up: byte(place + 3), down: byte(place + 4) };
  });
}

/** Rows are padded to `1 << (format & 3)` bytes, the leftmost pixel is the highest bit. @param {Buffer} data @param {{ at: number, format: number }} table */
function readBitmaps(data, { at, format }) {
  if ((format & 0x3c) !== 0x0c) throw new Error('bitmaps of a form that is not read here');
  const pad = 1 << (format & 3);
  const count = data.readUInt32BE(at + 4);
  const bits = at + 8 + 4 * count + 16;
  return (/** @type {number} */ index, /** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ width) => {
    const stride = Math.ceil(Math.ceil(width / 8) / pad) * pad;
    const byte = data.readUInt8(bits + data.readUInt32BE(at + 8 + 4 * index) + y * stride + (x >> 3));
    return ((byte >> (7 - (x & 7))) & 1) === 1;
  };
}

/** @param {Buffer} data @param {{ at: number, format: number }} table @returns {[code: number, index: number][]} */
function readEncodings(data, { at }) {
  const [low, high, first, last] = [4, 6, 8, 10].map((offset) => data.readUInt16BE(at + offset));
  if (low === undefined || high === undefined || first === undefined || last === undefined) return [];
  /** @type {[number, number][]} */
  const found = [];
  for (let row = first; row <= last; row++)
    for (let column = low; column <= high; column++) {
      const index = data.readUInt16BE(at + 14 + 2 * ((row - first) * (high - low + 1) + column - low));
      if (index !== 0xffff) found.push([row * 256 + column, index]);
    }
  return found;
}
