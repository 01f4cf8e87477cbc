// Which blobs the workspace holds; the bytes are files, written before their row.
import type { BlobHash } from '../../shared/model/ids';
import { change, type ReadableDb, select, transaction, type WritableDb } from './database';

/** `size` in bytes. */
export type BlobRow = { hash: BlobHash; size: number; mime: string; createdAt: number };

/** The first row of a hash stays: the bytes are the same. */
export function addBlobRow(db: WritableDb, blob: BlobRow): void {
  transaction(db, () => {
    change(db, 'INSERT INTO blobs (hash, size, mime, created_at) VALUES (?, ?, ?, ?) ON CONFLICT (hash) DO NOTHING').run(
      blob.hash,
      blob.size,
      blob.mime,
      blob.createdAt,
    );
    // It is used again: whoever looks for blobs that nothing refers to leaves it.
    change(db, 'DELETE FROM loose_blobs WHERE hash = ?').run(blob.hash);
  });
}

export function getBlobRow(db: ReadableDb, hash: BlobHash): BlobRow | undefined {
  return select<BlobRow>(db, 'SELECT hash, size, mime, created_at AS createdAt FROM blobs WHERE hash = ?').get(hash);
}
