// What a switch brings: the rows that were not there before the tip moved fade in, and no others.
import { useRef } from 'react';
import type { OutlineRow } from '../../../shared/tree/outlineRows';

const none: ReadonlySet<string> = new Set();

export function useFresh(rows: readonly OutlineRow[], tipKey: string | undefined): ReadonlySet<string> {
  const state = useRef<{ rows: readonly OutlineRow[]; tipKey: string | undefined; fresh: ReadonlySet<string> }>({
    rows,
    tipKey,
    fresh: none,
  });
  if (state.current.rows !== rows) {
    const before = state.current;
    const moved = before.tipKey !== undefined && before.tipKey !== tipKey;
    const known = moved ? new Set(before.rows.map((row) => row.key)) : none;
    const fresh = moved ? new Set(rows.filter((row) => !known.has(row.key)).map((row) => row.key)) : none;
    state.current = { rows, tipKey, fresh };
  }
  return state.current.fresh;
}
