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
  const named: Named = { images: new Set(), texts: new Set() };
  for (const { parts } of messages) note(parts, named);
  for (const { content, results } of steps) {
    note(content, named);
    for (const { images } of results) if (images) note(images, named);
  }
  for (const hash of named.images) if (blobs.has?.(hash) === false) found.missing.add(hash);
  for (const hash of named.texts) {
    const text = await readText(blobs, hash);
    if (text === undefined) found.missing.add(hash);
    else found.texts.set(hash, text);
  }
  return found;
}

type Named = { images: Set<BlobHash>; texts: Set<BlobHash> };

function note(parts: readonly (Part | StepPart)[], { images, texts }: Named): void {
  for (const part of parts) {
    if (part.type === 'image') images.add(part.hash);
    if (part.type === 'file' && part.textHash) texts.add(part.textHash);
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
