// Which messages an export holds, read a few milliseconds at a time: a path, what hangs below a message, or everything (I1). Never the trash.
import type { ExportCounts, ExportScope } from '../../../shared/model/export';
import { FailureError, makeFailure } from '../../../shared/model/failure';
import type { ConversationId, MessageId } from '../../../shared/model/ids';
import type { Message } from '../../../shared/model/message';
import { DamagedTree } from '../../../shared/tree/links';
import { type Counted, countAll, countedOf } from '../../interchange/export/bundle';
import { inSlices } from '../../lib/slices';
import { type ReadableDb, select, snapshot, writableOf } from '../../store/database';
import { type ScopeSink, scopeOf } from '../../store/forkScope';
import { getMessage } from '../../store/messages';
import { rebuildDerived, withTree } from '../../store/repair';
import { currentTip } from '../../store/tips';

export type TreeArgs = { conversationId: ConversationId; messageId: MessageId | null };
export type Reading = { signal?: AbortSignal | undefined; rested?: ((done: number, total: number) => void) | undefined };
/** `at`: the message that the scope is about; null in an empty conversation. */
export type ReadTree = { messages: Message[]; at: MessageId | null };

/** In order of creation. Throws `notFound`. */
export async function readScope(db: ReadableDb, args: TreeArgs & { scope: ExportScope }, reading: Reading = {}): Promise<ReadTree> {
  const messages: Message[] = [];
  const at = await readEach(db, { ...args, whole: args.scope !== 'path' }, reading, (message) => messages.push(message));
  return { messages: args.scope === 'subtree' && at !== null ? below(messages, at) : messages, at };
}

/** What each scope holds. Throws `notFound`. */
export async function countScopes(db: ReadableDb, args: TreeArgs, reading: Reading = {}): Promise<ExportCounts> {
  const all: Counted[] = [];
  const at = await readEach(db, { ...args, whole: true }, reading, (message) => all.push(countedOf(message)));
  if (at === null) return { path: countAll([]), subtree: countAll([]), tree: countAll([]) };
  const path = pathTo(all, at);
  return { path: countAll(all.filter(({ id }) => path.has(id))), subtree: countAll(below(all, at)), tree: countAll(all) };
}

type Walk = TreeArgs & { whole: boolean };

async function readEach(db: ReadableDb, args: Walk, reading: Reading, take: (message: Message) => void): Promise<MessageId | null> {
  const at = args.messageId ?? currentTip(db, args.conversationId);
  if (at === null) return null;
  if (getMessage(db, at)?.conversationId !== args.conversationId)
    throw new FailureError(makeFailure('notFound', 'This message is no longer there.'));
  const ids = await idsOf(db, { ...args, messageId: at }, reading.signal);
  let done = 0;
  const read = function* (): Generator<void, void, void> {
    for (const id of ids) {
      const message = messageAt(db, id);
      if (message) take(message);
      done++;
      yield;
    }
  };
  const around = (run: () => void) => snapshot(db, run);
  await inSlices(read(), { around, signal: reading.signal, rested: () => reading.rested?.(done, ids.length) });
  return at;
}

/** A tree that turns out to be damaged on the way is mended, and read once more (T7). */
async function idsOf(db: ReadableDb, args: Walk & { messageId: MessageId }, signal: AbortSignal | undefined): Promise<MessageId[]> {
  withTree(db, args.conversationId, () => undefined);
  try {
    return await walk(db, args, signal);
  } catch (error) {
    const writable = writableOf(db);
    if (!(error instanceof DamagedTree) || writable === null) throw error;
    rebuildDerived(writable, args.conversationId);
    return walk(db, args, signal);
  }
}

async function walk(db: ReadableDb, args: Walk & { messageId: MessageId }, signal: AbortSignal | undefined): Promise<MessageId[]> {
  const found = new Map<string, number>();
  const sink: ScopeSink = {
    path: new Set(),
    has: (id) => found.has(id),
    add: (id, seq) => void found.set(id, seq),
    addWhole(seqs) {
      for (const seq of seqs) found.set(select<{ id: string }>(db, 'SELECT id FROM messages WHERE seq = ?').get(seq)?.id ?? '', seq);
    },
  };
  const { conversationId, messageId, whole } = args;
  await inSlices(scopeOf(db, { conversationId, messageId, scope: whole ? 'all' : 'path' }, sink), {
    around: (run) => snapshot(db, run),
    signal,
  });
  return [...found].sort((a, b) => a[1] - b[1]).map(([id]) => id as MessageId);
}

/** Undefined when it was deleted meanwhile. What damage made a root is one in the file, too. */
function messageAt(db: ReadableDb, id: MessageId): Message | undefined {
  const message = getMessage(db, id);
  if (!message || message.parentId === null) return message;
  const isRoot = withTree(db, message.conversationId, (tree) => tree.link(id)?.underId === null);
  return isRoot ? { ...message, parentId: null } : message;
}

type Node = { id: MessageId; parentId: MessageId | null };

function pathTo(all: readonly Node[], tip: MessageId): Set<MessageId> {
  const parents = new Map(all.map(({ id, parentId }) => [id, parentId]));
  const path = new Set<MessageId>();
  for (let at: MessageId | null = tip; at !== null && !path.has(at); at = parents.get(at) ?? null) path.add(at);
  return path;
}

function below<T extends Node>(all: readonly T[], top: MessageId): T[] {
  const children = new Map<MessageId, MessageId[]>();
  for (const { id, parentId } of all) {
    if (parentId === null) continue;
    const siblings = children.get(parentId);
    if (siblings) siblings.push(id);
    else children.set(parentId, [id]);
  }
  const kept = new Set<MessageId>([top]);
  for (const id of kept) for (const child of children.get(id) ?? []) kept.add(child);
  return all.filter(({ id }) => kept.has(id));
}
