// Drafts: what a person has typed and not sent, kept over restarts (U4). The key is a conversation id, or `new`.
import { type Draft, draftSchema, emptyDraft } from '../../shared/model/draft';
import { change, type ReadableDb, select, transaction, type WritableDb } from './database';
import { readJson } from './json';

export function readDraft(db: ReadableDb, key: string): Draft {
  const row = select<{ draft: string }>(db, 'SELECT draft FROM drafts WHERE key = ?').get(key);
  return (row && readJson(row.draft, draftSchema)) ?? emptyDraft;
}

/** An empty draft leaves no row. */
export function saveDraft(db: WritableDb, args: { key: string; draft: Draft; now: number }): void {
  const { key, draft, now } = args;
  if (draft.text === '' && draft.attachments.length === 0) {
    removeDraft(db, key);
    return;
  }
  transaction(db, () =>
    change(
      db,
      'INSERT INTO drafts (key, draft, updated_at) VALUES (?, ?, ?) ON CONFLICT (key) DO UPDATE SET draft = excluded.draft, updated_at = excluded.updated_at',
    ).run(key, JSON.stringify(draft), now),
  );
}

export function removeDraft(db: WritableDb, key: string): void {
  transaction(db, () => change(db, 'DELETE FROM drafts WHERE key = ?').run(key));
}
