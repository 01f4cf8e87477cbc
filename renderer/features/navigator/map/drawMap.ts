// Draws what of the map is in view. Everything of one look is one path, so that a whole tree takes a few strokes of the pen.
import type { MapNode, OutlineMap } from '../../../../shared/tree/outlineMap';
import { firstFrom, type MapSpace, type Point, placeOf, type Size, wordsGap, wordsRoom } from './mapSpace';
import type { Pen } from './pen';

export type Scene = {
  map: OutlineMap;
  space: MapSpace;
  view: Size;
  scroll: Point;
  /** The node under the pointer. */
  hovered: number;
  /** What a search found, by key; null while nothing is searched for. */
  found: ReadonlySet<string> | null;
  text(node: MapNode): string;
  /** Turns without a node of their own. */
  count(hidden: number): string;
};

export function drawMap(pen: Pen, scene: Scene): void {
  pen.begin(scene.view);
  const nodes = inView(scene);
  drawLinks(pen, scene, nodes);
  // Too close together for anything but their lines.
  const crowded = Math.min(scene.space.pitch.x, scene.space.pitch.y) < 5;
  for (const node of nodes) if (!crowded || node.isTip || isMarked(node)) drawNode(pen, scene, node);
  if (scene.space.hasWords) for (const node of nodes) drawWords(pen, scene, node);
}

const isMarked = ({ turn }: MapNode) => turn.label !== undefined || turn.checkpoint !== undefined || turn.state !== undefined;

/** Nodes in view, or with a line or words in it. */
function inView({ map, space, view, scroll }: Scene): MapNode[] {
  const found: MapNode[] = [];
  const start = placeOf(space, { column: 0, row: 0 });
  const [top, bottom] = [scroll.y - start.y, scroll.y + view.height - start.y].map((y) => y / space.pitch.y);
  const [left, right] = [scroll.x - start.x, scroll.x + view.width - start.x].map((x) => x / space.pitch.x);
  const lastRow = Math.min(map.byRow.length - 1, Math.ceil(bottom ?? 0) + 1);
  for (let row = Math.max(0, Math.floor(top ?? 0) - 1); row <= lastRow; row++) {
    const line = map.byRow[row] ?? [];
    // One further to the left may reach in with its words.
    for (let at = Math.max(0, firstFrom(map, line, (left ?? 0) - 1) - 1); at < line.length; at++) {
      const node = map.nodes[line[at] ?? -1];
      if (!node) continue;
      if (Math.min(node.column, map.nodes[node.parent]?.column ?? node.column) > (right ?? 0) + 1) break;
      found.push(node);
    }
  }
  return found;
}

const onScreen = ({ space, scroll }: Scene, node: MapNode): Point => {
  const { x, y } = placeOf(space, node);
  return { x: x - scroll.x, y: y - scroll.y };
};

type Stroke = { path: Path2D; node: (node: MapNode) => boolean };

function drawLinks(pen: Pen, scene: Scene, nodes: readonly MapNode[]): void {
  // So far away dashes are only gaps, and lines a mass.
  const isFar = scene.space.pitch.y < 12 * scene.space.unit;
  const width = isFar ? 1 : 1.5;
  const strokes: (Stroke & Parameters<Pen['stroke']>[1])[] = [
    { path: new Path2D(), node: (each) => !each.onPath && (isFar || each.hidden === 0), colour: 'line-strong', width },
    { path: new Path2D(), node: (each) => !each.onPath, colour: 'line-strong', width, dashed: true },
    { path: new Path2D(), node: (each) => isFar || each.hidden === 0, colour: 'accent', width: 2 },
    { path: new Path2D(), node: () => true, colour: 'accent', width: 2, dashed: true },
  ];
  for (const node of nodes) {
    const above = scene.map.nodes[node.parent];
    if (above) addLink(strokes.find((each) => each.node(node))?.path, onScreen(scene, above), onScreen(scene, node), scene.space);
  }
  for (const { path, ...look } of strokes) pen.stroke(path, look);
}

