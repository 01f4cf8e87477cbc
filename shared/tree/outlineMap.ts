// The navigator's map (U5): the tree as a compact graph, from the same outline as its rows. Pure, without recursion, linear in what is drawn.
// Where a node stands depends on the tree alone, not on the tip, so that a switch moves nothing.
import type { Outline, OutlineRun, OutlineTurn } from '../model/outline';
import { type Placed, placeBranches } from './placeBranches';

export type MapNode = {
  key: string;
  turn: OutlineTurn;
  column: number;
  row: number;
  /** Place of the node above in the list, before its own; -1 at a root. */
  parent: number;
  /** From left to right. */
  children: number[];
  /** Turns between the node above and this one that have no node of their own. */
  hidden: number;
  onPath: boolean;
  isTip: boolean;
  /** The first of one of several branches. */
  isHead: boolean;
  /** Free columns to its right. */
  room: number;
};
export type OutlineMap = {
  /** In the order in which one reads them: each before those under it, from left to right. */
  nodes: readonly MapNode[];
  /** Places of nodes, from left to right. */
  byRow: readonly (readonly number[])[];
  roots: readonly number[];
  columns: number;
  /** The node of the tip; -1 without one. */
  tip: number;
};

/** Turns that a search found, by run: each has a node. */
type Hits = ReadonlyMap<number, readonly OutlineTurn[]> | null;
type Run = Placed & { at: number; turns: readonly OutlineTurn[] };

export function outlineMap(outline: Outline, hits: Hits = null): OutlineMap {
  const { tip } = outline;
  const runs: Run[] = [];
  for (const [at, run] of outline.runs.entries()) {
    const turns = turnsOf(run, hits?.get(at));
    const parent = runs[run.parent] ?? null;
    runs.push({ at, turns, parent, height: turns.length, children: [], depth: 0, column: 0, row: 0 });
  }
  const roots = placeBranches(runs);
  const onPath = new Set<Placed>();
  for (let run: Placed | null = runs[tip?.run ?? -1] ?? null; run; run = run.parent) onPath.add(run);
  const sheet = new Sheet();
  const open = [...roots].reverse();
  for (let run = open.pop(); run; run = open.pop()) {
    const tipAt = tip?.run === run.at ? tip.at : null;
    sheet.add(run, {
      siblings: (run.parent?.children ?? roots).length,
      path: onPath.has(run) ? (tipAt ?? Number.POSITIVE_INFINITY) : -1,
      tipAt,
    });
    for (let at = run.children.length - 1; at >= 0; at--) open.push(run.children[at] as Run);
  }
  return sheet;
}

function turnsOf({ shown }: OutlineRun, hits: readonly OutlineTurn[] | undefined): readonly OutlineTurn[] {
  if (!hits) return shown;
  const byPlace = new Map([...hits, ...shown].map((turn): [number, OutlineTurn] => [turn.at, turn]));
  return [...byPlace.values()].sort((a, b) => a.at - b.at);
}

/** The nodes as they are put down, run by run. */
class Sheet implements OutlineMap {
  readonly nodes: MapNode[] = [];
  readonly byRow: number[][] = [];
  readonly roots: number[] = [];
  columns = 0;
  tip = -1;
  readonly #last = new Map<Placed, number>();

  /** `path`: the last turn of the run that is on the path, -1 for none. */
  add(run: Run, { siblings, path, tipAt }: { siblings: number; path: number; tipAt: number | null }): void {
    let parent = (run.parent && this.#last.get(run.parent)) ?? -1;
    let next = 0;
    for (const [at, turn] of run.turns.entries()) {
      const isTip = turn.at === tipAt;
      const place = this.#put({
        key: turn.id,
        turn,
        column: run.column,
        row: run.row + at,
        parent,
        children: [],
        hidden: turn.at - next,
        onPath: turn.at <= path,
        isTip,
        isHead: at === 0 && siblings > 1,
        room: Number.POSITIVE_INFINITY,
      });
      if (isTip) this.tip = place;
      parent = place;
      next = turn.at + 1;
    }
    this.#last.set(run, parent);
    this.columns = Math.max(this.columns, run.column + 1);
  }

  #put(node: MapNode): number {
    const place = this.nodes.push(node) - 1;
    (this.nodes[node.parent]?.children ?? this.roots).push(place);
    const line = this.byRow[node.row] ?? [];
    this.byRow[node.row] = line;
    const left = this.nodes[line.at(-1) ?? -1];
    if (left) left.room = node.column - left.column - 1;
    line.push(place);
    return place;
  }
}
