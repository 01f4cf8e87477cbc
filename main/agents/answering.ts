// Gathers what a request is built from: the path, and the texts of its files. A lost blob is told to the model, never hidden (X4).
import type { Agent } from '../../shared/model/agent';
import { FailureError } from '../../shared/model/failure';
import type { BlobHash, MessageId } from '../../shared/model/ids';
import type { Message } from '../../shared/model/message';
import type { ModelInfo } from '../../shared/model/provider';
import type { ModelRequest } from '../../shared/model/request';
import { buildRequest } from '../context/buildRequest';
import type { ReadableDb } from '../store/database';
import { readPath } from '../store/messages';
import type { BlobStore } from '../transcript/blobs';

export type AnsweringDeps = { db: ReadableDb; blobs: BlobStore };

/** The request for an answer that hangs under `parentId`. */
export async function requestFor(deps: AnsweringDeps, parentId: MessageId, agent: Agent, model: ModelInfo): Promise<ModelRequest> {
  const path = readPath(deps.db, parentId);
  return buildRequest({ path, agent, model, texts: await readTexts(deps.blobs, path) });
}

async function readTexts(blobs: BlobStore, path: readonly Message[]): Promise<Map<BlobHash, string>> {
  const texts = new Map<BlobHash, string>();
  for (const part of path.flatMap((message) => message.parts)) {
    if (part.type !== 'file' || !part.textHash || texts.has(part.textHash)) continue;
    try {
      texts.set(part.textHash, new TextDecoder().decode(await blobs.read(part.textHash)));
    } catch (error) {
      if (!(error instanceof FailureError)) throw error;
    }
  }
  return texts;
}
