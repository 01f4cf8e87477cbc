// Which of the blobs that something deleted for good referred to are named by nothing else in the database (T8). Transcripts are looked at elsewhere.
import type { BlobHash } from '../../shared/model/ids';
import { change, type ReadableDb, select, transaction, type WritableDb } from './database';

export function looseHashes(db: ReadableDb): Set<string> {
  return new Set(
    select<{ hash: string }>(db, 'SELECT hash FROM loose_blobs')
      .all()
      .map(({ hash }) => hash),
  );
}

const hashPattern = /[0-9a-f]{64}/g;
/** Takes out what the text names. */
export function keepNamed(loose: Set<string>, text: string | null): void {
  if (text === null || loose.size === 0) return;
  for (const [hash] of text.matchAll(hashPattern)) loose.delete(hash);
}

/** Rows of one step of the look. */
const span = 256;

/** Takes out what messages refer to, wherever they are; gives the newest row it saw. `seen` is told how far it is. */
export function* keepOfMessages(
  db: ReadableDb,
  loose: Set<string>,
  seen: (done: number, total: number) => void,
): Generator<void, number, void> {
  const total = select<{ seq: number | null }>(db, 'SELECT max(seq) AS seq FROM messages').get()?.seq ?? 0;
  for (let from = 0; from < total; from += span) {
    keepOfSpan(db, loose, from, from + span);
    seen(Math.min(total, from + span), total);
    yield;
  }
  return total;
}

function keepOfSpan(db: ReadableDb, loose: Set<string>, after: number, upTo: number): void {
  const sql = 'SELECT parts FROM messages WHERE seq > ? AND seq <= ? AND parts IS NOT NULL';
  for (const { parts } of select<{ parts: string }>(db, sql).all(after, upTo)) keepNamed(loose, parts);
}

const small = [
  'SELECT draft AS text FROM drafts',
  'SELECT attachments AS text FROM queued_messages',
  'SELECT parts || calls AS text FROM live_steps',
  'SELECT kept AS text FROM trash WHERE kept IS NOT NULL',
];

/** What came since, and what is few: to be asked in the same moment as the blobs are removed. */
export function keepOfRest(db: ReadableDb, loose: Set<string>, seenUpTo: number): void {
  keepOfSpan(db, loose, seenUpTo, Number.MAX_SAFE_INTEGER);
  for (const sql of small) for (const { text } of select<{ text: string }>(db, sql).all()) keepNamed(loose, text);
}

/** Whether it still is one: a blob that was written again meanwhile is none. */
export function isLoose(db: ReadableDb, hash: string): boolean {
  return select(db, 'SELECT 1 FROM loose_blobs WHERE hash = ?').get(hash) !== undefined;
}

/** Once its file is gone. */
export function forgetBlob(db: WritableDb, hash: BlobHash): void {
  transaction(db, () => {
    change(db, 'DELETE FROM blobs WHERE hash = ?').run(hash);
    change(db, 'DELETE FROM loose_blobs WHERE hash = ?').run(hash);
  });
}

/** Those that are in use after all. */
export function settle(db: WritableDb, hashes: Iterable<string>): void {
  transaction(db, () => {
    for (const hash of hashes) change(db, 'DELETE FROM loose_blobs WHERE hash = ?').run(hash);
  });
}
