// A transcript: what one agent really exchanged with its model in one conversation. The file's entries in order are the truth;
// the fold of them is what a request is built from (X1–X3).
import * as z from 'zod/mini';
import { assertNever } from './assertNever';
import type { Failure } from './failure';
import { failureSchema } from './failureSchema';
import {
  type AgentId,
  agentId,
  type BlobHash,
  blobHash,
  type ConversationId,
  conversationId,
  type MessageId,
  messageId,
  type RecordId,
  recordId,
  type StepId,
  stepId,
  type TurnId,
  turnId,
} from './ids';
import { type MemoryRecord, memoryRecordSchema } from './memoryRecord';
import {
  type FilePart,
  filePartSchema,
  type ImagePart,
  imagePartSchema,
  type Part,
  type RawPart,
  type ReasoningPart,
  rawPartSchema,
  reasoningPartSchema,
  type TextPart,
  type ToolCallPart,
  textPartSchema,
  toolCallPartSchema,
  type Usage,
} from './message';
import { type ToolResult, toolResultSchema } from './tool';

/** The version this program writes; an older one is migrated, a newer one refused. */
export const transcriptVersion = 1;

/** What a provider wants back exactly as it came, kept as the JSON text it came in; sent to a model of that family only, byte for byte. */
export type StepVendor = { family: string; json: string };
type WithVendor<T> = T & { vendor?: StepVendor | undefined };
/** A part as the model gave it, in its place; `vendor` is an item of its own (a reasoning item, for one). */
export type StepPart =
  | WithVendor<TextPart>
  | WithVendor<ReasoningPart>
  | ImagePart
  | FilePart
  | WithVendor<ToolCallPart>
  | RawPart
  | { type: 'vendor'; vendor: StepVendor };

/** What of a part is shown to people: opaque data is not, nor what carries nothing else. */
export function shownPart(part: StepPart): Part[] {
  if (part.type === 'vendor' || ((part.type === 'text' || part.type === 'reasoning') && part.text === '')) return [];
  if (part.type !== 'text' && part.type !== 'reasoning' && part.type !== 'toolCall') return [part];
  const { vendor: _, ...shown } = part;
  return [shown];
}

/** A tool's answer: the one-line summary always stays, the content may be left out of a request later (A2). */
export type StepResult = ToolResult & {
  callId: string;
  /** Milliseconds the tool ran. */
  durationMs?: number | undefined;
};

/** A text that was moved to the blob store: it is empty at its place in the file. `size` in bytes of UTF-8. */
export type MovedText = { list: 'content' | 'results'; index: number; hash: BlobHash; size: number };

/** One model call with the results of its tool calls; the message `messageId` shows it. */
export type Step = {
  id: StepId;
  messageId: MessageId;
  /** The message it answered. */
  parentId: MessageId;
  turnId: TurnId;
  /** `providerId/modelId`. */
  model: string;
  /** Exactly what the model gave, provider-neutral. */
  content: StepPart[];
  results: StepResult[];
  usage?: Usage | undefined;
  /** The answer broke off; `failure` says why, unless it was stopped. */
  interrupted?: boolean | undefined;
  failure?: Failure | undefined;
  finish?: 'length' | 'filtered' | undefined;
  /** Milliseconds from request to the last event. */
  durationMs?: number | undefined;
  /** Only in the file (X4). */
  moved?: MovedText[] | undefined;
  /** Unix time in milliseconds. */
  createdAt: number;
};

/** A turn that ended without an answer, by the message it hangs under (X8). */
export type TranscriptFailure = { parentId: MessageId; turnId: TurnId; model?: string | undefined; failure: Failure; createdAt: number };

export type TranscriptEntry =
  | { type: 'step'; step: Step }
  | { type: 'record'; record: MemoryRecord }
  | { type: 'undo'; recordId: RecordId; createdAt: number }
  | { type: 'redo'; recordId: RecordId; createdAt: number }
  | ({ type: 'failed' } & TranscriptFailure)
  | { type: 'retried'; parentId: MessageId; createdAt: number };

/** `segment` counts the files of this agent in this conversation from 1; all but the newest are sealed (X5). */
export type TranscriptHead = { version: number; conversationId: ConversationId; agentId: AgentId; segment: number };

/** What still stands, whichever file the steps are in: records and failures, each in the order they were made. */
export type Standing = { records: ReadonlyMap<RecordId, MemoryRecord>; failed: ReadonlyMap<MessageId, TranscriptFailure> };
/** The fold of the entries: steps by id in the order they were made. */
export type Transcript = TranscriptHead & Standing & { steps: ReadonlyMap<StepId, Step> };

