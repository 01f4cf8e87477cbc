// The blob store: attachments and other big content, one file per SHA-256, written whole before anything names it (W2, X4).
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { FailureError, makeFailure } from '../../shared/model/failure';
import type { BlobHash } from '../../shared/model/ids';
import { writeAtomic } from '../lib/atomicFile';
import { type Disk, ensureFolder, disk as realDisk, writeWholeNow } from '../lib/disk';
import { systemCode, throwFileFailure } from '../lib/systemError';

/** Told of each blob once its bytes are on disk, so that a row can name it. `size` in bytes. */
export type BlobRecord = { hash: BlobHash; size: number; mime: string };

export type BlobStore = {
  /** Keeps the bytes and gives their hash; known bytes are not written again. Throws `diskFull`, `workspaceReadOnly`, `workspaceGone`. */
  write(bytes: Uint8Array, mime: string): Promise<BlobHash>;
  /** The same at once, for what a step boundary needs before it goes on. */
  writeNow(bytes: Uint8Array, mime: string): BlobHash;
  /** The bytes as they were written. Throws `blobGone` when the file is lost or no longer has its hash. */
  read(hash: BlobHash): Promise<Uint8Array>;
  /** Whether its file is there; its bytes are not looked at. */
  has(hash: BlobHash): boolean;
  /** Removes its file; one that is not there is fine. */
  remove(hash: BlobHash): void;
};

export function hashOf(bytes: Uint8Array): BlobHash {
  return createHash('sha256').update(bytes).digest('hex') as BlobHash;
}

/** `folder` is `.bough/blobs`. A store without `record` refuses to write. */
export function createBlobStore(options: {
  folder: string;
  record: ((blob: BlobRecord) => void) | null;
  disk?: Disk | undefined;
}): BlobStore {
  const { folder, record, disk = realDisk } = options;
  const pathOf = (hash: BlobHash) => join(folder, hash.slice(0, 2), hash);
  const refused = () =>
    new FailureError(makeFailure('workspaceReadOnly', 'This workspace is open for reading only.', { detail: { path: folder } }));
  return {
    writeNow(bytes, mime) {
      if (record === null) throw refused();
      const hash = hashOf(bytes);
      const path = pathOf(hash);
      try {
        ensureFolder(disk, folder);
        ensureFolder(disk, dirname(path));
        if (!holdsNow(disk, path, hash)) writeWholeNow(disk, path, bytes);
      } catch (error) {
        throwFileFailure(error, path);
      }
      record({ hash, size: bytes.length, mime });
      return hash;
    },
    async write(bytes, mime) {
      if (record === null) throw refused();
      const hash = hashOf(bytes);
      const path = pathOf(hash);
      // Once more where it was removed between the look and the record: from the record on it is safe (T8).
      do {
        try {
          if (!(await holds(path, hash, bytes.length))) await writeAtomic(path, bytes, { inside: dirname(folder) });
        } catch (error) {
          throwFileFailure(error, path);
        }
        record({ hash, size: bytes.length, mime });
      } while (!existsSync(path));
      return hash;
    },
    async read(hash) {
      const bytes = await bytesAt(pathOf(hash));
      if (bytes === undefined || hashOf(bytes) !== hash) {
        throw new FailureError(
          makeFailure('blobGone', 'The content of this attachment is no longer there.', { detail: { path: pathOf(hash) } }),
        );
      }
      return bytes;
    },
    has: (hash) => existsSync(pathOf(hash)),
    remove(hash) {
      try {
        disk.remove(pathOf(hash));
      } catch (error) {
        throwFileFailure(error, pathOf(hash));
      }
    },
  };
}

/** Whether the file is there with the right bytes: a damaged one is written anew. */
async function holds(path: string, hash: BlobHash, size: number): Promise<boolean> {
  try {
    if ((await stat(path)).size !== size) return false;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return false;
    throw error;
  }
  const bytes = await bytesAt(path);
  return bytes !== undefined && hashOf(bytes) === hash;
}

function holdsNow(disk: Disk, path: string, hash: BlobHash): boolean {
  try {
    return hashOf(disk.readWhole(path)) === hash;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return false;
    throw error;
  }
}

/** Undefined when there is no file or it cannot be read: to who needs the content both are a loss. */
async function bytesAt(path: string): Promise<Uint8Array | undefined> {
  try {
    return await readFile(path);
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return undefined;
  }
}
