// A checkpoint: a name for a clean step boundary, to which user and agents can go back with a digest (C1–C5). It belongs to the paths that hold its message.
import * as z from 'zod/mini';
import type { ConversationId, MessageId } from './ids';

export type Checkpoint = {
  conversationId: ConversationId;
  messageId: MessageId;
  label: string;
  by: 'agent' | 'user';
  /** Unix time in milliseconds. */
  createdAt: number;
};

/** One line that reads as a name; unique on each path, case counts. */
export const checkpointLabel = z.string().check(z.trim(), z.minLength(1), z.maxLength(80), z.regex(/^[^\n\r]*$/, 'must be one line'));
