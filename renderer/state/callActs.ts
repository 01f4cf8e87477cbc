// What a person asks about a tool call, and their word on one that waits for it (A4). What main refuses comes back, to be shown in place.
import type { ApprovalAnswer } from '../../shared/model/approval';
import type { Failure } from '../../shared/model/failure';
import type { ConversationId, MessageId, StepId } from '../../shared/model/ids';
import type { ToolResult } from '../../shared/model/tool';
import { failureOf } from '../bridge';
import { client } from './client';

type CallPlace = { conversationId: ConversationId; callId: string };

export async function fetchCallResult({
  conversationId,
  callId,
  messageId,
  stepId,
}: CallPlace & { messageId: MessageId | null; stepId: StepId | null }): Promise<{ result: ToolResult } | { failure: Failure }> {
  try {
    const place = messageId ? { messageId } : stepId ? { stepId } : {};
    return { result: await client().talk.callResult({ conversationId, callId, ...place }) };
  } catch (error) {
    return { failure: failureOf(error) };
  }
}

/** Null when main took the answer. */
export async function answerCall(place: CallPlace & { stepId: StepId }, answer: ApprovalAnswer): Promise<Failure | null> {
  try {
    await client().approvals.answer({ ...place, answer });
    return null;
  } catch (error) {
    return failureOf(error);
  }
}
