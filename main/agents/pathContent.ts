// What messages and steps name in the blob store: the texts of files, and whether pictures are still there (X4).
import { FailureError } from '../../shared/model/failure';
import type { BlobHash } from '../../shared/model/ids';
import type { Message, Part } from '../../shared/model/message';
import type { Step, StepPart } from '../../shared/model/transcript';
import type { BlobStore } from '../transcript/blobs';

/** Without `has` a lost picture is met by the adapter that loads it. */
export type ContentBlobs = Pick<BlobStore, 'read'> & Partial<Pick<BlobStore, 'has'>>;
export type FoundContent = { texts: Map<BlobHash, string>; missing: Set<BlobHash> };

/** A text that cannot be read is missing, too. */
export async function lookFor(blobs: ContentBlobs, messages: readonly Message[], steps: Iterable<Step>): Promise<FoundContent> {
  const found: FoundContent = { texts: new Map(), missing: new Set() };
  for (const { parts } of messages) await lookAt(blobs, parts, found);
  for (const { content, results } of steps) {
    await lookAt(blobs, content, found);
    for (const { images } of results) if (images) await lookAt(blobs, images, found);
  }
  return found;
}

async function lookAt(blobs: ContentBlobs, parts: readonly (Part | StepPart)[], { texts, missing }: FoundContent): Promise<void> {
  for (const part of parts) {
    if (part.type === 'image' && blobs.has?.(part.hash) === false) missing.add(part.hash);
    if (part.type !== 'file' || !part.textHash || texts.has(part.textHash) || missing.has(part.textHash)) continue;
    const text = await readText(blobs, part.textHash);
    if (text === undefined) missing.add(part.textHash);
    else texts.set(part.textHash, text);
  }
}

async function readText(blobs: ContentBlobs, hash: BlobHash): Promise<string | undefined> {
  try {
    return new TextDecoder().decode(await blobs.read(hash));
  } catch (error) {
    if (!(error instanceof FailureError)) throw error;
    return undefined;
  }
}
