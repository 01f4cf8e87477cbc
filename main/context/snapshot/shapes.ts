// The shape of a page for each family of readers (S2): as large as the provider passes on unscaled, with letters as large as the family needs. Found
// by the model's id first, then by who serves it. Where the numbers come from: docs/snapshot.md. Pure.
import { plainId } from '../../lib/plainId';
import { type ImageReader, imageRuleOf } from '../imagePrice';

/** Pixels from one character to the next, and from one row to the next. */
export type Cell = { advance: number; pitch: number };
/** A page's size in pixels; its height is cut to the rows that are printed. */
export type Shape = {
  name: string;
  width: number;
  height: number;
  /** For both ends of the middle. */
  readable: Cell;
  /** As dense as the family still reads. */
  dense: Cell;
  /** Pages that a request may carry: the images the provider takes, and never more than `mostPages`. */
  pages: number;
};

/** A request carries no more pages than these, whatever the reader (S4). */
export const mostPages = 80;
/** To a reader that is not known. */
const fewPages = 5;

const spaced: Cell = { advance: 11, pitch: 16 };
const tall: Cell = { advance: 8, pitch: 22 };
const close: Cell = { advance: 8, pitch: 16 };
/** Chinese, Japanese and Korean need four pixels between rows. */
const wide: Cell = { advance: 8, pitch: 18 };

const square = (side: number) => ({ width: side, height: side });
/** The largest full-width page that every Claude takes unscaled: 56 × 28 cells of 28 pixels. */
const flat = { width: 1568, height: 784 };
/** Models that see tiles shrink the shorter side to 768. */
const strip = { width: 768, height: 2048, readable: tall, dense: close, pages: mostPages };
/** 39 × 39 patches of 32 pixels are the largest square below 1,536. */
const patches = { ...square(1248), readable: tall, dense: close, pages: mostPages };

/** By the name of the rule that images are priced by; null: pages would cost far more than their text. */
const shapes: Record<string, Omit<Shape, 'name'> | null> = {
  'claude-high': { ...square(1932), readable: spaced, dense: close, pages: mostPages },
  claude: { ...flat, readable: close, dense: close, pages: mostPages },
  'gpt-4o-mini': null,
  'gpt-4.1-mini': patches,
  'gpt-4.1-nano': patches,
  'o4-mini': patches,
  'gpt-5.1': patches,
  'gpt-5.4': { ...square(1568), readable: tall, dense: close, pages: mostPages },
  'gpt-6': { ...square(1568), readable: tall, dense: close, pages: mostPages },
  'gpt-5': strip,
  o1: strip,
  'gpt-4o': strip,
  // Two by two tiles of 768 pixels.
  'gemini-2.5': { width: 1536, height: 1152, readable: tall, dense: close, pages: mostPages },
  'gemini-3': { ...square(2048), readable: tall, dense: close, pages: mostPages },
  grok: { ...flat, readable: tall, dense: close, pages: 20 },
};
const unknown: Omit<Shape, 'name'> = { ...flat, readable: tall, dense: close, pages: fewPages };
/** Served by many, and priced by whoever serves them. */
const served: [name: string, ids: RegExp, shape: Omit<Shape, 'name'>][] = [
  ['kimi', /(?:^|-)kimi-/, { ...square(1568), readable: tall, dense: close, pages: mostPages }],
  ['glm', /(?:^|-)glm-5[.-]3-flash/, { ...square(1568), readable: close, dense: close, pages: 50 }],
  ['glm', /(?:^|-)(?:chat)?glm-/, { ...square(1568), readable: close, dense: close, pages: fewPages }],
];

/** null: no pages for this reader. Whether it sees at all is told elsewhere. */
export function shapeFor(reader: ImageReader): Shape | null {
  const id = `${plainId(reader.modelId)}-`;
  const found = served.find(([, ids]) => ids.test(id));
  if (found) return { name: found[0], ...found[2] };
  const name = imageRuleOf(reader);
  const shape = shapes[name];
  if (shape === null) return null;
  return shape === undefined ? { name: 'unknown', ...unknown } : { name, ...shape };
}

/** The shape for text that is largely Chinese, Japanese or Korean: its characters are as legible at both ends as between. */
export function forWideText(shape: Shape): Shape {
  return { ...shape, readable: wide, dense: wide };
}

/** Whether its readable pages hold as much as its dense ones. */
export function isAsDense({ readable, dense }: Pick<Shape, 'readable' | 'dense'>): boolean {
  return readable.advance * readable.pitch <= dense.advance * dense.pitch;
}

export type Grid = Cell & { columns: number; rows: number };

export function gridOf({ width, height }: Pick<Shape, 'width' | 'height'>, { advance, pitch }: Cell): Grid {
  return { advance, pitch, columns: Math.floor(width / advance), rows: Math.floor(height / pitch) };
}
