// Whether a row is in the trash (T8): the one place that says so. A deletion marks its rows in batches and is revealed by its row in `trash`; undo
// takes that row away. So a mark alone means nothing, and rows without one, nearly all, cost nothing to tell.
import { type ReadableDb, select } from './database';

/** Of the topmost message of a deletion: takes it out of its place in the tree index, and all below it with it. */
export const topInTrash = 2;

/** SQL: whether the row of `messages` under this alias is no part of what was deleted. Says nothing of its conversation. */
export const notTrashed = (alias: string): string =>
  `(${alias}.trash_id IS NULL OR NOT EXISTS (SELECT 1 FROM trash WHERE trash.id = ${alias}.trash_id))`;

/** Whether a mark that was read counts. */
export function isTrash(db: ReadableDb, trashId: string | null): boolean {
  return trashId !== null && select(db, 'SELECT 1 FROM trash WHERE id = ?').get(trashId) !== undefined;
}
