// From one difference to the next or the one before, over messages that are not loaded yet, too.
import { textOf } from '../../../shared/model/message';
import type { MessageView } from '../../../shared/model/talkView';
import type { ComparedRow } from '../../../shared/tree/alignBranches';
import { messagesOfRow } from '../../state/compareSlice';
import { countChanges } from '../../text/difference';
import { type Compared, difference } from '../../text/differences';

/** How answers are shown: as text with marks, or as in the talk. */
export type AnswerView = 'marked' | 'asShown';
/** A change in a row; `count` of them are in it. */
export type Step = { row: number; change: number; count: number };

/** What is compared in a row; null where a side is missing or both say the same. */
export function comparedIn(left: MessageView | null, right: MessageView | null): Compared | null {
  if (!left || !right) return null;
  const texts = { left: textOf(left), right: textOf(right) };
  return texts.left === texts.right ? null : { key: `${left.id} ${right.id}`, ...texts };
}

async function changesIn(row: ComparedRow | undefined, index: number, view: AnswerView): Promise<number> {
  if (!row || row.left === null || row.right === null) return 0;
  const { left, right } = await messagesOfRow(index);
  const compared = comparedIn(left, right);
  if (!compared) return 0;
  return row.kind === 'answer' && view === 'asShown' ? 1 : countChanges(await difference(compared));
}

type Search = { rows: readonly ComparedRow[]; from: Step | null; direction: 1 | -1; view: AnswerView; isWanted(): boolean };

/** Null when there is none that way, or nobody wants it any more. */
export async function findStep({ rows, from, direction, view, isWanted }: Search): Promise<Step | null> {
  if (from) {
    const change = from.change + direction;
    if (change >= 0 && change < from.count) return { ...from, change };
  }
  const first = from ? from.row + direction : direction === 1 ? 0 : rows.length - 1;
  for (let at = first; at >= 0 && at < rows.length && isWanted(); at += direction) {
    const count = await changesIn(rows[at], at, view);
    if (count > 0) return { row: at, change: direction === 1 ? 0 : count - 1, count };
  }
  return null;
}
