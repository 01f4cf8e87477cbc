// Reads every file under the transcripts a piece at a time, for the hashes of blobs that are named in them (T8).
import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { systemCode } from '../lib/systemError';

const piece = 256 * 1024;
const hashLength = 64;

/** Hands on the text of each piece; one that a hash lies across is handed on with the next. Files that go meanwhile name nothing any more. */
export async function readPieces(folder: string, take: (text: string) => void, signal?: AbortSignal): Promise<void> {
  for (const name of await namesIn(folder)) {
    const path = join(folder, name);
    for (const file of await namesIn(path)) {
      signal?.throwIfAborted();
      await readFile(join(path, file), take, signal);
    }
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR') return [];
    throw error;
  }
}

async function readFile(path: string, take: (text: string) => void, signal?: AbortSignal): Promise<void> {
  const file = await open(path, 'r').catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT') return null;
    throw error;
  });
  if (file === null) return;
  try {
    const bytes = Buffer.alloc(piece);
    let tail = '';
    for (;;) {
      signal?.throwIfAborted();
      const { bytesRead } = await file.read(bytes, 0, piece);
      if (bytesRead === 0) return;
      const text = tail + bytes.toString('latin1', 0, bytesRead);
      take(text);
      tail = text.slice(-hashLength + 1);
    }
  } finally {
    await file.close();
  }
}
