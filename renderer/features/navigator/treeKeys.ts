// The keys of the tree (U5, U7): what each does to the row that has focus. Pure; who calls does it.
import type { OutlineRow } from '../../../shared/tree/outlineRows';

export type TreeAct =
  | { type: 'focus'; at: number }
  | { type: 'go' }
  | { type: 'unfold' }
  | { type: 'fold' }
  /** Folds what was unfolded of the run this row stands in. */
  | { type: 'foldRun' };

const page = 10;

/** What `key` means on the row at `at`; null leaves it to others. */
export function actOf(key: string, rows: readonly OutlineRow[], at: number): TreeAct | null {
  const row = rows[at];
  if (!row) return null;
  const moves: Record<string, number> = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    PageDown: at + page,
    PageUp: at - page,
    Home: 0,
    End: rows.length - 1,
  };
  const to = moves[key];
  if (to !== undefined) return { type: 'focus', at: Math.max(0, Math.min(to, rows.length - 1)) };
  if (key === 'Enter' || key === ' ') return row.kind === 'gap' ? { type: 'unfold' } : { type: 'go' };
  if (key === 'ArrowRight') return right(rows, at, row);
  if (key === 'ArrowLeft') return left(rows, at, row);
  return null;
}

function right(rows: readonly OutlineRow[], at: number, row: OutlineRow): TreeAct | null {
  if (row.kind === 'gap' || row.fold === 'folded') return { type: 'unfold' };
  const next = rows[at + 1];
  return next && next.level > row.level ? { type: 'focus', at: at + 1 } : null;
}

function left(rows: readonly OutlineRow[], at: number, row: OutlineRow): TreeAct | null {
  if (row.kind === 'turn' && row.fold === 'open') return { type: 'fold' };
  for (let up = at - 1; up >= 0; up--) if ((rows[up]?.level ?? 0) < row.level) return { type: 'focus', at: up };
  return { type: 'foldRun' };
}

/** The next row after `at` whose words begin with what was typed; the row itself counts once more than one letter was typed. */
export function findTyped(texts: readonly string[], at: number, typed: string): number {
  const wanted = typed.toLocaleLowerCase();
  const from = typed.length > 1 ? at : at + 1;
  for (let step = 0; step < texts.length; step++) {
    const each = (from + step) % texts.length;
    if (texts[each]?.toLocaleLowerCase().startsWith(wanted)) return each;
  }
  return -1;
}
