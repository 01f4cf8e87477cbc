// Which messages have a running or failed answer under them: it stands in the place of the message it would become (T12).
import type { FailedTurn, LiveStep } from '../../shared/model/live';
import { type ReadableDb, select } from './database';

// Without DISTINCT: on tables that are nearly always empty, setting it up would cost more than the query.
const parents =
  'SELECT parent_id FROM live_steps WHERE conversation_id = ? UNION ALL SELECT parent_id FROM failed_turns WHERE conversation_id = ?';

/** The parents, for counting versions of a whole slice with one query; nearly always empty. */
export function endingsByParent(db: ReadableDb, conversationId: string): ReadonlySet<string> {
  return new Set(
    select<{ parent_id: string }>(db, parents)
      .all(conversationId, conversationId)
      .map((row) => row.parent_id),
  );
}

type EndingRow = { type: 'live'; step: LiveStep } | { type: 'failed'; turn: FailedTurn };

/** The one that is shown, of those under one message, oldest first. */
export function pickEnding(running: readonly LiveStep[], failed: readonly FailedTurn[]): EndingRow | null {
  const step = running.at(-1);
  if (step !== undefined) return { type: 'live', step };
  const turn = failed.at(-1);
  return turn === undefined ? null : { type: 'failed', turn };
}
