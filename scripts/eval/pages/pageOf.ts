// One page of a text in cells of a size, as it is made for a reader, and the same with its pixels enlarged. Pure.
import type { Glyphs } from '../../../main/context/snapshot/glyphs';
import { layoutsOf } from '../../../main/context/snapshot/layout';
import { encodePng } from '../../../main/context/snapshot/png';
import { lineMark, printText } from '../../../main/context/snapshot/print';
import { type Bitmap, rasterPage, strideOf } from '../../../main/context/snapshot/raster';
import { type Cell, gridOf } from '../../../main/context/snapshot/shapes';
import { cleaned } from '../../../main/context/snapshot/text';

export type DrawnPage = {
  bitmap: Bitmap /** What is on it, without blanks and marks of lines. */;
  text: string;
  characters: number;
  bytes: number;
};

export type Form = { cell: Cell; width: number; rows: number; isWide: boolean };

/** The beginning of the text, as much as the page holds. */
export function pageOf(glyphs: Glyphs, said: string, { cell, width, rows, isWide }: Form): DrawnPage {
  const shape = { name: '', width, height: rows * cell.pitch, readable: cell, dense: cell, pages: 1 };
  const most = gridOf(shape, cell).columns * rows;
  const printed = printText(glyphs, cleaned(said)).text.slice(0, isWide ? Math.floor(most / 2) : most);
  const page = [...layoutsOf({ glyphs, text: printed, shape, most: 1 })][0]?.pages[0];
  if (!page) throw new Error('there is nothing to print');
  const bitmap = rasterPage(glyphs, printed, page);
  const text = printed.slice(page.from, page.to);
  return { bitmap, text: inked(text), characters: text.length, bytes: encodePng(bitmap).length };
}

/** What of a text is letters: where blanks are, a reader of pictures guesses. */
export function inked(text: string): string {
  return text.replaceAll(/\s+/g, '').replaceAll(lineMark, '');
}

/** Each pixel as a square of `times` × `times`. */
export function enlarged({ width, height, rows }: Bitmap, times: number): Bitmap {
  const [stride, wide] = [strideOf(width), strideOf(width * times)];
  const out = new Uint8Array(wide * height * times);
  for (let y = 0; y < height; y++) {
    const first = y * times * wide;
    for (let x = 0; x < width * times; x++) {
      const from = Math.floor(x / times);
      if ((rows[y * stride + 1 + (from >> 3)] ?? 0) & (0x80 >> (from & 7)))
        out[first + 1 + (x >> 3)] = (out[first + 1 + (x >> 3)] ?? 0) | (0x80 >> (x & 7));
    }
    for (let copy = 1; copy < times; copy++) out.copyWithin(first + copy * wide, first, first + wide);
  }
  return { width: width * times, height: height * times, rows: out };
}
