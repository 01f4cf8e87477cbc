// What a window shows of a conversation, read as one view of the data: path, places among siblings, what runs (N1).
import type { Conversation } from '../../shared/model/conversation';
import type { Notice } from '../../shared/model/events';
import type { ConversationId, MessageId } from '../../shared/model/ids';
import type { FailedTurn, LiveStep } from '../../shared/model/live';
import type { TalkView } from '../../shared/model/talkView';
import { DamagedTree, type Link } from '../../shared/tree/links';
import { checkpointsIn } from './checkpointRows';
import { type ConversationRow, conversationColumns, requireConversation, toConversation } from './conversations';
import { type ReadableDb, select, snapshot } from './database';
import { pickEnding } from './endings';
import { listFailedTurns } from './failedTurns';
import { listLiveSteps } from './liveSteps';
import { labelsIn, pinsIn } from './marks';
import { sliceOf } from './messages';
import { listQueued } from './queuedMessages';
import { withTree } from './repair';
import { effectiveTip } from './tips';
import { type StoredTree, sqlTree } from './tree';

/** `notice` says that the stored tip named no message and the newest one stands in for it. */
export type TalkReading = TalkView & { notice?: Notice['code'] | undefined };

export type TalkArgs = { conversationId: ConversationId; count: number; offset?: number | undefined };

/** The last `count` messages of the path, or those from depth `offset` on. Throws `notFound` when there is no such conversation. */
export function readTalk(db: ReadableDb, args: TalkArgs): TalkReading {
  return snapshot(db, () => {
    const head = quickHead(db, args.conversationId);
    try {
      if (head !== undefined) return talkOf(db, sqlTree(db, args.conversationId), args, head);
    } catch (error) {
      if (!(error instanceof DamagedTree)) throw error;
    }
    return withTree(db, args.conversationId, (tree) => talkOf(db, tree, args, carefulHead(db, tree, args.conversationId)));
  });
}

/** All that a view needs beside its messages. */
type Head = {
  conversation: Conversation;
  tip: Link | null;
  lost: boolean;
  tipChildren: number;
  /** Whether there may be any of these: what is nearly always empty is not asked for. */
  endings: boolean;
  checkpoints: boolean;
  queued: boolean;
  labels: boolean;
  pins: boolean;
};

type HeadRow = ConversationRow & {
  tip_parent: string | null;
  tip_recovered: number | null;
  tip_depth: number | null;
  tip_jump: string | null;
  tip_children: number | null;
  endings: number;
  checkpoints: number;
  queued: number;
  labels: number;
  pins: number;
  underived: number;
};
const selectHead = `SELECT ${conversationColumns},
  t.parent_id AS tip_parent, t.recovered AS tip_recovered, t.depth AS tip_depth, t.jump_id AS tip_jump,
  (SELECT s.ordinal FROM messages s WHERE s.conversation_id = c.id AND s.recovered = 0 AND s.parent_id = c.tip_id
    ORDER BY s.ordinal DESC LIMIT 1) AS tip_children,
  EXISTS (SELECT 1 FROM live_steps l WHERE l.conversation_id = c.id)
    OR EXISTS (SELECT 1 FROM failed_turns f WHERE f.conversation_id = c.id) AS endings,
  EXISTS (SELECT 1 FROM checkpoints k WHERE k.conversation_id = c.id) AS checkpoints,
  EXISTS (SELECT 1 FROM queued_messages q WHERE q.conversation_id = c.id) AS queued,
  EXISTS (SELECT 1 FROM labels b WHERE b.conversation_id = c.id) AS labels,
  EXISTS (SELECT 1 FROM pins p WHERE p.conversation_id = c.id) AS pins,
  EXISTS (SELECT 1 FROM messages u INDEXED BY messages_underived WHERE u.conversation_id = c.id AND u.depth IS NULL) AS underived
  FROM conversations c LEFT JOIN messages t ON t.id = c.tip_id AND t.conversation_id = c.id WHERE c.id = +? AND c.trash_id IS NULL`;

/** By one statement, where nothing is amiss: six apart would cost a tenth of the view. Undefined when something is, or when it is empty. */
function quickHead(db: ReadableDb, conversationId: ConversationId): Head | undefined {
  const row = select<HeadRow>(db, selectHead).get(conversationId);
  if (row === undefined || row.underived === 1 || row.tip_id === null || row.tip_depth === null || row.tip_jump === null) return undefined;
  const tip: Link = {
    id: row.tip_id,
    underId: row.tip_recovered === 1 ? null : row.tip_parent,
    depth: row.tip_depth,
    jumpId: row.tip_jump,
  };
  const may = {
    endings: row.endings === 1,
    checkpoints: row.checkpoints === 1,
    queued: row.queued === 1,
    labels: row.labels === 1,
    pins: row.pins === 1,
  };
  return { conversation: toConversation(row), tip, lost: false, tipChildren: row.tip_children ?? 0, ...may };
}

function carefulHead(db: ReadableDb, tree: StoredTree, conversationId: ConversationId): Head {
  const conversation = requireConversation(db, conversationId);
  const { tip, lost } = effectiveTip(db, tree, conversation);
  return {
    conversation,
    tip,
    lost,
    tipChildren: tip === null ? 0 : tree.childCount(tip.id),
    endings: true,
    checkpoints: true,
    queued: true,
    labels: true,
    pins: true,
  };
}

function talkOf(db: ReadableDb, tree: StoredTree, args: TalkArgs, head: Head): TalkReading {
  const { conversationId, count } = args;
  const { conversation, tip, tipChildren } = head;
  const running = head.endings ? listLiveSteps(db, { conversationId }) : [];
  const failed = head.endings ? listFailedTurns(db, { conversationId }) : [];
  const tipId = (tip?.id ?? null) as MessageId | null;
  const queue = head.queued ? listQueued(db, conversationId) : [];
  const talk: TalkReading = {
    conversation,
    tipId,
    length: 0,
    slice: { offset: 0, items: [] },
    ending: null,
    tipChildren,
    running,
    checkpoints: [],
    queue,
  };
  if (head.lost) talk.notice = 'tipLost';
  if (tip === null) return talk;
  if (head.checkpoints) talk.checkpoints = checkpointsIn(db, tree, { conversationId, tipId });
  if (head.labels) talk.labels = labelsIn(db, tree, { conversationId, tipId });
  if (head.pins) talk.pins = pinsIn(db, tree, { conversationId, tipId });
  const slice = { conversationId, tip, offset: args.offset ?? ('tail' as const), count };
  const { length, offset, items } = sliceOf(tree, slice, parentsOf(running, failed));
  talk.length = length;
  talk.slice = { offset, items };
  const underTip = ({ parentId }: { parentId: MessageId }) => parentId === tipId;
  const found = pickEnding(running.filter(underTip), failed.filter(underTip));
  if (found !== null) talk.ending = { ...found, version: tipChildren + 1, versions: tipChildren + 1 };
  return talk;
}

const noParents: ReadonlySet<string> = new Set();

function parentsOf(running: readonly LiveStep[], failed: readonly FailedTurn[]): ReadonlySet<string> {
  if (running.length === 0 && failed.length === 0) return noParents;
  return new Set<string>([...running, ...failed].map(({ parentId }) => parentId));
}
