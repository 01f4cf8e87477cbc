// The lines of the navigator (U5): which turns are shown for a tip, what is folded, and the lanes beside them. Pure, and without recursion: any
// depth fits.
import type { Outline, OutlineRun, OutlineTurn } from '../model/outline';
import { drawLanes, type Lanes } from './outlineLanes';

/** What the person has folded, unfolded and asked for. */
export type OutlineChoice = {
  /** Branches beside the path that are unfolded, by the id of their first run. */
  open: ReadonlySet<string>;
  /** Turns out of gaps, by run, in order. */
  extra: ReadonlyMap<string, readonly OutlineTurn[]>;
  filter: OutlineFilter;
  /** The turns a search found, by run: only they are shown, and the branches they are on. */
  hits: ReadonlyMap<number, readonly OutlineTurn[]> | null;
};
/** `memory`: its turns are asked for, and given as hits. `trash`: deleted branches are no rows of the tree; they are listed in its place. */
export type OutlineFilter = 'all' | 'prompts' | 'branchPoints' | 'labelled' | 'memory' | 'trash';

/** Rows of one parent, for what a screen reader says of their place. */
export type RowGroup = { size: number };
type RowBase = Lanes & {
  key: string;
  run: number;
  /** Indent, from 0; the path is always 0. */
  lane: number;
  /** As a screen reader counts, from 1. */
  level: number;
  group: RowGroup;
  place: number;
  /** The first row of a branch beside the path. */
  isHead: boolean;
  onPath: boolean;
};
export type TurnRow = RowBase & {
  kind: 'turn';
  turn: OutlineTurn;
  isTip: boolean;
  /** Whether more of its branch can be folded under it. */
  fold: 'open' | 'folded' | null;
  /** Turns on its branch and the branches off it, itself included; of a head only. */
  turns: number;
  /** Something runs in what is folded. */
  runs: boolean;
};
/** Of a turn that is shown, what is needed to act on it. */
export type TurnPlace = Pick<TurnRow, 'key' | 'turn' | 'onPath' | 'isHead' | 'isTip'>;
/** Turns `from` up to, not including, `to` of a run. */
export type GapRow = RowBase & { kind: 'gap'; from: number; to: number };
export type OutlineRow = TurnRow | GapRow;

/** A run to be laid out: in which lane, and at which level its rows are; `head` when its first row begins a branch beside the path. */
type Task = { run: number; lane: number; level: number; head: boolean };

export function outlineRows(outline: Outline, choice: OutlineChoice): OutlineRow[] {
  const facts = factsOf(outline, choice);
  const rows: OutlineRow[] = [];
  const tasks: Task[] = [];
  pushChildren(tasks, facts, -1, { lane: 0, level: 1, sideLevel: 1 });
  for (let task = tasks.pop(); task; task = tasks.pop()) layOut(task, facts, rows, tasks);
  const seen = rows.filter((row) => isKept(row, facts));
  countPlaces(seen);
  return drawLanes(seen);
}

type Facts = {
  outline: Outline;
  choice: OutlineChoice;
  children: readonly (readonly number[])[];
  roots: readonly number[];
  onPath: ReadonlySet<number>;
  /** Turns of each run and of all below it. */
  turns: readonly number[];
  /** Whether something runs in it or below it. */
  runs: readonly boolean[];
  /** Runs with turns to be shown in or below them; null shows all. */
  wanted: readonly boolean[] | null;
  hits: ReadonlyMap<number, readonly OutlineTurn[]> | null;
};

function factsOf(outline: Outline, choice: OutlineChoice): Facts {
  const { runs, tip } = outline;
  const children: number[][] = runs.map(() => []);
  const roots: number[] = [];
  for (const [at, { parent }] of runs.entries()) (children[parent] ?? roots).push(at);
  const onPath = new Set<number>();
  for (let at = tip?.run ?? -1; at >= 0; at = runs[at]?.parent ?? -1) onPath.add(at);
  const hits = choice.hits ?? (choice.filter === 'labelled' ? markedTurns(outline) : null);
  const turns = runs.map((run) => run.turns);
  const running = runs.map((run) => run.shown.some((turn) => turn.state === 'running'));
  const wanted = hits && runs.map((_, at) => hits.has(at));
  // A run stands before those under it, so one pass from the end sums up every subtree.
  for (let at = runs.length - 1; at >= 0; at--) {
    const parent = runs[at]?.parent ?? -1;
    if (parent < 0) continue;
    turns[parent] = (turns[parent] ?? 0) + (turns[at] ?? 0);
    if (running[at]) running[parent] = true;
    if (wanted?.[at]) wanted[parent] = true;
  }
  return { outline, choice, children, roots, onPath, turns, runs: running, wanted, hits };
}

const isMarked = (turn: OutlineTurn) => turn.label !== undefined || turn.checkpoint !== undefined || turn.pinned === true;
function markedTurns(outline: Outline): Map<number, readonly OutlineTurn[]> {
  const marked = outline.runs.map((run, at): [number, OutlineTurn[]] => [at, run.shown.filter(isMarked)]);
  return new Map(marked.filter(([, turns]) => turns.length > 0));
}