/** Straight down, or along between the rows and then down. */
function addLink(path: Path2D | undefined, from: Point, to: Point, { pitch, unit }: MapSpace): void {
  if (!path) return;
  path.moveTo(from.x, from.y);
  if (to.x > from.x) {
    const bend = Math.min(8 * unit, pitch.y / 2, pitch.x / 2);
    const along = from.y + pitch.y / 2;
    path.lineTo(from.x, along - bend);
    path.quadraticCurveTo(from.x, along, from.x + bend, along);
    path.lineTo(to.x - bend, along);
    path.quadraticCurveTo(to.x, along, to.x, along + bend);
  }
  path.lineTo(to.x, to.y);
}

function drawNode(pen: Pen, scene: Scene, node: MapNode): void {
  const { space, map, hovered } = scene;
  const at = onScreen(scene, node);
  const size = Math.max(2, 4.5 * space.unit * Math.min(1.4, Math.min(space.pitch.x, space.pitch.y) / (20 * space.unit)));
  const { turn } = node;
  if (map.nodes[hovered] === node) pen.dot(at, size + 5 * space.unit, { fill: 'sel' });
  if (node.isTip) pen.dot(at, size + 4 * space.unit, { fill: 'accent-soft' });
  const colour = turn.state === 'failed' ? 'red' : turn.state === 'interrupted' ? 'amber' : node.onPath ? 'accent' : 'faint';
  // Lines end at it, also where it is faint.
  pen.dot(at, size, { fill: 'panel' });
  pen.fade(isFaint(scene, node));
  pen.dot(at, size, { fill: node.isTip ? 'accent' : 'panel', line: colour, width: node.onPath || turn.state ? 2 : 1.5 });
  if (turn.state === 'running') pen.dot(at, size * 0.5, { fill: node.isTip ? 'panel' : 'accent' });
  drawMark(pen, scene, node, { x: at.x + size + 2 * space.unit, y: at.y - size - 2 * space.unit }, size);
  pen.fade(false);
}

/** At the shoulder of a node: what its words do not say. */
function drawMark(pen: Pen, scene: Scene, node: MapNode, at: Point, size: number): void {
  const { turn } = node;
  const isNamed = roomOf(scene, node) > 0;
  const hasDot = isNamed ? turn.pinned && turn.label === undefined : turn.pinned || turn.label !== undefined;
  if (hasDot) pen.dot(at, Math.max(2, size * 0.6), { fill: 'amber' });
  else if (!isNamed && turn.checkpoint !== undefined) pen.flag(at, Math.max(5, size * 1.6));
}

const isFaint = ({ found }: Scene, node: MapNode) => found !== null && !found.has(node.key);

/** While something is searched for, only what was found is named. */
const roomOf = (scene: Scene, node: MapNode) =>
  isFaint(scene, node) ? 0 : wordsRoom(node, scene.space, scene.scroll.x + scene.view.width - 8 * scene.space.unit);

function drawWords(pen: Pen, scene: Scene, node: MapNode): void {
  const { space } = scene;
  const { unit } = space;
  const at = onScreen(scene, node);
  if (node.hidden > 0) {
    const beside = { x: at.x + 6 * unit, y: at.y - space.pitch.y / 2 };
    pen.text(scene.count(node.hidden), beside, { colour: 'faint', size: 12, width: space.pitch.x * 2 });
  }
  const room = roomOf(scene, node);
  if (room === 0) return;
  const end = at.x + wordsGap * unit + room;
  let x = at.x + wordsGap * unit;
  const { label, checkpoint } = node.turn;
  const put = (text: string, look: { colour: 'amber' | 'soft' | 'text'; size: number; weight: number }) => {
    if (end - x > 24 * unit) x += pen.text(text, { x, y: at.y }, { ...look, width: end - x }) + 8 * unit;
  };
  if (label !== undefined) put(label, { colour: 'amber', size: 12, weight: 600 });
  if (checkpoint !== undefined && end - x > 40 * unit) {
    pen.flag({ x: x + 5 * unit, y: at.y }, 8 * unit);
    x += 14 * unit;
    put(checkpoint, { colour: 'soft', size: 12, weight: 600 });
  }
  put(scene.text(node), { colour: node.onPath ? 'text' : 'soft', size: 13, weight: node.isTip ? 600 : 400 });
}
