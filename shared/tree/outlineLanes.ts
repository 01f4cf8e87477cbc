// The lines beside the rows of the navigator: found in one pass from the last row up, each row being told what below it hangs on its lanes.

/** How a stretch of a lane is drawn: it leads to the tip, or to something else. */
export type Line = 'path' | 'side' | null;
export type Lanes = {
  /** Of the row's own lane, over and under its dot. */
  line: { above: Line; below: Line };
  /** Of the lanes before it, from the first on: what passes by to rows further down. */
  passes: readonly Line[];
  /** Of a head: the lane before its own, above the place where it leaves it. */
  meets: Line;
};
type Laned = Lanes & { lane: number; isHead: boolean; onPath: boolean };

export function drawLanes<Row extends Laned>(rows: readonly Row[]): Row[] {
  const drawn = [...rows];
  /** What the rows below hang on, by lane. */
  const below: Line[] = [];
  for (let at = rows.length - 1; at >= 0; at--) {
    const row = rows[at];
    if (!row) continue;
    const { lane, isHead, onPath } = row;
    const own = below[lane] ?? null;
    const passes = Array.from({ length: lane }, (_, each) => below[each] ?? null);
    below.length = lane + 1;
    if (isHead) {
      below[lane] = null;
      // What leaves a lane needs it up to there, and the path needs it as its own.
      below[lane - 1] = passes[lane - 1] === 'path' ? 'path' : 'side';
    } else {
      below[lane] = onPath ? 'path' : 'side';
    }
    const first = at === 0;
    const above = first || isHead ? null : (below[lane] ?? null);
    drawn[at] = { ...row, line: { above, below: own }, passes, meets: isHead && !first ? (below[lane - 1] ?? null) : null };
  }
  return drawn;
}
