// What of a path is sent, in which order, as the records that hold on it say (L8, L9, L15). Pure.
import type { BlobHash, MessageId } from '../../shared/model/ids';
import { type MemoryRecord, memoryOnPath, type PathMemory, type Suits } from '../../shared/model/memoryRecord';
import { type BuiltMessage, isBuilt, type PathMessage, type PathPlace } from './pathMessage';
import type { Leaving } from './requestParts';
import { leftOutBy } from './trim';
import { wordingVersion } from './wording';

export type Layout = {
  /** The user's first request and what is pinned, before the memory. Without a memory it holds what a trim kept before the gap. */
  head: BuiltMessage[];
  memory: MemoryRecord | null;
  /** What the memory was not made of and stands before its anchor: the request of the turn in progress, with what was steered into it. */
  request: BuiltMessage[];
  tail: BuiltMessage[];
  /** Left out by a trim (X6). */
  trimmed: ReadonlySet<MessageId>;
  path: PathMemory;
};

export type SentArgs = {
  path: readonly Pick<PathPlace, 'id' | 'role'>[];
  records: Iterable<MemoryRecord>;
  pins: ReadonlySet<MessageId>;
  /** Whether the reader can be shown it (S10). */
  suits: Suits;
};
/** `sent`: where it was found out already. */
export type LayoutArgs = Omit<SentArgs, 'path'> & { built: readonly PathMessage[]; sent?: Sent | undefined };

/** What holds on a path, and which of its messages are sent by that. */
export type Sent = {
  memory: PathMemory;
  trimmed: ReadonlySet<MessageId>;
  /** Whatever the records say: the first request and what is pinned (L15). */
  stays(id: MessageId): boolean;
  isSent(id: MessageId): boolean;
};

export function sentOf({ path, records, pins, suits }: SentArgs): Sent {
  const ids = new Set(path.map(({ id }) => id));
  const memory = memoryOnPath(ids, records, wordingVersion, suits);
  const trims = memory.holding.filter(({ kind }) => kind === 'trim');
  const first = path.find(({ role }) => role === 'user')?.id;
  const stays = (id: MessageId) => pins.has(id) || id === first;
  const trimmed = new Set([...leftOutBy(ids, trims)].filter((id) => !stays(id)));
  return { memory, trimmed, stays, isSent: (id) => !trimmed.has(id) && (!memory.folded.has(id) || stays(id)) };
}

/** Of what is sent, all must be built. */
export function layOut({ built, sent, ...args }: LayoutArgs): Layout {
  const { memory, trimmed, stays, isSent } = sent ?? sentOf({ path: built, ...args });
  const lean = leaner(memory);
  const layout: Layout = { head: [], memory: memory.memory, request: [], tail: [], trimmed, path: memory };
  const placeOf = memory.memory
    ? placesAround(built, memory.memory.anchorId, stays)
    : placesBefore(built.findIndex(({ id }) => trimmed.has(id)));
  for (const [at, one] of built.entries()) {
    if (!isSent(one.id)) continue;
    if (!isBuilt(one)) throw new Error('a message that is sent was not read');
    layout[placeOf(at, one.id)].push(stays(one.id) ? one : lean(one));
  }
  return layout;
}

type PlaceOf = (at: number, id: MessageId) => 'head' | 'request' | 'tail';

function placesAround(built: readonly PathPlace[], anchorId: MessageId, stays: (id: MessageId) => boolean): PlaceOf {
  const anchor = built.findIndex(({ id }) => id === anchorId);
  return (at, id) => (at > anchor ? 'tail' : stays(id) ? 'head' : 'request');
}

/** Without a memory everything is in the order of the path; what stands before a gap is told before it. */
function placesBefore(gap: number): PlaceOf {
  return (at) => (at < gap ? 'head' : 'tail');
}

const noLeaving: Leaving = { calls: new Set(), images: new Set() };
type Lean = { key: string; message: BuiltMessage };
const leanOnes = new WeakMap<BuiltMessage, Lean>();

/** Messages without what the records leave out of them; the one made last is kept, so that it is counted and sent as the same (L10). */
function leaner({ elided, droppedImages }: PathMemory): (one: BuiltMessage) => BuiltMessage {
  if (elided.length === 0 && droppedImages.length === 0) return (one) => one;
  const calls = groupBy(elided, ({ callId }) => callId);
  const images = groupBy(droppedImages, ({ hash }) => hash);
  return (one) => {
    const leaving: Leaving = { calls: calls.get(one.id) ?? noLeaving.calls, images: images.get(one.id) ?? noLeaving.images };
    if (leaving.calls.size === 0 && leaving.images.size === 0) return one;
    const key = JSON.stringify([[...leaving.calls].sort(), [...leaving.images].sort()]);
    const known = leanOnes.get(one);
    if (known?.key === key) return known.message;
    const message = { ...one, messages: one.without(leaving) };
    leanOnes.set(one, { key, message });
    return message;
  };
}

function groupBy<T extends { messageId: MessageId }, K extends string | BlobHash>(
  all: readonly T[],
  of: (one: T) => K,
): Map<MessageId, Set<K>> {
  const groups = new Map<MessageId, Set<K>>();
  for (const one of all) {
    const group = groups.get(one.messageId);
    if (group) group.add(of(one));
    else groups.set(one.messageId, new Set([of(one)]));
  }
  return groups;
}
