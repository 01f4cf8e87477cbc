// What a person answers when a call waits for their word (A4).
import * as z from 'zod/mini';

/** `words` may be empty. */
export type ApprovalAnswer = { type: 'once' } | { type: 'conversation' } | { type: 'deny'; words: string };

export const approvalAnswerSchema: z.ZodMiniType<ApprovalAnswer> = z.discriminatedUnion('type', [
  z.object({ type: z.literal('once') }),
  z.object({ type: z.literal('conversation') }),
  z.object({ type: z.literal('deny'), words: z.string().check(z.maxLength(4000)) }),
]);
