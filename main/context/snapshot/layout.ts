// Printed text to pages (S4): row after row, each row as full as it can be. More than fits: readable pages at both ends, dense ones between, then the
// oldest of these dropped. Pure.
import { cellsOf, type Glyphs } from './glyphs';
import { type Cell, type Grid, gridOf, isAsDense, type Shape } from './shapes';

/** Characters `from` to `to` of the printed text; `rows` are those that are used. Sizes in pixels. */
export type Page = Grid & { from: number; to: number; width: number; height: number; dense: boolean };
/** `dropped` characters are missing before page `gapBefore`. */
export type Layout = { pages: Page[]; dropped: number; gapBefore: number };

/** Readable pages at each end where not all can be. */
export const readableEnds = 3;

export type LayoutArgs = {
  glyphs: Glyphs;
  text: string;
  shape: Shape;
  /** Pages. */
  most: number;
  /** Of the text, where they are known. */
  cells?: Uint8Array | undefined;
};

/** The layouts that hold a text, the most readable first: all of it readable, only its ends, all of it dense. */
export function* layoutsOf({ glyphs, text, shape, most, cells = cellsIn(glyphs, text) }: LayoutArgs): Generator<Layout, void> {
  const args: Job = { cells, shape, most };
  const paged = pager(args);
  const readable = paged(0, text.length, shape.readable, most);
  const isWhole = readable.at(-1)?.to === text.length;
  if (isWhole) yield { pages: readable, dropped: 0, gapBefore: 0 };
  if (isAsDense(shape) && isWhole) return;
  if (!isAsDense(shape) && most > 2) yield endsAndMiddle(args, Math.min(readableEnds, Math.floor((most - 1) / 2)));
  yield endsAndMiddle(args, 0);
}

/** `cells`: by character of the text, how many it takes. */
type Job = { cells: Uint8Array } & Pick<LayoutArgs, 'shape' | 'most'>;

export function cellsIn(glyphs: Glyphs, text: string): Uint8Array {
  const cells = new Uint8Array(text.length);
  for (let at = 0; at < cells.length; at++) cells[at] = cellsOf(glyphs, text.charCodeAt(at));
  return cells;
}

type Pager = (from: number, to: number, cell: Cell, most: number) => Page[];

function pager({ cells, shape }: Job): Pager {
  return (from, to, cell, most) => {
    const grid = gridOf(shape, cell);
    const pages: Page[] = [];
    for (let at = from; at < to && pages.length < most; ) {
      const filled = fill(cells, { from: at, to }, grid);
      const height = filled.rows * grid.pitch;
      pages.push({ ...grid, ...filled, from: at, width: shape.width, height, dense: cell !== shape.readable });
      at = filled.to;
    }
    return pages;
  };
}

function endsAndMiddle(args: Job, ends: number): Layout {
  const { cells, shape, most } = args;
  const paged = pager(args);
  const first = paged(0, cells.length, shape.readable, ends);
  const begin = first.at(-1)?.to ?? 0;
  const end = Math.max(begin, startOfLast(args, cells.length, shape.readable, ends));
  const last = paged(end, cells.length, shape.readable, ends);
  const left = most - first.length - last.length;
  const start = Math.max(begin, startOfLast(args, end, shape.dense, left));
  const middle = paged(start, end, shape.dense, left);
  return { pages: [...first, ...middle, ...last], dropped: start - begin, gapBefore: first.length };
}

/** The earliest place from which on `pages` hold all characters before `to`. */
function startOfLast({ cells: taken, shape }: Job, to: number, cell: Cell, pages: number): number {
  const { columns, rows } = gridOf(shape, cell);
  // A wide character may leave the last cell of a row empty.
  let [start, used, room] = [to, 0, pages * rows * columns];
  let hasWide = false;
  while (start > 0) {
    const cells = taken[start - 1] ?? 0;
    if (cells === 2 && !hasWide) {
      hasWide = true;
      room -= pages * rows;
    }
    if (used + cells > room) break;
    used += cells;
    start--;
  }
  return start;
}

/** How far one page goes, and in how many rows. */
function fill(taken: Uint8Array, { from, to }: { from: number; to: number }, { columns, rows }: Grid): { to: number; rows: number } {
  let [row, column, at] = [0, 0, from];
  for (; at < to; at++) {
    const cells = taken[at] ?? 0;
    if (column + cells > columns) {
      row++;
      column = 0;
    }
    if (row === rows) return { to: at, rows };
    column += cells;
  }
  return { to: at, rows: row + 1 };
}

/** What each cell of a page holds: a narrow character (1), the first half of a wide one (2), or nothing of its own (0). */
export function spansOf(glyphs: Glyphs, text: string, { from, to, columns, rows }: Page): Uint8Array {
  const spans = new Uint8Array(columns * rows);
  let [row, column] = [0, 0];
  for (let at = from; at < to; at++) {
    const cells = cellsOf(glyphs, text.charCodeAt(at));
    if (column + cells > columns) {
      row++;
      column = 0;
    }
    spans[row * columns + column] = cells;
    column += cells;
  }
  return spans;
}
