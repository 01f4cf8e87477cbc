// The start of a turn as one transaction: after it nothing the person sent can be lost, before it nothing happened (T3, R2).
import type { Agent } from '../../shared/model/agent';
import type { Conversation } from '../../shared/model/conversation';
import { FailureError, makeFailure } from '../../shared/model/failure';
import type { AgentId, ConversationId, MessageId } from '../../shared/model/ids';
import type { LiveStep } from '../../shared/model/live';
import type { Message } from '../../shared/model/message';
import type { QueuedMessage } from '../../shared/model/queue';
import { createConversation, requireConversation, setConversationAgent } from './conversations';
import { transaction, type WritableDb } from './database';
import { removeDraft } from './drafts';
import { removeFailed } from './failedTurns';
import { startStep } from './liveSteps';
import { appendMessage } from './messages';
import { passQueued, removeQueued } from './queuedMessages';
import { followWaiting, setTipForSend } from './tips';
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
  /** Those that answer, in order: copied into the workspace (W2). */
  agents: readonly Agent[];
  /** Who answers the next message; left out, that stays as it is. */
  answersNext?: AgentId | undefined;
  /** A message that waited: it hangs under `parentId`, and the tip follows only if it is there (T12). */
  waited?: QueuedMessage | undefined;
  /** The draft to delete: a conversation id or `new`. */
  draftKey?: string | undefined;
};

/** Records a send, edit, regenerate, continue or retry. Throws `conflict` when the parents do not fit, and the failures of its parts. */
export function recordTurn(db: WritableDb, turn: TurnStart): Conversation {
  return transaction(db, () => {
    const conversation = conversationOf(db, turn.conversation);
    const conversationId = conversation.id;
    const tipId = turn.waited ? (turn.parentId ?? null) : setTipForSend(db, { conversationId, parentId: turn.parentId });
    if (turn.userMessage !== undefined) {
      if (turn.userMessage.parentId !== tipId)
        throw new FailureError(makeFailure('conflict', 'The conversation has moved on.', { retryable: true }));
      appendMessage(db, { message: turn.userMessage, tip: 'follow' });
    }
    if (turn.step !== null) recordStep(db, { conversationId, step: turn.step, tipId: turn.userMessage?.id ?? tipId });
    for (const agent of turn.agents) rememberAgent(db, { conversationId, agent });
    if (turn.answersNext !== undefined && conversation.agentId !== turn.answersNext)
      setConversationAgent(db, { conversationId, agentId: turn.answersNext });
    if (turn.waited) takeWaiting(db, turn.waited, turn.step, tipId);
    if (turn.draftKey !== undefined) removeDraft(db, turn.draftKey);
    return requireConversation(db, conversationId);
  });
}

/** It waits no longer; what waited behind it waits for its turn. `under`: what it hangs under. */
function takeWaiting(
  db: WritableDb,
  { id, conversationId, turnId: from }: QueuedMessage,
  step: LiveStep | null,
  under: MessageId | null,
): void {
  removeQueued(db, id);
  if (!step) return;
  passQueued(db, { from, to: step.turnId });
  if (under) followWaiting(db, { conversationId, from, to: step.turnId, tipId: under });
}

function conversationOf(db: WritableDb, conversation: ConversationId | Conversation): Conversation {
  if (typeof conversation === 'string') return requireConversation(db, conversation);
  const { id, title, titleSource, agentId, createdAt } = conversation;
  return createConversation(db, { id, title, titleSource, agentId, now: createdAt });
}

/** `tipId`: the message it has to hang under. */
function recordStep(
  db: WritableDb,
  { conversationId, step, tipId }: { conversationId: ConversationId; step: LiveStep; tipId: MessageId | null },
): void {
  if (step.parentId !== tipId) throw new FailureError(makeFailure('conflict', 'The conversation has moved on.', { retryable: true }));
  removeFailed(db, { conversationId, parentId: step.parentId, agentId: step.agentId });
  startStep(db, step);
}
