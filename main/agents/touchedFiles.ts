// Reads along a path which files were touched, without holding up anybody: slice by slice, and after the first time only what is new.
import type { ConversationId, MessageId } from '../../shared/model/ids';
import type { TouchedFile } from '../../shared/model/touchedFile';
import { type Found, type Touched, touchedAfter, touchesOf, type WorkspacePlace } from '../context/touchedFiles';
import type { ReadableDb } from '../store/database';
import { readSlice } from '../store/messages';

/** Messages read between two turns of the event loop: a few milliseconds. The first few are mostly all that is new. */
const sliceSize = 100;
const firstSlice = 20;
/** Conversations whose last answer is kept. */
const kept = 20;

type Answer = { tipId: MessageId; files: Touched };
type Args = { conversationId: ConversationId; tipId: MessageId; depth: number; place: WorkspacePlace };

const answers = new WeakMap<ReadableDb, Map<ConversationId, Answer>>();

/** Newest first. `depth` is where `tipId` stands. Messages never change (T1), so what was found up to one of them still holds. */
export async function readTouchedFiles(db: ReadableDb, args: Args): Promise<TouchedFile[]> {
  const known = answers.get(db) ?? new Map<ConversationId, Answer>();
  answers.set(db, known);
  const last = known.get(args.conversationId);
  const files = last?.tipId === args.tipId ? last.files : await readOn(db, args, last);
  known.delete(args.conversationId);
  known.set(args.conversationId, { tipId: args.tipId, files });
  const oldest = known.size > kept ? known.keys().next().value : undefined;
  if (oldest !== undefined) known.delete(oldest);
  return [...files.values()].reverse();
}

/** From the tip up to the message the last answer ended with, or to the root. Touches are held, not the messages. */
async function readOn(db: ReadableDb, { tipId, depth, place }: Args, last: Answer | undefined): Promise<Touched> {
  const found: Found[] = [];
  let base: Touched = new Map();
  for (let end = depth + 1, offset = depth + 1; end > 0; end = offset) {
    offset = Math.max(0, end - (end > depth ? firstSlice : sliceSize));
    const { items } = readSlice(db, { tipId, offset, count: end - offset });
    const from = items.findLastIndex((item) => item.id === last?.tipId);
    for (const message of items.slice(from + 1).reverse()) {
      const touches = touchesOf(message, place);
      if (touches.length > 0) found.push({ touches, messageId: message.id, depth: message.depth });
    }
    if (from >= 0) {
      base = last?.files ?? base;
      break;
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
  return touchedAfter(base, found.reverse());
}
