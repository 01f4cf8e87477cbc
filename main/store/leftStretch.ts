// What a move leaves behind (T11): the messages from the common ancestor down to the tip that was left.
import { FailureError, makeFailure } from '../../shared/model/failure';
import type { ConversationId, MessageId } from '../../shared/model/ids';
import { commonAncestor } from '../../shared/tree/links';
import { type ReadableDb, snapshot } from './database';
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
