// Columns and rows for the straight runs of a tree. The longest branch under a run goes on straight below it, the others stand to its right in
// order of creation, each as near as the rows it takes allow: the contours of a tidy tree (Reingold and Tilford 1981) in linear time, since a branch
// is never deeper than what it is put beside.

export type Placed = {
  parent: Placed | null;
  /** Rows of its own. */
  height: number;
  /** From left to right, once they are placed. */
  children: Placed[];
  /** Rows down to the end of the deepest branch under it. */
  depth: number;
  column: number;
  row: number;
};

/** The right edge of a branch by row, from column 0 of the branch on; shared by all runs that go straight on in it. */
type Edge = number[];

/** Parents before what hangs under them. Gives the roots, from left to right. */
export function placeBranches<Run extends Placed>(runs: readonly Run[]): Run[] {
  const roots: Run[] = [];
  for (const run of runs) (run.parent?.children ?? roots).push(run);
  for (const run of [...runs].reverse()) run.depth = run.height + longestFirst(run.children);
  longestFirst(roots);
  const edges = new Map<Placed, Edge>();
  for (const run of runs) {
    const { parent } = run;
    if (parent) run.row = parent.row + parent.height;
    const straight = parent?.children[0] === run && edges.get(parent);
    edges.set(run, straight || new Array<number>(run.depth).fill(0));
  }
  for (const run of [...runs].reverse()) putBeside(run.children, edges);
  putBeside(roots, edges);
  for (const run of runs) run.column += run.parent?.column ?? 0;
  return roots;
}

/** Puts the deepest to the front, the oldest of those, and gives its depth. */
function longestFirst(runs: Placed[]): number {
  let longest = 0;
  for (const [at, { depth }] of runs.entries()) if (depth > (runs[longest]?.depth ?? 0)) longest = at;
  if (longest > 0) runs.unshift(...runs.splice(longest, 1));
  return runs[0]?.depth ?? 0;
}

/** Puts all but the first to the right of it, one after the other. Their columns are counted from the first. */
function putBeside([first, ...others]: readonly Placed[], edges: ReadonlyMap<Placed, Edge>): void {
  const edge = first && edges.get(first);
  if (!edge) return;
  const from = edge.length - first.depth;
  for (const other of others) {
    const own = edges.get(other) ?? [];
    let column = 0;
    for (let row = 0; row < own.length; row++) column = Math.max(column, (edge[from + row] ?? 0) + 1);
    for (const [row, width] of own.entries()) edge[from + row] = column + width;
    other.column = column;
  }
}
