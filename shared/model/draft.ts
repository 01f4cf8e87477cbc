// What a person has typed and attached but not sent; kept per conversation over restarts (U4).
import * as z from 'zod/mini';
import { type AgentId, agentId } from './ids';
import { type FilePart, type ImagePart, partSchema } from './message';

export type Attachment = ImagePart | FilePart;
export type Draft = { text: string; attachments: Attachment[]; agentId?: AgentId | undefined };

export const emptyDraft: Draft = { text: '', attachments: [] };

export const attachmentSchema = z.pipe(
  partSchema.check(z.refine((part) => part.type === 'image' || part.type === 'file')),
  z.transform((part) => part as Attachment),
);
export const draftSchema = z.object({ text: z.string(), attachments: z.array(attachmentSchema), agentId: z.optional(agentId) });

/** Limits of one attachment and one message, in bytes and pieces; refused with a clear failure beyond. */
export const attachmentLimits = { image: 20 * 1024 * 1024, text: 10 * 1024 * 1024, pdf: 50 * 1024 * 1024, count: 20 } as const;
