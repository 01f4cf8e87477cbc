// What a move leaves behind (T11): the messages from the common ancestor down to the tip that was left.
import { FailureError, makeFailure } from '../../shared/model/failure';
import type { ConversationId, MessageId } from '../../shared/model/ids';
import { commonAncestor } from '../../shared/tree/links';
import { type ReadableDb, snapshot } from './database';
import { getMessage, readTail } from './messages';
import { withTree } from './repair';

/** On the path to the tip that was left: the depth of the first message that the target's path has not, and how many they are. */
export type LeftStretch = { offset: number; count: number };
export type LeftArgs = { conversationId: ConversationId; leftId: MessageId; targetId: MessageId };

/** Nothing where the target's path holds the message that was left. Throws `notFound` without one of them. */
export function leftStretch(db: ReadableDb, { conversationId, leftId, targetId }: LeftArgs): LeftStretch {
  return snapshot(db, () =>
    withTree(db, conversationId, (tree) => {
      const left = tree.link(leftId);
      const target = tree.link(targetId);
      if (!left || !target) throw new FailureError(makeFailure('notFound', 'This message is no longer there.'));
      const shared = commonAncestor(tree.link, left, target);
      const offset = shared === undefined ? 0 : shared.depth + 1;
      return { offset, count: left.depth + 1 - offset };
    }),
  );
}

/** How far up the target's path digests are looked for. */
const looked = 50;

/** The same, but nothing where a digest on the target's path tells of all of it already, or it holds only digests: going to and fro adds none. */
export function untoldStretch(db: ReadableDb, args: LeftArgs): LeftStretch {
  const stretch = leftStretch(db, args);
  const end = stretch.count === 0 ? null : lastWord(db, args.leftId, stretch.count);
  if (end === null) return { ...stretch, count: 0 };
  const digests = readTail(db, { conversationId: args.conversationId, tipId: args.targetId, count: looked });
  const isTold = digests.some(({ digest }) => digest?.from !== undefined && lastWord(db, digest.from, looked) === end);
  return isTold ? { ...stretch, count: 0 } : stretch;
}

/** The last message that is no digest, at most `most` up from this one. */
function lastWord(db: ReadableDb, from: MessageId, most: number): MessageId | null {
  let message = getMessage(db, from);
  for (let left = most; message && left > 0; left--) {
    if (message.role !== 'digest') return message.id;
    message = message.parentId === null ? undefined : getMessage(db, message.parentId);
  }
  return null;
}
