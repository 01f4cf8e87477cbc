// Facts about the database as a whole: when it was checked, when it was backed up.
import { change, type ReadableDb, select, transaction, type WritableDb } from './database';

export type MetaKey = 'checkedAt' | 'createdAt';

export function getMeta(db: ReadableDb, key: MetaKey): string | undefined {
  return select<{ value: string }>(db, 'SELECT value FROM meta WHERE key = ?').get(key)?.value;
}

export function setMeta(db: WritableDb, key: MetaKey, value: string): void {
  transaction(db, () =>
    change(db, 'INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value').run(key, value),
  );
}
