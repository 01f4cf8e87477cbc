// What the window shows of an agent's memory: the card, receipts, and what would be sent next, block by block (M7, L17, K2).
import * as z from 'zod/mini';
import type { Checkpoint } from './checkpoint';
import { cardLimits } from './compaction';
import type { AgentId, ConversationId, MessageId, RecordId } from './ids';
import type { MemoryBody, Receipt, RecordKind } from './memoryRecord';

/** L1, in order of cost. */
export const rungs = ['elide', 'images', 'snapshot', 'summary'] as const;
export type Rung = (typeof rungs)[number];
export const rungSchema = z.enum(rungs);

/** A pass that runs: `rung` is the one it is at. */
export type RunningPass = {
  conversationId: ConversationId;
  agentId: AgentId;
  /** The message under which the next request would hang. */
  parentId: MessageId;
  trigger: Receipt['trigger'];
  rung: Rung;
  /** Of a worker: the step it is at, and whether it was told to finish. */
  worker?: { step: number; finishing: boolean } | undefined;
  /** Unix time in milliseconds. */
  startedAt: number;
};

/** A code, i18n under `memory:why.`, or a failure's code. */
export type RungFailure = { rung: Rung; reason: string };

/** Row of the list of receipts: of a record, or of a pass that committed nothing. */
export type PassReceipt = {
  id: string;
  agentId: AgentId;
  trigger: Receipt['trigger'];
  createdAt: number;
  /** What rungs before the last one said. */
  failures: RungFailure[];
  /** Null when nothing was committed. */
  record: {
    id: RecordId;
    kind: RecordKind;
    anchorId: MessageId;
    receipt: Receipt;
    folded: number;
    elided: number;
    droppedImages: number;
    undone: boolean;
    /** Made over a memory that was undone since (L19). */
    isOverUndone: boolean;
  } | null;
};

export type PlanBlockName = 'system' | 'tools' | 'firstRequest' | 'pin' | 'memory' | 'request' | 'message' | 'notice' | 'reserve';
/** One block of the next request, in the order it is sent. `lean`: something of it is left out. */
export type PlanBlock = { name: PlanBlockName; tokens: number; bytes: number; messageId?: MessageId; excerpt?: string; lean?: true };

/** What a rung would do now (K2). `cost` in US dollars, null when unknown; `why` when it would do nothing, a code under `memory:why.`. */
export type RungPreview = { rung: Rung; tokensAfter: number; saves: number; cost: number | null; why: string | null };

/** `bytes`: where they are what is too many. */
export type BigPart = { name: string; tokens: number; bytes?: number | undefined };
/** Automatic passes rest: after failures (L12), because a pass frees too little (L13: `parts` says what is big), or after an undo (L19). */
export type Pause = { why: 'failures'; count: number } | { why: 'thrash'; parts: BigPart[] } | { why: 'undone'; recordId: RecordId };

export type MemoryView = {
  conversationId: ConversationId;
  agentId: AgentId;
  agentName: string;
  /** Card, pages or a hand-made edit; null where the agent has the full text of the path. */
  memory: {
    recordId: RecordId;
    kind: RecordKind;
    body: MemoryBody;
    receipt: Receipt /** How many messages it stands for. */;
    folded: number;
    /** Of each of its files, whether the disk has something else by now (M6). */
    changed?: boolean[] | undefined;
  } | null;
  checkpoints: Checkpoint[];
  /** Newest first; those of this path. */
  receipts: PassReceipt[];
  plan: PlanBlock[];
  tokens: number;
  bytes: number;
  /** Whether the number rests on use that the provider reported. */
  reported: boolean;
  window: number | null;
  lines: { threshold: number | null; requestThreshold: number | null };
  /** The most tokens a card may have here (M1, L21). */
  cardTokens: number;
  pause: Pause | null;
  running: RunningPass | null;
  /** Records of a later version of Bough: their text is sent in full (L9). */
  unread: number;
  /** Pages on this path that this model is not shown: made for another family, or their pictures are gone (S10). Their text is sent in full. */
  unsuited: number;
};

/** A memory at its place in the talk: after the message `anchorId` the agent has this instead of what stands above (L20). */
export type MemoryMark = {
  recordId: RecordId;
  kind: RecordKind;
  anchorId: MessageId;
  receipt: Receipt;
  text: string;
  pages: MemoryBody['pages'];
  /** The one that is sent; older ones were replaced by it. */
  isInForce: boolean;
  isOverUndone: boolean;
};
export type MemoryMarks = {
  conversationId: ConversationId;
  agentId: AgentId;
  agentName: string;
  marks: MemoryMark[];
  running: RunningPass | null;
};

/** Of a conversation in which nothing was said yet. */
export function emptyMemoryView(of: Pick<MemoryView, 'conversationId' | 'agentId' | 'agentName'>): MemoryView {
  return {
    ...of,
    memory: null,
    checkpoints: [],
    receipts: [],
    plan: [],
    tokens: 0,
    bytes: 0,
    reported: false,
    window: null,
    lines: { threshold: null, requestThreshold: null },
    cardTokens: cardLimits.most,
    pause: null,
    running: null,
    unread: 0,
    unsuited: 0,
  };
}

/** How a pass by hand ended (K2, K3). `nothing`, `already`: why the rung that was named had nothing to do. `failed`: nothing was committed; the reasons by rung. */
export type PassEnd =
  | { type: 'done'; receipt: PassReceipt; failures: RungFailure[] }
  | { type: 'nothing' | 'already'; failures: RungFailure[] }
  | { type: 'failed'; failures: RungFailure[] }
  | { type: 'stopped' };
