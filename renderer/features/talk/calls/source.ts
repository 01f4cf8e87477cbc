// Where a call belongs, for asking main about it.
import type { AgentId, ConversationId, MessageId, StepId } from '../../../../shared/model/ids';

export type CallSource = {
  conversationId: ConversationId;
  agentId: AgentId | undefined;
  /** One of the two: a message, or a running step. */
  messageId: MessageId | null;
  stepId: StepId | null;
  /** The message it is in, or will be in once its step is over. */
  home: MessageId;
};
