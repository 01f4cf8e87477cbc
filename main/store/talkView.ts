// What a window shows of a conversation, read as one view of the data: path, places among siblings, what runs (N1).
import type { Notice } from '../../shared/model/events';
import type { ConversationId, MessageId } from '../../shared/model/ids';
import type { FailedTurn, LiveStep } from '../../shared/model/live';
import type { TalkView } from '../../shared/model/talkView';
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
  const { tip, lost } = effectiveTip(db, tree, conversation);
  const tipId = (tip?.id ?? null) as MessageId | null;
  const talk: TalkReading = { conversation, tipId, length: 0, slice: { offset: 0, items: [] }, ending: null, tipChildren: 0, running };
  if (lost) talk.notice = 'tipLost';
  if (tip === null || tipId === null) return talk;
  const failed = listFailedTurns(db, { conversationId });
  const { length, offset, items } = sliceOf(
    tree,
    { conversationId, tip, offset: args.offset ?? 'tail', count },
    parentsOf(running, failed),
  );
  talk.length = length;
  talk.slice = { offset, items };
  talk.tipChildren = tree.childCount(tipId);
  const underTip = ({ parentId }: { parentId: MessageId }) => parentId === tipId;
  const found = pickEnding(running.filter(underTip), failed.filter(underTip));
  if (found !== null) talk.ending = { ...found, version: talk.tipChildren + 1, versions: talk.tipChildren + 1 };
  return talk;
}

const noParents: ReadonlySet<string> = new Set();

function parentsOf(running: readonly LiveStep[], failed: readonly FailedTurn[]): ReadonlySet<string> {
  if (running.length === 0 && failed.length === 0) return noParents;
  return new Set<string>([...running, ...failed].map(({ parentId }) => parentId));
}
