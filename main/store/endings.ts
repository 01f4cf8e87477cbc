// Which messages have a running or failed answer under them: it stands in the place of the message it would become (T12).
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
