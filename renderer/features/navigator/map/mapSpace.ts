// Where the nodes of the map stand in pixels at a zoom, and which node is at a point. Pure.
import type { MapNode, OutlineMap } from '../../../../shared/tree/outlineMap';

export type Size = { width: number; height: number };
export type Point = { x: number; y: number };
export type MapSpace = Size & {
  /** Between two columns, and between two rows. */
  pitch: Point;
  /** Of what does not grow with the zoom: one sixteenth of the text size. */
  unit: number;
  zoom: number;
  /** The zoom at which all of it is in view. */
  least: number;
  /** Words fit between the rows. */
  hasWords: boolean;
};

/** Pixels at normal text size. */
const cell = 28;
export const margin = 22;
/** For the words of the last column. */
const wordsWidth = 176;
/** What fits in one direction is not squeezed further for the other one: a tall tree keeps its branches apart. */
const closest = { x: 0.6, y: 0.3 };
/** For the buttons over the lower end. */
const foot = 44;
export const most = 2.5;

export function spaceOf({ columns, byRow }: OutlineMap, view: Size, zoom: number, unit: number): MapSpace {
  const [across, down] = [cell * unit * Math.max(0, columns - 1), cell * unit * Math.max(0, byRow.length - 1)];
  const around = 2 * margin * unit;
  const fit = { x: share(view.width - around, across), y: share(view.height - around, down) };
  const least = Math.min(1, fit.x, fit.y);
  const held = Math.max(least, Math.min(zoom, most));
  const scale = { x: Math.max(held, Math.min(closest.x, fit.x)), y: Math.max(held, Math.min(closest.y, fit.y)) };
  const hasWords = scale.y >= 0.7;
  const width = around + across * scale.x;
  const height = around + down * scale.y;
  return {
    pitch: { x: cell * unit * scale.x, y: cell * unit * scale.y },
    unit,
    zoom: held,
    least,
    hasWords,
    // Where it has to be scrolled anyway.
    width: width <= view.width ? view.width : width + (hasWords ? wordsWidth * unit : 0),
    height: height <= view.height ? view.height : height + foot * unit,
  };
}
const share = (room: number, need: number) => (need <= 0 ? 1 : Math.max(0.001, room / need));

export const placeOf = ({ pitch, unit }: MapSpace, { column, row }: Pick<MapNode, 'column' | 'row'>): Point => ({
  x: margin * unit + column * pitch.x,
  y: margin * unit + row * pitch.y,
});

/** Columns and rows, as fractions, at a point. */
export const cellAt = ({ pitch, unit }: MapSpace, { x, y }: Point): { column: number; row: number } => ({
  column: (x - margin * unit) / pitch.x,
  row: (y - margin * unit) / pitch.y,
});

/** Pixels around a node that belong to it, at least. */
const reach = 9;

/** The node at a point, or whose words are there; -1 for none. */
export function nodeAt(map: OutlineMap, space: MapSpace, point: Point): number {
  const { column, row } = cellAt(space, point);
  const line = map.byRow[Math.round(row)] ?? [];
  const at = firstFrom(map, line, column - Math.max(0.5, reach / space.pitch.x));
  const node = map.nodes[line[at] ?? -1];
  if (node && Math.abs(node.column - column) <= Math.max(0.5, reach / space.pitch.x)) return line[at] ?? -1;
  const left = map.nodes[line[at - 1] ?? -1];
  return left && wordsRoom(left, space, Number.POSITIVE_INFINITY) > 0 ? (line[at - 1] ?? -1) : -1;
}

/** Of a row's nodes the first that is not left of a column; the number of them when all are. */
export function firstFrom({ nodes }: OutlineMap, line: readonly number[], column: number): number {
  let [low, high] = [0, line.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((nodes[line[middle] ?? -1]?.column ?? 0) < column) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Fewer pixels hold no words. */
const leastWords = 80;

/** Pixels for words beside a node; 0 where there is too little room. `edge`: the right end of the view. */
export function wordsRoom(node: MapNode, space: MapSpace, edge: number): number {
  if (!space.hasWords) return 0;
  const x = placeOf(space, node).x + wordsGap * space.unit;
  const next = node.room === Number.POSITIVE_INFINITY ? edge : placeOf(space, node).x + (node.room + 1) * space.pitch.x - 12 * space.unit;
  const room = Math.min(next, edge) - x;
  return room < leastWords * space.unit ? 0 : room;
}
/** Between a node and its words. */
export const wordsGap = 14;
