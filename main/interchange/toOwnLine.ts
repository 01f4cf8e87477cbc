// The lines of Bough's own exports, checked one by one: a file may come from a stranger, so what is not of the documented shape is not taken (I2, I5).
import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { agentSchema } from '../../shared/model/agent';
import { checkpointLabel } from '../../shared/model/checkpoint';
import { failureSchema } from '../../shared/model/failureSchema';
import { agentId, type BlobHash, blobHash, messageId, turnId } from '../../shared/model/ids';
import { digestOriginSchema, type Part, partSchema, type Usage } from '../../shared/model/message';
import { type TranscriptEntry, transcriptEntrySchema } from '../../shared/model/transcript';
import { type OwnConversation, type OwnLine, type OwnMessage, unknownPart } from './ownLine';
import { at, idAt, jsonOf } from './values';

const number = z.number();
const latestTime = 8.64e15;
/** Unix time in whole milliseconds. */
const time = z.int().check(z.minimum(0), z.maximum(latestTime));
const text = z.string();
/** What is wrong in itself costs only itself. */
const ifRight = <T>(schema: z.ZodMiniType<T>) => z.catch(z.optional(schema), undefined);

const usageSchema: z.ZodMiniType<Usage> = z.object({
  input: number,
  output: number,
  reasoning: z.optional(number),
  cachedInput: z.optional(number),
  estimated: z.optional(z.boolean()),
});
const messageSchema = z.object({
  id: messageId,
  parentId: z.catch(z.nullable(messageId), null),
  role: z.enum(['user', 'assistant', 'digest']),
  status: z.catch(z.enum(['complete', 'interrupted']), 'complete'),
  parts: z.array(z.unknown()),
  agentId: ifRight(agentId),
  turnId: ifRight(turnId),
  model: ifRight(text.check(z.maxLength(400))),
  usage: ifRight(usageSchema),
  edited: ifRight(z.boolean()),
  finish: ifRight(z.enum(['length', 'filtered'])),
  failure: ifRight(failureSchema),
  digest: ifRight(digestOriginSchema),
  durationMs: ifRight(number),
  createdAt: z.catch(time, 0),
});
const conversationSchema: z.ZodMiniType<OwnConversation> = z.object({
  title: z.catch(text, ''),
  titleSource: z.catch(z.enum(['none', 'auto', 'user']), 'auto'),
  tipId: z.catch(z.nullable(messageId), null),
  agentId: z.catch(z.nullable(agentId), null),
  pinned: z.catch(z.boolean(), false),
  archived: z.catch(z.boolean(), false),
  createdAt: ifRight(time),
  updatedAt: ifRight(time),
});
const scope = z.catch(z.enum(['path', 'subtree', 'tree']), 'tree');
const labelSchema = z.object({ messageId, label: text });
const pinSchema = z.object({ messageId });
const checkpointSchema = z.object({ messageId, label: checkpointLabel, by: z.enum(['agent', 'user']), createdAt: time });
const branchTipSchema = z.object({ childId: messageId, tipId: messageId, turnId: ifRight(turnId) });
const byAgent = z.object({ agentId });
const blobSchema = z.object({ hash: blobHash, mime: z.catch(text.check(z.maxLength(200)), 'application/octet-stream'), base64: text });

/** The facts that belong to a conversation; undefined where the line is none of the documented shape, null where it only says that something is lost. */
export function toOwnLine(value: unknown): OwnLine | null | undefined {
  switch (at(value, 'type')) {
    case 'agent':
      return made(agentSchema, at(value, 'agent'), (agent) => ({ type: 'agent', agent: { ...agent, approval: 'ask' } }));
    case 'message':
      return made(messageSchema, at(value, 'message'), (message) => ({ type: 'message', message: toMessage(message) }));
    case 'label':
      return made(labelSchema, value, (label) => ({ type: 'label', ...label }));
    case 'pin':
      return made(pinSchema, value, (pin) => ({ type: 'pin', ...pin }));
    case 'checkpoint':
      return made(checkpointSchema, at(value, 'checkpoint'), (checkpoint) => ({ type: 'checkpoint', ...checkpoint }));
    case 'branchTip':
      return made(branchTipSchema, value, (tip) => ({ type: 'branchTip', ...tip }));
    case 'step':
    case 'record':
    case 'failed':
      return made(byAgent, value, (line) => toEntryLine(value, line.agentId));
    case 'blob':
      return at(value, 'missing') === true
        ? null
        : made(blobSchema, value, (blob) => (isIts(blob) ? { type: 'blob', ...blob } : undefined));
    default:
      return undefined;
  }
}

function made<T>(schema: z.ZodMiniType<T>, value: unknown, make: (value: T) => OwnLine | undefined): OwnLine | undefined {
  const parsed = schema.safeParse(value);
  return parsed.success ? make(parsed.data) : undefined;
}

function toMessage({ parts, ...facts }: z.infer<typeof messageSchema>): OwnMessage {
  return { ...facts, parts: parts.map(toPart) };
}

function toPart(value: unknown): Part {
  const parsed = partSchema.safeParse(value);
  return parsed.success ? parsed.data : { type: 'raw', source: unknownPart, json: jsonOf(value) };
}

/** Checked as what stands in a transcript. A text that was moved to a blob stands in its place in an export: what a file says of such is not followed. */
function toEntryLine(value: unknown, by: z.infer<typeof agentId>): OwnLine | undefined {
  switch (at(value, 'type')) {
    case 'step': {
      const entry = entryOf({ type: 'step', step: at(value, 'step') });
      if (entry?.type !== 'step') return undefined;
      const { moved: _, ...step } = entry.step;
      return { type: 'step', agentId: by, step };
    }
    case 'record': {
      const entry = entryOf({ type: 'record', record: at(value, 'record') });
      return entry?.type === 'record' ? { type: 'record', agentId: by, record: entry.record } : undefined;
    }
    default: {
      const entry = entryOf({ ...Object(at(value, 'failure')), type: 'failed' });
      if (entry?.type !== 'failed') return undefined;
      const { type: _, ...failure } = entry;
      return { type: 'failed', agentId: by, failure };
    }
  }
}

function entryOf(value: unknown): TranscriptEntry | undefined {
  const parsed = transcriptEntrySchema.safeParse(value);
  return parsed.success ? parsed.data : undefined;
}

function isIts({ hash, base64 }: { hash: BlobHash; base64: string }): boolean {
  return createHash('sha256').update(Buffer.from(base64, 'base64')).digest('hex') === hash;
}

/** Undefined where the line is of something else. */
export function headerOf(value: unknown): { version: unknown; scope: z.infer<typeof scope> } | undefined {
  if (at(value, 'type') !== 'bough') return undefined;
  return { version: at(value, 'version'), scope: scope.parse(at(value, 'scope')) };
}

/** What a conversation says of itself; every field may be missing. */
export function conversationOf(value: unknown): { sourceId: string | undefined; conversation: OwnConversation } {
  const parsed = conversationSchema.safeParse(Object(value));
  const nothing: OwnConversation = { title: '', titleSource: 'auto', tipId: null, agentId: null, pinned: false, archived: false };
  return { sourceId: idAt(value, 'id')?.slice(0, 200), conversation: parsed.success ? parsed.data : nothing };
}
