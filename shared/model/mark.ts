// Marks a person sets on a message: a label is a bookmark with a name, a pin keeps it from being folded (T10, L15).
import * as z from 'zod/mini';
import type { MessageId } from './ids';

export type MessageLabel = { messageId: MessageId; label: string };

/** One line; several messages may carry the same. */
export const labelText = z.string().check(z.trim(), z.minLength(1), z.maxLength(80), z.regex(/^[^\n\r]*$/));
