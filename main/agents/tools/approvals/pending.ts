// A call that waits for the user's word, as plain data, so that it waits on after a restart (A4); and what the word leads to. Pure.
import * as z from 'zod/mini';
import { assertNever } from '../../../../shared/model/assertNever';
import { type AgentId, agentId, type ConversationId, conversationId } from '../../../../shared/model/ids';
import { type ToolNeed, type ToolResult, toolNeedSchema } from '../../../../shared/model/tool';
import { scopeKey } from './policy';

export type PendingApproval = {
  callId: string;
  conversationId: ConversationId;
  agentId: AgentId;
  tool: string;
  /** As the model sent them: a JSON text. */
  arguments: string;
  /** What the card shows, and what the answer covers. */
  needs: ToolNeed[];
  /** Unix time in milliseconds. */
  askedAt: number;
};

/** `words` may be empty. */
export type ApprovalAnswer = { type: 'once' } | { type: 'conversation' } | { type: 'deny'; words: string };

export const pendingApprovalSchema: z.ZodMiniType<PendingApproval> = z.object({
  callId: z.string(),
  conversationId,
  agentId,
  tool: z.string(),
  arguments: z.string(),
  needs: z.array(toolNeedSchema).check(z.minLength(1)),
  askedAt: z.number(),
});

export const approvalAnswerSchema: z.ZodMiniType<ApprovalAnswer> = z.discriminatedUnion('type', [
  z.object({ type: z.literal('once') }),
  z.object({ type: z.literal('conversation') }),
  z.object({ type: z.literal('deny'), words: z.string().check(z.maxLength(4000)) }),
]);

/** Scope keys: `call` holds for this call alone, `conversation` for every later call of the conversation too. */
export type Answered = { type: 'granted'; call: string[]; conversation: string[] } | { type: 'denied'; result: ToolResult };

/**
 * The call is then planned anew with the keys. What it needs may have changed meanwhile (a link that leads elsewhere by now): that has
 * another key and is asked about again.
 */
export function answerApproval(pending: Pick<PendingApproval, 'needs'>, answer: ApprovalAnswer): Answered {
  const keys = pending.needs.map(scopeKey);
  switch (answer.type) {
    case 'once':
      return { type: 'granted', call: keys, conversation: [] };
    case 'conversation':
      return { type: 'granted', call: keys, conversation: keys };
    case 'deny':
      return { type: 'denied', result: denied(answer.words) };
    default:
      return assertNever(answer);
  }
}

function denied(words: string): ToolResult {
  const said = words.trim();
  const summary = 'Denied by the user; it has not run';
  if (said === '') return { summary, isError: true };
  return { summary, content: `The user says: ${said}`, isError: true };
}
