// What is done to rows of the tree, by pointer, key or menu.
import { useState } from 'react';
import type { OutlineRow, TurnPlace } from '../../../shared/tree/outlineRows';
import { compareWithTip } from '../../state/compareSlice';
import { askToExport } from '../../state/exportSlice';
import { askToFork } from '../../state/forkSlice';
import { askToGo } from '../../state/leavingSlice';
import { foldRun, goToTurn, setBranchOpen, unfoldGap, useOutlineState } from '../../state/outlineSlice';
import { useConversationId } from '../../state/talkSlice';
import { askToDelete } from '../../state/trashSlice';
import { rowId } from './NavigatorRow';
import type { TurnAct } from './TurnMenu';

export type TurnActs = ReturnType<typeof useTurnActs>;

/** The row of a gap went with its focus: the first of its turns has it. */
function focusInstead(id: string | null): void {
  requestAnimationFrame(() => {
    if (id !== null && document.activeElement === document.body) document.getElementById(rowId(id))?.focus({ preventScroll: true });
  });
}

/** Where the path holds the row already, nothing is left. */
function carryAlong(row: TurnPlace): void {
  if (row.onPath) void goToTurn(row.turn, row);
  else askToGo(() => goToTurn(row.turn, row, true));
}

export function useTurnActs() {
  const { outline } = useOutlineState();
  const conversationId = useConversationId();
  const [labelling, setLabelling] = useState<string | null>(null);
  const runIdOf = (row: OutlineRow) => outline?.runs[row.run]?.id;
  return {
    /** The row whose label is being written. */
    labelling,
    setLabelling,
    unfold: (row: OutlineRow) => {
      const runId = runIdOf(row);
      if (!runId) return;
      if (row.kind === 'turn') setBranchOpen(runId, true);
      else void unfoldGap(runId, row.from, row.to).then(focusInstead);
    },
    fold: (row: OutlineRow) => setBranchOpen(runIdOf(row) ?? '', false),
    foldRun: (row: OutlineRow) => foldRun(runIdOf(row) ?? ''),
    act: (act: TurnAct, row: TurnPlace) => {
      if (act === 'go') void goToTurn(row.turn, row);
      else if (act === 'carry') carryAlong(row);
      else if (act === 'label') setLabelling(row.key);
      else if (act === 'fork') askToFork(row.turn.id);
      else if (act === 'compare') void compareWithTip(row.turn.id);
      else if (!conversationId) return;
      else if (act === 'export') askToExport({ conversationId, messageId: row.turn.id }, { scope: 'subtree' });
      else askToDelete({ conversationId, messageId: row.turn.id });
    },
  };
}
