// The way to a message (Q1, U5): whether the path holds it, else which tip leads to it.
import { FailureError, makeFailure } from '../../shared/model/failure';
import type { ConversationId, MessageId } from '../../shared/model/ids';
import { ancestorAtDepth, commonAncestor, isOnPath } from '../../shared/tree/links';
import { branchTip } from '../../shared/tree/switching';
import { requireConversation } from './conversations';
import { type ReadableDb, snapshot } from './database';
import { withTree } from './repair';
import { effectiveTip } from './tips';

type Way = { depth: number /** The tip to move to; null when the path holds the message already. */; to: MessageId | null };

/** To the end of the branch it stands on, where it was left (T6), else its newest end. Throws `notFound`. */
export function wayTo(db: ReadableDb, args: { conversationId: ConversationId; messageId: MessageId }): Way {
  return snapshot(db, () =>
    withTree(db, args.conversationId, (tree): Way => {
      const message = tree.link(args.messageId);
      if (message === undefined) throw new FailureError(makeFailure('notFound', 'This message is not there any more.'));
      const { depth } = message;
      const { tip } = effectiveTip(db, tree, requireConversation(db, args.conversationId));
      if (tip !== null && isOnPath(tree.link, message, tip)) return { depth, to: null };
      const shared = tip === null ? undefined : commonAncestor(tree.link, tip, message);
      const child = ancestorAtDepth(tree.link, message, shared === undefined ? 0 : shared.depth + 1);
      const left = child && tree.link(branchTip(tree, child.id));
      const holds = left !== undefined && isOnPath(tree.link, message, left);
      return { depth, to: (holds ? left.id : branchTip(tree, message.id)) as MessageId };
    }),
  );
}
