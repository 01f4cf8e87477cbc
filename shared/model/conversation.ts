// A conversation: one tree of messages with a title and a tip, the only row whose pointer moves.
import type { AgentId, ConversationId, MessageId } from './ids';

/** Where a title came from: `auto` may be replaced by the title role once, `user` never by a machine. */
export type TitleSource = 'none' | 'auto' | 'user';

export type Conversation = {
  id: ConversationId;
  title: string;
  titleSource: TitleSource;
  tipId: MessageId | null;
  /** The agent that answers next. */
  agentId: AgentId | null;
  pinned: boolean;
  archived: boolean;
  forkedFrom?: { conversationId: ConversationId; messageId: MessageId } | undefined;
  /** Unix time in milliseconds; `updatedAt` moves with each appended message, not with a pointer move. */
  createdAt: number;
  updatedAt: number;
};
