// What a window shows of a conversation, read as one view of the data: path, places among siblings, what runs (N1).
import type { Notice } from '../../shared/model/events';
import type { ConversationId, MessageId } from '../../shared/model/ids';
import type { Ending, TalkView } from '../../shared/model/talkView';
import { requireConversation } from './conversations';
import { type ReadableDb, snapshot } from './database';
import { listFailedTurns, listLiveSteps, pickEnding } from './liveSteps';
import { sliceOf } from './messages';
import { withTree } from './repair';
import { effectiveTip } from './tips';
import type { StoredTree } from './tree';

/** `notice` says that the stored tip named no message and the newest one stands in for it. */
export type TalkReading = TalkView & { notice?: Notice['code'] | undefined };

/** The last `count` messages of the path, or those from depth `offset` on. Throws `notFound` when there is no such conversation. */
export function readTalk(
  db: ReadableDb,
  args: { conversationId: ConversationId; count: number; offset?: number | undefined },
): TalkReading {
  return snapshot(db, () => withTree(db, args.conversationId, (tree) => talkOf(db, tree, args)));
}

function talkOf(
  db: ReadableDb,
  tree: StoredTree,
  args: { conversationId: ConversationId; count: number; offset?: number | undefined },
): TalkReading {
  const { conversationId, count } = args;
  const conversation = requireConversation(db, conversationId);
  const running = listLiveSteps(db, { conversationId });
  const { tipId, lost } = effectiveTip(db, tree, conversation);
  const notice = lost ? { notice: 'tipLost' } : {};
  if (tipId === null) {
    return { conversation, tipId, length: 0, slice: { offset: 0, items: [] }, ending: null, tipChildren: 0, running, ...notice };
  }
  const failed = listFailedTurns(db, { conversationId });
  const endings = new Set<string>([...running, ...failed].map(({ parentId }) => parentId));
  const { length, offset, items } = sliceOf(tree, { conversationId, tipId, offset: args.offset ?? 'tail', count }, endings);
  const tipChildren = tree.childCount(tipId);
  const underTip = ({ parentId }: { parentId: MessageId }) => parentId === tipId;
  const found = endings.has(tipId) ? pickEnding(running.filter(underTip), failed.filter(underTip)) : null;
  const ending: Ending | null = found && { ...found, version: tipChildren + 1, versions: tipChildren + 1 };
  return { conversation, tipId, length, slice: { offset, items }, ending, tipChildren, running, ...notice };
}
