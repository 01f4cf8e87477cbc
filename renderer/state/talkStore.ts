// What is known of the open conversation; its selectors, its opening, its live answer and its acts are beside it.
import { create } from 'zustand';
import type { Carry } from '../../shared/model/carry';
import type { Checkpoint } from '../../shared/model/checkpoint';
import type { Conversation } from '../../shared/model/conversation';
import type { Failure } from '../../shared/model/failure';
import type { ConversationId, MessageId } from '../../shared/model/ids';
import type { LiveStep } from '../../shared/model/live';
import type { MessageLabel } from '../../shared/model/mark';
import type { QueuedMessage } from '../../shared/model/queue';
import type { Ending } from '../../shared/model/talkView';
import { emptyPath, type LoadedPath } from './talkPath';

export type TalkStatus = 'new' | 'loading' | 'ready' | 'failed';
/**
 * How the list should stand after a change: at the end; with the message at this depth where it is on screen; with its top this
 * many pixels below the top of the view, or, where it `replaces` one that is in view, in the place of that; or as it was.
 */
export type Anchor =
  | { kind: 'end' }
  | { kind: 'depth'; depth: number }
  | { kind: 'at'; depth: number; y: number; replaces?: boolean }
  | { kind: 'keep' };
/** Where a conversation was left: its end, or a message and how far its top was below the top of the view. */
export type Reading = { depth: number; y: number } | 'end';

export type TalkState = {
  conversationId: ConversationId | null;
  status: TalkStatus;
  failure: Failure | null;
  conversation: Conversation | null;
  path: LoadedPath;
  ending: Ending | null;
  tipChildren: number;
  agentNames: Readonly<Record<string, string>>;
  /** Checkpoints on this path, from the root on. */
  checkpoints: readonly Checkpoint[];
  /** Labels and pins on this path (T10). */
  labels: readonly MessageLabel[];
  pins: readonly MessageId[];
  /** What waits for a turn of this conversation, oldest first (A6). */
  queue: readonly QueuedMessage[];
  /** Digests of branches that are being made (T11). */
  carries: readonly Carry[];
  /** Every step that runs in the conversation, on any branch, as the last view had it. */
  running: readonly LiveStep[];
  editing: MessageId | null;
  /** Counts up whenever `anchor` says something new to the list. */
  anchor: Anchor & { count: number };
};

export const blank: TalkState = {
  conversationId: null,
  status: 'new',
  failure: null,
  conversation: null,
  path: emptyPath,
  ending: null,
  tipChildren: 0,
  agentNames: {},
  checkpoints: [],
  labels: [],
  pins: [],
  queue: [],
  carries: [],
  running: [],
  editing: null,
  anchor: { kind: 'end', count: 0 },
};
export const useTalk = create<TalkState>(() => blank);
export const talkState = () => useTalk.getState();
/** Messages of one view. */
export const pageSize = 50;

export function anchored(anchor: Anchor): TalkState['anchor'] {
  return { ...anchor, count: useTalk.getState().anchor.count + 1 };
}
