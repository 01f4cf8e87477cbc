// The start of a turn as one transaction: after it nothing the person sent can be lost, before it nothing happened (T3, R2).
import type { Agent } from '../../shared/model/agent';
import type { Conversation } from '../../shared/model/conversation';
import { FailureError, makeFailure } from '../../shared/model/failure';
import type { ConversationId, MessageId } from '../../shared/model/ids';
import type { LiveStep } from '../../shared/model/live';
import type { Message } from '../../shared/model/message';
import { createConversation, requireConversation, setConversationAgent } from './conversations';
import { transaction, type WritableDb } from './database';
import { removeDraft } from './drafts';
import { removeFailed, startStep } from './liveSteps';
import { appendMessage } from './messages';
import { setTipForSend } from './tips';
import { rememberAgent } from './usedAgents';

export type TurnStart = {
  /** An existing one by id, or a new one. */
  conversation: ConversationId | Conversation;
  /** Missing for regenerate, continue and retry. */
  userMessage?: Message | undefined;
  /**
   * The message the new node hangs under: that of `userMessage`, else of the step. Given for edit, regenerate, continue and retry;
   * left out for a send, which hangs under the tip as it is.
   */
  parentId?: MessageId | null | undefined;
  /** Null when an answer edited by hand is recorded without a call. */
  step: LiveStep | null;
  /** The agent that answers: copied into the workspace (W2); it answers next, too. */
  agent: Agent | null;
  /** The draft to delete: a conversation id or `new`. */
  draftKey?: string | undefined;
};

/** Records a send, edit, regenerate, continue or retry. Throws `conflict` when the parents do not fit, and the failures of its parts. */
export function recordTurn(db: WritableDb, turn: TurnStart): Conversation {
  return transaction(db, () => {
    const conversation = conversationOf(db, turn.conversation);
    const conversationId = conversation.id;
    const tipId = setTipForSend(db, { conversationId, parentId: turn.parentId });
    if (turn.userMessage !== undefined) {
      if (turn.userMessage.parentId !== tipId)
        throw new FailureError(makeFailure('conflict', 'The conversation has moved on.', { retryable: true }));
      appendMessage(db, { message: turn.userMessage, tip: 'follow' });
    }
    if (turn.step !== null) recordStep(db, conversationId, turn.step);
    if (turn.agent !== null) {
      rememberAgent(db, { conversationId, agent: turn.agent });
      if (conversation.agentId !== turn.agent.id) setConversationAgent(db, { conversationId, agentId: turn.agent.id });
    }
    if (turn.draftKey !== undefined) removeDraft(db, turn.draftKey);
    return requireConversation(db, conversationId);
  });
}

function conversationOf(db: WritableDb, conversation: ConversationId | Conversation): Conversation {
  if (typeof conversation === 'string') return requireConversation(db, conversation);
  const { id, title, titleSource, agentId, createdAt } = conversation;
  return createConversation(db, { id, title, titleSource, agentId, now: createdAt });
}

function recordStep(db: WritableDb, conversationId: ConversationId, step: LiveStep): void {
  const { tipId } = requireConversation(db, conversationId);
  if (step.parentId !== tipId) throw new FailureError(makeFailure('conflict', 'The conversation has moved on.', { retryable: true }));
  removeFailed(db, { conversationId, parentId: step.parentId, agentId: step.agentId });
  startStep(db, step);
}
