// Paths as they were built for requests, kept so that the next step reads and builds only what was added to them (N9). What is kept is never
// changed: a longer path is a new one that shares its messages. Of messages that a memory stands for only their places are kept, so that a run far
// beyond its window keeps about a window of text.
import type { AgentId, BlobHash, ConversationId, MessageId } from '../../shared/model/ids';
import type { RequestPart } from '../../shared/model/request';
import type { PathMessage } from '../context/pathMessage';

export type BuiltPath = {
  /** What its messages rest on besides the tree and the transcript: with another key they are built anew. */
  key: string;
  built: readonly PathMessage[];
  /** Messages under which digests hang: their labels are part of the key. */
  digestParents: readonly MessageId[];
  /** Characters, about. */
  size: number;
};

/** Paths kept, and the characters in all of them. */
const mostPaths = 8;
const mostCharacters = 24_000_000;

export class BuiltPaths {
  readonly #kept = new Map<string, BuiltPath>();
  /** Lost blobs that the user has been told of: once in a run. */
  readonly #told = new Set<BlobHash>();

  get(conversationId: ConversationId, agentId: AgentId): BuiltPath | undefined {
    return this.#kept.get(nameOf(conversationId, agentId));
  }

  /** The oldest in use go first; one that is too big by itself is not kept. */
  keep(conversationId: ConversationId, agentId: AgentId, path: BuiltPath): void {
    const name = nameOf(conversationId, agentId);
    this.#kept.delete(name);
    if (path.size > mostCharacters) return;
    this.#kept.set(name, path);
    let size = [...this.#kept.values()].reduce((sum, one) => sum + one.size, 0);
    for (const [oldest, one] of this.#kept) {
      if (this.#kept.size <= mostPaths && size <= mostCharacters) return;
      this.#kept.delete(oldest);
      size -= one.size;
    }
  }

  /** Those that have not been told of before. */
  untold(hashes: Iterable<BlobHash>): BlobHash[] {
    const fresh = [...hashes].filter((hash) => !this.#told.has(hash));
    for (const hash of fresh) this.#told.add(hash);
    return fresh;
  }
}

/** Characters that built messages keep in memory, about. */
export function sizeOf(built: readonly PathMessage[]): number {
  let size = 0;
  for (const { messages = [] } of built) for (const { parts } of messages) for (const part of parts) size += partSize(part);
  return size;
}

function partSize(part: RequestPart): number {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return part.text.length + (part.vendor?.json.length ?? 0);
    case 'toolCall':
      return part.arguments.length + (part.vendor?.json.length ?? 0);
    case 'toolResult':
      return part.content.length;
    case 'vendor':
      return part.vendor.json.length;
    case 'image':
      return 0;
  }
}

function nameOf(conversationId: ConversationId, agentId: AgentId): string {
  return `${conversationId}\n${agentId}`;
}
