// What a window shows of one conversation: a slice of the path, each message with its place among its siblings.
import type { Carry } from './carry';
import type { Checkpoint } from './checkpoint';
import type { Conversation } from './conversation';
import type { MessageId } from './ids';
import type { FailedTurn, LiveStep } from './live';
import type { MessageLabel } from './mark';
import type { Message } from './message';
import type { QueuedMessage } from './queue';

/** A message with what the tree says of it. */
export type MessageView = Message & {
  /** Position on its path, 0 at the root. */
  depth: number;
  /** 1-based place among its siblings in order of creation; `versions` counts a running or failed answer too. */
  version: number;
  versions: number;
  /** Its parent is missing or closes a ring: shown as a root under a "recovered" mark (T7). */
  recovered?: boolean | undefined;
  /** The transcript of its agent lacks it: the model is told of it from the message alone (X7). Never set for imported ones. */
  retold?: boolean | undefined;
};

/** A slice of the path from root to tip; `items[i]` has depth `offset + i`. */
export type PathSlice = { offset: number; items: MessageView[] };
/** The newest running step or failure under the tip, with its place among its siblings. */
export type Ending =
  | { type: 'live'; step: LiveStep; version: number; versions: number }
  | { type: 'failed'; turn: FailedTurn; version: number; versions: number };
export type TalkView = {
  conversation: Conversation;
  tipId: MessageId | null;
  /** Messages on the path. */
  length: number;
  slice: PathSlice;
  ending: Ending | null;
  /** Complete messages below the tip: "n branches go on from here" (T6). */
  tipChildren: number;
  /** Names of the agents that this conversation used, as the workspace keeps them: also of those unknown here (W2). */
  agentNames?: Record<string, string> | undefined;
  /** Every step now running in the conversation, on any branch. */
  running: LiveStep[];
  /** Checkpoints on this path, from the root on. */
  checkpoints: Checkpoint[];
  /** Labels and pins on this path (T10), from the root on; left out where there are none. */
  labels?: MessageLabel[] | undefined;
  pins?: MessageId[] | undefined;
  /** What waits for a turn of this conversation, oldest first (A6). */
  queue: QueuedMessage[];
  /** Digests that are being made in this conversation (T11); left out where there are none. */
  carries?: Carry[] | undefined;
};
