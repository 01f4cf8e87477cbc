// An export: what of a conversation goes into a file, in which format, and what a window is told on the way (I1, R4).
import * as z from 'zod/mini';
import type { Failure } from './failure';
import type { AgentId, BlobHash, MessageId } from './ids';
import { conversationId, messageId } from './ids';
import type { Message } from './message';

/** `path`: from the root to a message; `subtree`: a message with all below it; `tree`: everything. */
export const exportScopes = ['path', 'subtree', 'tree'] as const;
export type ExportScope = (typeof exportScopes)[number];
const exportScope = z.enum(exportScopes);

export const exportFormats = ['html', 'markdown', 'pdf', 'json', 'jsonl'] as const;
export type ExportFormat = (typeof exportFormats)[number];
export const exportFormat = z.enum(exportFormats);
/** How a file of the format ends. */
export const exportExtensions: Record<ExportFormat, string> = { html: 'html', markdown: 'md', pdf: 'pdf', json: 'json', jsonl: 'jsonl' };

/** What goes along. With all of it JSON and JSONL are lossless (I2). */
export type ExportInclude = { toolCalls: boolean; reasoning: boolean; attachments: boolean; memory: boolean };
const exportInclude: z.ZodMiniType<ExportInclude> = z.object({
  toolCalls: z.boolean(),
  reasoning: z.boolean(),
  attachments: z.boolean(),
  memory: z.boolean(),
});

/** What was chosen last. */
export type ExportChoice = { scope: ExportScope; format: ExportFormat; include: ExportInclude };
export const exportChoice: z.ZodMiniType<ExportChoice> = z.object({ scope: exportScope, format: exportFormat, include: exportInclude });

/** Made by the window, one for each export. */
export const exportId = z.string().check(z.regex(/^[\w-]{8,64}$/));
/** `messageId` null: the tip. */
export const exportRequest = z.object({
  exportId,
  conversationId,
  messageId: z.nullable(messageId),
  scope: exportScope,
  format: exportFormat,
  include: exportInclude,
});
export type ExportRequest = z.infer<typeof exportRequest>;

export type ExportCount = { messages: number; branches: number; attachments: number; toolCalls: number };
export type ExportCounts = Record<ExportScope, ExportCount>;

/** A message on its way into a page. */
export type ExportRow = {
  message: Message;
  label?: string | undefined;
  /** Begins a branch: what it left under, and its place among the children there. */
  from?: { id: MessageId; start: string; branch: number; branches: number; messages: number } | undefined;
  /** Branches that leave under this message and are told elsewhere: their first messages. */
  leaving: MessageId[];
  /** On a line that left under another message. */
  onBranch: boolean;
  /** Ends its line. */
  last: boolean;
  /** What tools gave back, by call. */
  results: Record<string, string>;
  /** Attachments in base64; null where the content is lost. */
  files: Record<BlobHash, string | null>;
};
/** Rows for a page in the order of telling; `first` and `last` slices frame it. */
export type ExportRows = {
  first: boolean;
  last: boolean;
  title: string;
  /** Unix time in milliseconds. */
  exportedAt: number;
  agents: { id: AgentId; name: string }[];
  rows: ExportRow[];
};

/** What a window is told while an export runs; ends with `done`, `cancelled` (by the person, in the dialog) or `failed`. */
export type ExportNews =
  | { type: 'progress'; what: 'reading' | 'writing' | 'printing'; done: number; total: number }
  /** The window makes HTML of them and gives it to `export.write`. */
  | { type: 'rows'; rows: ExportRows }
  | { type: 'done'; path: string }
  | { type: 'cancelled' }
  | { type: 'failed'; failure: Failure };
