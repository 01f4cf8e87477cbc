// Where a message that was found stands (Q1): whether the tip leads to it, which tip does, and the messages of a path that hold a text (Mod+F).
import { FailureError, makeFailure } from '../../shared/model/failure';
import type { ConversationId, MessageId } from '../../shared/model/ids';
import { type Message, textOf } from '../../shared/model/message';
import type { PathMatch, PathMatches } from '../../shared/model/search';
import { foldForSearch } from '../../shared/text/foldForSearch';
import { literalTerm, placesOf, type Term } from '../../shared/text/searchQuery';
import { ancestorAtDepth, commonAncestor, isOnPath } from '../../shared/tree/links';
import { branchTip } from '../../shared/tree/switching';
import { requireConversation } from './conversations';
import { type ReadableDb, snapshot } from './database';
import { readSlice } from './messages';
import { withTree } from './repair';
import type { SearchOptions } from './searchMessages';
import { wordsOf } from './searchText';
import { effectiveTip } from './tips';

export type Way = { depth: number /** The tip to move to; null when the path holds the message already. */; to: MessageId | null };

/** How to show a message: of the branch it stands on, where it was left (T6), else its newest end. Throws `notFound`. */
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

/** Messages read at once. */
const slice = 200;

/** Messages of the path to `tipId` that hold the text, from depth `from` on, as far as the time of one call goes. Throws `notFound`. */
export function findOnPath(
  db: ReadableDb,
  args: { tipId: MessageId; query: string; from: number },
  { clock, budget }: SearchOptions,
): PathMatches {
  const term = literalTerm(args.query);
  if (term === null) return { tipId: args.tipId, matches: [], next: null };
  const end = clock() + budget;
  const matches: PathMatch[] = [];
  for (let from = args.from; ; from += slice) {
    const { items } = readSlice(db, { tipId: args.tipId, offset: from, count: slice });
    for (const message of items) {
      const count = countIn(message, term);
      if (count > 0) matches.push({ depth: message.depth, messageId: message.id, count });
    }
    if (items.length < slice) return { tipId: args.tipId, matches, next: null };
    if (clock() >= end) return { tipId: args.tipId, matches, next: from + slice };
  }
}

/** Of what a message shows as text; where only a folded call or a file holds it, the message counts once. */
function countIn(message: Message, term: Term): number {
  const shown = placesOf([term], foldForSearch(textOf(message))).length;
  if (shown > 0) return shown;
  const rest = message.parts.flatMap((part) => (part.type === 'text' ? [] : wordsOf(part))).join('\n');
  return placesOf([term], foldForSearch(rest), 1).length;
}
