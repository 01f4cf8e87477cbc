// A message: an immutable node of a conversation's tree.
import * as z from 'zod/mini';
import type { Failure } from './failure';
import { type AgentId, type BlobHash, blobHash, type ConversationId, type MessageId, messageId, type TurnId } from './ids';

export type Role = 'user' | 'assistant' | 'digest';
export type MessageStatus = 'complete' | 'interrupted';

export type TextPart = { type: 'text'; text: string };
/** Reasoning as the provider gave it; `source` names the field or tag it came under. Never sent back unless the model's policy asks for it. */
export type ReasoningPart = { type: 'reasoning'; text: string; source?: string | undefined };
/** An image in the blob store. Width and height in pixels. */
export type ImagePart = {
  type: 'image';
  hash: BlobHash;
  mime: string;
  name: string;
  size: number;
  width?: number | undefined;
  height?: number | undefined;
};
/** A file in the blob store; `textHash` is the blob of its extracted text (the file itself for text files). `size` and `textLength` in bytes and characters. */
export type FilePart = {
  type: 'file';
  hash: BlobHash;
  mime: string;
  name: string;
  size: number;
  textHash?: BlobHash | undefined;
  textLength?: number | undefined;
  pages?: number | undefined;
};
/** How a call ended that did not run to its own end: by the user's word, by a stop, by a rule of Bough. */
export const callOutcomes = ['denied', 'cancelled', 'refused'] as const;
export type CallOutcome = (typeof callOutcomes)[number];
/** A tool call with its result's one-line summary; the result itself is in the agent's transcript. Without a summary it has no result (yet). */
export type ToolCallPart = {
  type: 'toolCall';
  callId: string;
  name: string;
  arguments: string;
  summary?: string | undefined;
  isError?: boolean | undefined;
  /** Left out where the tool ended by itself, and in messages of older versions. */
  outcome?: CallOutcome | undefined;
  /** Milliseconds the tool ran. */
  durationMs?: number | undefined;
};
/** Something no adapter or importer understood, kept as it was. */
export type RawPart = { type: 'raw'; source: string; json: string };
export type Part = TextPart | ReasoningPart | ImagePart | FilePart | ToolCallPart | RawPart;

/** Tokens as the provider reported them. */
export type Usage = {
  input: number;
  output: number;
  reasoning?: number | undefined;
  cachedInput?: number | undefined;
  estimated?: boolean | undefined;
};

/** Where a digest comes from (T11, C3). `label`: the checkpoint gone back to; a digest carried over by a move has none. */
export type DigestOrigin = {
  /** The branch it tells of, by the message it was left at; none in a fork that has not that branch. */
  from?: MessageId | undefined;
  label?: string | undefined;
  /** What the person wanted it to tell of. */
  focus?: string | undefined;
  /** Put together without a model. */
  plain?: boolean | undefined;
};

export type Message = {
  id: MessageId;
  conversationId: ConversationId;
  parentId: MessageId | null;
  role: Role;
  status: MessageStatus;
  parts: Part[];
  agentId?: AgentId | undefined;
  turnId?: TurnId | undefined;
  /** `provider/model` that wrote it. */
  model?: string | undefined;
  usage?: Usage | undefined;
  /** Written or changed by hand rather than by the model. */
  edited?: boolean | undefined;
  /** Why the answer ended early: `length` (output limit), `filtered` (the provider cut it). */
  finish?: 'length' | 'filtered' | undefined;
  /** What broke an interrupted answer off. */
  failure?: Failure | undefined;
  digest?: DigestOrigin | undefined;
  /** Milliseconds from request to the last event. */
  durationMs?: number | undefined;
  /** Unix time in milliseconds. */
  createdAt: number;
};

const text = z.string();
export const textPartSchema = z.object({ type: z.literal('text'), text });
export const reasoningPartSchema = z.object({ type: z.literal('reasoning'), text, source: z.optional(text) });
export const imagePartSchema = z.object({
  type: z.literal('image'),
  hash: blobHash,
  mime: text,
  name: text,
  size: z.number(),
  width: z.optional(z.number()),
  height: z.optional(z.number()),
});
export const filePartSchema = z.object({
  type: z.literal('file'),
  hash: blobHash,
  mime: text,
  name: text,
  size: z.number(),
  textHash: z.optional(blobHash),
  textLength: z.optional(z.number()),
  pages: z.optional(z.number()),
});
export const toolCallPartSchema = z.object({
  type: z.literal('toolCall'),
  callId: text,
  name: text,
  arguments: text,
  summary: z.optional(text),
  isError: z.optional(z.boolean()),
  outcome: z.optional(z.enum(callOutcomes)),
  durationMs: z.optional(z.number()),
});
export const rawPartSchema = z.object({ type: z.literal('raw'), source: text, json: text });
export const partSchema: z.ZodMiniType<Part> = z.discriminatedUnion('type', [
  textPartSchema,
  reasoningPartSchema,
  imagePartSchema,
  filePartSchema,
  toolCallPartSchema,
  rawPartSchema,
]);

export const digestOriginSchema: z.ZodMiniType<DigestOrigin> = z.object({
  from: z.optional(messageId),
  label: z.optional(text),
  focus: z.optional(text),
  plain: z.optional(z.boolean()),
});

/** The part of a digest before the request in progress, which goes along over a rewind to before it (C3). */
export const requestInProgress = '[The request in progress, as the user wrote it:]';

/** The text a person wrote or read, parts joined by blank lines; no reasoning, no attachments. */
export function textOf(message: Pick<Message, 'parts'>): string {
  return message.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n');
}
