// Messages written while a turn runs (A6): `queue` is sent after the turn, `steer` before its next step. They survive a restart.
import type { Attachment } from './draft';
import type { ConversationId, QueuedId, TurnId } from './ids';

export type QueueMode = 'queue' | 'steer';

export type QueuedMessage = {
  id: QueuedId;
  conversationId: ConversationId;
  /** The turn it waits for. */
  turnId: TurnId;
  mode: QueueMode;
  text: string;
  attachments: Attachment[];
  /** Its turn was stopped, failed or broke off: it waits until the user sends or removes it. */
  held: boolean;
  /** Unix time in milliseconds. */
  createdAt: number;
};
