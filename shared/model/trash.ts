// What was deleted and can be put back (T8), and what a person is told before.
import type { ConversationId, MessageId, TrashId } from './ids';

/** `branches`: ends of the deleted part; `hidden`: those of them that are not on the path shown now. */
export type DeleteCounts = { messages: number; branches: number; hidden: number };

export type TrashEntry = {
  id: TrashId;
  conversationId: ConversationId;
  /** Of the conversation; it may be in the trash itself. */
  title: string;
  /** The topmost message; null for a whole conversation. */
  messageId: MessageId | null;
  /** The beginning of its text. */
  text: string;
  messages: number;
  /** Unix time in milliseconds. */
  deletedAt: number;
  /** What it hangs under is in the trash, too: that comes back first. */
  blocked: boolean;
  /** It is being deleted for good, or that was stopped: there is no way back. */
  emptying: boolean;
};

/** What a deletion did, for the notice with Undo. `checkpoints`: those that went with it (C4). */
export type Deleted = { trashId: TrashId; messages: number; checkpoints: number };

/** How far emptying has come; `what`: what is being done. */
export type EmptyProgress = { what: 'transcripts' | 'messages' | 'blobs'; done: number; total: number };
