// The row of a message and what it means; the only place where both sides are known.
import * as z from 'zod/mini';
import type { Failure } from '../../shared/model/failure';
import { failureSchema } from '../../shared/model/failureSchema';
import type { AgentId, ConversationId, MessageId, TurnId } from '../../shared/model/ids';
import { type DigestOrigin, digestOriginSchema, type Message, type Role, type Usage } from '../../shared/model/message';
import type { MessageView } from '../../shared/model/talkView';
import { parseJson } from '../lib/parseJson';
import { readJson } from './json';
import { loadParts, storeParts } from './parts';

/** The columns that make a message; its id and conversation are known to who asks, and each column read costs time. */
export type MessageRow = {
  parent_id: string | null;
  role: string;
  status: string;
  agent_id: string | null;
  turn_id: string | null;
  model: string | null;
  text: string | null;
  parts: string | null;
  usage: string | null;
  meta: string | null;
  created_at: number;
};
/** With its place on the path. At depth 0 a parent that is named is none: missing, or closing a ring (T7). */
export type PathRow = MessageRow & { depth: number | null };
/** With its place among its siblings and their number, itself included; the number is null for roots, which there is one of on a path. */
export type ViewRow = PathRow & { ordinal: number | null; versions: number | null };
/** A child without its content. */
export type LightRow = Omit<MessageRow, 'text' | 'parts'> & { id: string };

const facts = 'm.parent_id, m.role, m.status, m.agent_id, m.turn_id, m.model, m.usage, m.meta, m.created_at';
/** Of a copy that a fork made, the content is that of the row it names (T9). Two look-ups for a copy cost less than a join would cost every other row. */
const shared = (column: 'text' | 'parts') =>
  `CASE WHEN m.content_seq IS NULL THEN m.${column} ELSE (SELECT o.${column} FROM messages o WHERE o.seq = m.content_seq) END AS ${column}`;
/** Text and parts of `m`. */
export const content = `${shared('text')}, ${shared('parts')}`;
// The last sibling's place is the number of siblings: one index seek, where count(*) would read them all.
const versions =
  '(SELECT s.ordinal FROM messages s WHERE s.conversation_id = m.conversation_id AND s.recovered = 0 AND s.parent_id = m.parent_id ORDER BY s.ordinal DESC LIMIT 1) AS versions';
/** Parameters: id. */
export const selectMessage = `SELECT m.conversation_id, ${facts}, ${content}, m.trash_id FROM messages m WHERE m.id = +?`;
export const selectOnPath = `SELECT ${facts}, ${content}, m.depth FROM messages m WHERE m.id = +?`;
export const selectView = `SELECT ${facts}, ${content}, m.depth, m.ordinal, ${versions} FROM messages m WHERE m.id = +?`;
/** Parameters: conversation, parent. */
export const selectChildren = `SELECT m.id, ${facts} FROM messages m WHERE m.conversation_id = +? AND m.recovered = 0 AND m.parent_id = +? ORDER BY m.ordinal`;
/** Parameters: conversation. */
export const selectRoots = `SELECT m.id, ${facts} FROM messages m WHERE m.conversation_id = +? AND (m.recovered = 1 OR (m.recovered = 0 AND m.parent_id IS NULL)) ORDER BY m.ordinal`;

type Meta = {
  edited?: boolean | undefined;
  finish?: 'length' | 'filtered' | undefined;
  failure?: Failure | undefined;
  durationMs?: number | undefined;
  digest?: DigestOrigin | undefined;
};
const metaSchema: z.ZodMiniType<Meta> = z.object({
  edited: z.optional(z.boolean()),
  finish: z.optional(z.enum(['length', 'filtered'])),
  failure: z.optional(failureSchema),
  durationMs: z.optional(z.number()),
  digest: z.optional(digestOriginSchema),
});

/** By hand: every answer has one, and the schema would cost more than reading the row. */
function toUsage(json: string): Usage | undefined {
  const value = parseJson(json);
  if (typeof value !== 'object' || value === null || !('input' in value) || !('output' in value)) return undefined;
  if (typeof value.input !== 'number' || typeof value.output !== 'number') return undefined;
  const usage: Usage = { input: value.input, output: value.output };
  if ('reasoning' in value && typeof value.reasoning === 'number') usage.reasoning = value.reasoning;
  if ('cachedInput' in value && typeof value.cachedInput === 'number') usage.cachedInput = value.cachedInput;
  if ('estimated' in value && value.estimated === true) usage.estimated = true;
  return usage;
}

function toRole(role: string): Role {
  return role === 'assistant' || role === 'digest' ? role : 'user';
}

/** Ids in rows are branded without a check: they are keys to compare, never parsed or shown as markup. */
export function toMessage(id: string, conversationId: ConversationId, row: MessageRow): Message {
  const message: Message = {
    id: id as MessageId,
    conversationId,
    parentId: row.parent_id as MessageId | null,
    role: toRole(row.role),
    status: row.status === 'interrupted' ? 'interrupted' : 'complete',
    parts: loadParts(row),
    createdAt: row.created_at,
  };
  if (row.agent_id !== null) message.agentId = row.agent_id as AgentId;
  if (row.turn_id !== null) message.turnId = row.turn_id as TurnId;
  if (row.model !== null) message.model = row.model;
  if (row.usage !== null) message.usage = toUsage(row.usage);
  if (row.meta !== null) Object.assign(message, readJson(row.meta, metaSchema));
  return message;
}

/** `versions` counts a running or failed answer beside it, too (T12). */
export function toView(id: string, conversationId: ConversationId, row: ViewRow, versions: number): MessageView {
  const message = toMessage(id, conversationId, row) as MessageView;
  message.depth = row.depth ?? 0;
  message.version = row.ordinal ?? 1;
  message.versions = versions;
  if (row.depth === 0 && row.parent_id !== null) message.recovered = true;
  return message;
}

/** The stored columns of a message, in the order of `insertMessage`. */
export function messageColumns(message: Message) {
  const { edited, finish, failure, durationMs, digest } = message;
  const meta: Meta = { edited, finish, failure, durationMs, digest };
  const hasMeta = Object.values(meta).some((value) => value !== undefined);
  const content = storeParts(message.parts);
  return [
    message.id,
    message.conversationId,
    message.parentId,
    message.role,
    message.status,
    message.agentId ?? null,
    message.turnId ?? null,
    message.model ?? null,
    content.text,
    content.parts,
    message.usage ? JSON.stringify(message.usage) : null,
    hasMeta ? JSON.stringify(meta) : null,
    message.createdAt,
  ] as const;
}
