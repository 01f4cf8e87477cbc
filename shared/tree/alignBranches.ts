// Which messages of two branches stand beside each other when they are compared (T13): prompts by their place, answers under their prompts.
import type { Role } from '../model/message';

/** `left` and `right` are places in the branches' own messages; null where nothing stands. `turn` counts from 0. */
export type ComparedRow = { key: string; kind: 'prompt' | 'answer'; turn: number; left: number | null; right: number | null };

/** A prompt with the steps that answer it; a branch may begin with answers alone. */
type Turn = { prompt: number | null; steps: number[] };

function turnsOf(roles: readonly Role[]): Turn[] {
  const turns: Turn[] = [];
  for (const [at, role] of roles.entries()) {
    if (role !== 'assistant') turns.push({ prompt: at, steps: [] });
    else if (turns.length === 0) turns.push({ prompt: null, steps: [at] });
    else turns.at(-1)?.steps.push(at);
  }
  return turns;
}

export function alignBranches(left: readonly Role[], right: readonly Role[]): ComparedRow[] {
  const [lefts, rights] = [turnsOf(left), turnsOf(right)];
  // Answers without a prompt stand alone, beside no prompt.
  const begins = [lefts, rights].map((turns) => turns[0]?.prompt === null);
  if (begins[0] && !begins[1]) rights.unshift({ prompt: null, steps: [] });
  if (begins[1] && !begins[0]) lefts.unshift({ prompt: null, steps: [] });
  const rows: ComparedRow[] = [];
  for (let turn = 0; turn < Math.max(lefts.length, rights.length); turn++) {
    const [one, other] = [lefts[turn], rights[turn]];
    addRow(rows, 'prompt', turn, one?.prompt ?? null, other?.prompt ?? null);
    for (const [a, b] of pairsOf(one?.steps ?? [], other?.steps ?? [])) addRow(rows, 'answer', turn, a, b);
  }
  return rows;
}

function addRow(rows: ComparedRow[], kind: ComparedRow['kind'], turn: number, left: number | null, right: number | null): void {
  if (left !== null || right !== null) rows.push({ key: `${left ?? ''}:${right ?? ''}`, kind, turn, left, right });
}

/** The last step, which says the answer, beside the last; those before it by their place. */
function pairsOf(left: readonly number[], right: readonly number[]): [number | null, number | null][] {
  const longest = Math.max(left.length, right.length);
  const at = (steps: readonly number[], row: number) => (row === longest - 1 ? steps.at(-1) : steps.slice(0, -1)[row]) ?? null;
  return Array.from({ length: longest }, (_, row) => [at(left, row), at(right, row)]);
}