const text = z.string();
const number = z.number();
const usageSchema: z.ZodMiniType<Usage> = z.object({
  input: number,
  output: number,
  reasoning: z.optional(number),
  cachedInput: z.optional(number),
  estimated: z.optional(z.boolean()),
});
const vendor: z.ZodMiniType<StepVendor> = z.object({ family: text, json: text });
export const stepPartSchema: z.ZodMiniType<StepPart> = z.discriminatedUnion('type', [
  z.extend(textPartSchema, { vendor: z.optional(vendor) }),
  z.extend(reasoningPartSchema, { vendor: z.optional(vendor) }),
  imagePartSchema,
  filePartSchema,
  z.extend(toolCallPartSchema, { vendor: z.optional(vendor) }),
  rawPartSchema,
  z.object({ type: z.literal('vendor'), vendor }),
]);
const stepResultSchema: z.ZodMiniType<StepResult> = z.extend(toolResultSchema, { callId: text, durationMs: z.optional(number) });
const stepSchema: z.ZodMiniType<Step> = z.object({
  id: stepId,
  messageId,
  parentId: messageId,
  turnId,
  model: text,
  content: z.array(stepPartSchema),
  results: z.array(stepResultSchema),
  usage: z.optional(usageSchema),
  interrupted: z.optional(z.boolean()),
  failure: z.optional(failureSchema),
  finish: z.optional(z.enum(['length', 'filtered'])),
  durationMs: z.optional(number),
  moved: z.optional(z.array(z.object({ list: z.enum(['content', 'results']), index: z.int(), hash: blobHash, size: number }))),
  createdAt: number,
});
export const transcriptEntrySchema: z.ZodMiniType<TranscriptEntry> = z.discriminatedUnion('type', [
  z.object({ type: z.literal('step'), step: stepSchema }),
  z.object({ type: z.literal('record'), record: memoryRecordSchema }),
  z.object({ type: z.literal('undo'), recordId, createdAt: number }),
  z.object({ type: z.literal('redo'), recordId, createdAt: number }),
  z.object({
    type: z.literal('failed'),
    parentId: messageId,
    turnId,
    model: z.optional(text),
    failure: failureSchema,
    createdAt: number,
  }),
  z.object({ type: z.literal('retried'), parentId: messageId, createdAt: number }),
]);
export const transcriptHeadSchema: z.ZodMiniType<TranscriptHead> = z.object({
  version: z.int(),
  conversationId,
  agentId,
  segment: z.int().check(z.minimum(1)),
});

export const nothingStands: Standing = { records: new Map(), failed: new Map() };

/** What stands after one more entry. A step takes away the failure under its parent; what an undo names and is not there changes nothing. */
export function standAfter(standing: Standing, entry: TranscriptEntry): Standing {
  switch (entry.type) {
    case 'step':
      return withoutFailure(standing, entry.step.parentId);
    case 'record':
      return { ...standing, records: new Map(standing.records).set(entry.record.id, entry.record) };
    case 'undo':
    case 'redo': {
      const record = standing.records.get(entry.recordId);
      if (!record) return standing;
      const { undone: _, ...rest } = { ...record, changedAt: entry.createdAt };
      return { ...standing, records: new Map(standing.records).set(record.id, entry.type === 'undo' ? { ...rest, undone: true } : rest) };
    }
    case 'failed': {
      const { type: _, ...failure } = entry;
      return { ...standing, failed: new Map(withoutFailure(standing, entry.parentId).failed).set(entry.parentId, failure) };
    }
    case 'retried':
      return withoutFailure(standing, entry.parentId);
    default:
      return assertNever(entry);
  }
}

function withoutFailure(standing: Standing, parentId: MessageId): Standing {
  if (!standing.failed.has(parentId)) return standing;
  const failed = new Map(standing.failed);
  failed.delete(parentId);
  return { ...standing, failed };
}

/** Folds entries in order; a later step of the same id stands for the earlier. */
export function foldTranscript(head: TranscriptHead, entries: readonly TranscriptEntry[]): Transcript {
  const steps = new Map<StepId, Step>();
  for (const entry of entries) if (entry.type === 'step') steps.set(entry.step.id, entry.step);
  return { ...head, ...entries.reduce(standAfter, nothingStands), steps };
}

/** What a new file begins with when the one before it was sealed (X5). */
export function entriesOf(standing: Standing): TranscriptEntry[] {
  return [
    ...[...standing.records.values()].map((record): TranscriptEntry => ({ type: 'record', record })),
    ...[...standing.failed.values()].map((failure): TranscriptEntry => ({ type: 'failed', ...failure })),
  ];
}