/**
 * The runs under `parent` (-1: the roots): branches beside the path first, in order of creation, then the one that goes on in this lane, so that a
 * branch is always found right under the message it leaves.
 */
function pushChildren(tasks: Task[], facts: Facts, parent: number, at: { lane: number; level: number; sideLevel: number }): void {
  const all = (parent < 0 ? facts.roots : (facts.children[parent] ?? [])).filter((child) => facts.wanted?.[child] ?? true);
  const main = mainOf(all, facts, parent);
  if (main !== undefined) tasks.push({ run: main, lane: at.lane, level: at.level, head: false });
  for (const child of [...all].reverse())
    if (child !== main) tasks.push({ run: child, lane: at.lane + 1, level: at.sideLevel, head: true });
}

function mainOf(children: readonly number[], { onPath, outline }: Facts, parent: number): number | undefined {
  const next = children.find((child) => onPath.has(child));
  if (next !== undefined) return next;
  // Beside the path what was written last goes on; below the tip every branch is one to choose from.
  return onPath.has(parent) || (parent < 0 && outline.tip) ? undefined : children.at(-1);
}

function layOut(task: Task, facts: Facts, rows: OutlineRow[], tasks: Task[]): void {
  const { run: at, lane, head } = task;
  const run = facts.outline.runs[at];
  if (!run) return;
  const more = (facts.turns[at] ?? 0) > 1;
  const open = !head || facts.hits !== null || facts.choice.open.has(run.id);
  const all = rowsOf(run, at, task, facts);
  const [first] = all;
  if (head && more && first?.kind === 'turn') {
    first.fold = open ? 'open' : 'folded';
    first.runs = !open && (facts.runs[at] ?? false);
  }
  rows.push(...(open ? all : all.slice(0, 1)));
  if (!open) return;
  const level = head ? task.level + 1 : task.level;
  const hungFrom = all.at(-1)?.level ?? task.level;
  pushChildren(tasks, facts, at, { lane, level, sideLevel: hungFrom + 1 });
}

/** The turns of a run that have a line, and gaps where some have none. */
function rowsOf(run: OutlineRun, at: number, task: Task, facts: Facts): OutlineRow[] {
  const { tip } = facts.outline;
  const turns = turnsOf(run, at, facts, task.head);
  const rows: OutlineRow[] = [];
  const base = (place: number, isHead: boolean) => ({
    run: at,
    lane: task.lane,
    level: task.head && !isHead ? task.level + 1 : task.level,
    isHead,
    onPath: facts.onPath.has(at) && (tip?.run !== at || place <= tip.at),
    ...unplaced,
  });
  let next = 0;
  for (const turn of turns) {
    if (turn.at > next && facts.hits === null)
      rows.push({ kind: 'gap', key: `${run.id}:${next}`, from: next, to: turn.at, ...base(next, false) });
    const isHead = task.head && rows.length === 0;
    const isTip = tip?.run === at && tip.at === turn.at;
    const mine = isHead ? (facts.turns[at] ?? 0) : 0;
    rows.push({ kind: 'turn', key: turn.id, turn, isTip, fold: null, turns: mine, runs: false, ...base(turn.at, isHead) });
    next = turn.at + 1;
  }
  return rows;
}
const unplaced = { group: { size: 0 }, place: 0, line: { above: null, below: null }, passes: [], meets: null } as const;

function turnsOf(run: OutlineRun, at: number, { choice, hits }: Facts, head: boolean): readonly OutlineTurn[] {
  if (hits) {
    const found = hits.get(at) ?? [];
    const first = run.shown[0];
    // The branch it is on is named by its first line.
    return head && first && found[0]?.at !== 0 ? [first, ...found] : found;
  }
  const extra = choice.extra.get(run.id);
  if (!extra || extra.length === 0) return run.shown;
  // A run that a new branch parted has become shorter.
  const held = extra.filter((turn) => turn.at < run.turns);
  const byPlace = new Map([...held, ...run.shown].map((turn): [number, OutlineTurn] => [turn.at, turn]));
  return [...byPlace.values()].sort((a, b) => a.at - b.at);
}

function isKept(row: OutlineRow, { choice, hits, outline, children }: Facts): boolean {
  if (hits || (choice.filter !== 'prompts' && choice.filter !== 'branchPoints')) return true;
  if (row.kind === 'gap') return choice.filter === 'prompts';
  if (choice.filter === 'prompts') return row.turn.role === 'user' || row.fold !== null || row.isTip;
  const run = outline.runs[row.run];
  const parts = row.turn.at === (run?.turns ?? 0) - 1 && (children[row.run]?.length ?? 0) > 0;
  return row.isHead || row.isTip || parts;
}

/** The group of a row is that of the rows between which no row of a lesser level stands. */
function countPlaces(rows: readonly OutlineRow[]): void {
  const groups: { level: number; group: RowGroup }[] = [];
  for (const row of rows) {
    while ((groups.at(-1)?.level ?? 0) > row.level) groups.pop();
    let top = groups.at(-1);
    if (!top || top.level < row.level) {
      top = { level: row.level, group: { size: 0 } };
      groups.push(top);
    }
    row.group = top.group;
    row.place = ++top.group.size;
  }
}
