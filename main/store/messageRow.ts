// The row of a message and what it means; the only place where both sides are known.
import * as z from 'zod/mini';
import type { Failure } from '../../shared/model/failure';
import type { AgentId, ConversationId, MessageId, TurnId } from '../../shared/model/ids';
import type { Message, Role, Usage } from '../../shared/model/message';
import type { MessageView } from '../../shared/model/talkView';
import { failureSchema } from './failureRow';
import { readJson } from './json';
import { loadParts, storeParts } from './parts';

export type MessageRow = {
  seq: number;
  id: string;
  conversation_id: string;
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
  ordinal: number | null;
  depth: number | null;
  recovered: number;
  under_id: string | null;
};
/** With the number of its siblings, itself included. */
export type ViewRow = MessageRow & { versions: number | null };

const facts =
  'm.seq, m.id, m.conversation_id, m.parent_id, m.role, m.status, m.agent_id, m.turn_id, m.model, m.usage, m.meta, m.created_at, m.ordinal, m.depth, m.recovered, m.under_id';
const columns = `${facts}, m.text, m.parts`;
// The last sibling's place is the number of siblings: one index seek, where count(*) would read them all.
const versions =
  '(SELECT s.ordinal FROM messages s WHERE s.conversation_id = m.conversation_id AND s.under_id IS m.under_id ORDER BY s.ordinal DESC LIMIT 1) AS versions';
export const selectMessage = `SELECT ${columns} FROM messages m WHERE m.id = ?`;
export const selectView = `SELECT ${columns}, ${versions} FROM messages m WHERE m.id = ?`;
export const selectChildren = `SELECT ${facts} FROM messages m WHERE m.conversation_id = ? AND m.under_id IS ? ORDER BY m.ordinal`;

type Meta = {
  edited?: boolean | undefined;
  finish?: 'length' | 'filtered' | undefined;
  failure?: Failure | undefined;
  durationMs?: number | undefined;
};
const metaSchema: z.ZodMiniType<Meta> = z.object({
  edited: z.optional(z.boolean()),
  finish: z.optional(z.enum(['length', 'filtered'])),
  failure: z.optional(failureSchema),
  durationMs: z.optional(z.number()),
});
const usageSchema: z.ZodMiniType<Usage> = z.object({
  input: z.number(),
  output: z.number(),
  reasoning: z.optional(z.number()),
  cachedInput: z.optional(z.number()),
  estimated: z.optional(z.boolean()),
});

function toRole(role: string): Role {
  return role === 'assistant' || role === 'digest' ? role : 'user';
}

/** Ids in rows are branded without a check: they are keys to compare, never parsed or shown as markup. */
export function toMessage(row: MessageRow): Message {
  const message: Message = {
    id: row.id as MessageId,
    conversationId: row.conversation_id as ConversationId,
    parentId: row.parent_id as MessageId | null,
    role: toRole(row.role),
    status: row.status === 'interrupted' ? 'interrupted' : 'complete',
    parts: loadParts(row),
    createdAt: row.created_at,
  };
  if (row.agent_id !== null) message.agentId = row.agent_id as AgentId;
  if (row.turn_id !== null) message.turnId = row.turn_id as TurnId;
  if (row.model !== null) message.model = row.model;
  if (row.usage !== null) message.usage = readJson(row.usage, usageSchema);
  if (row.meta !== null) Object.assign(message, readJson(row.meta, metaSchema));
  return message;
}

/** `endings` = 1 where a running or failed answer stands beside it: it counts as a version too (T12). */
export function toView(row: ViewRow, endings: number): MessageView {
  const message = toMessage(row) as MessageView;
  message.depth = row.depth ?? 0;
  message.version = row.ordinal ?? 1;
  message.versions = (row.versions ?? 1) + endings;
  if (row.recovered === 1) message.recovered = true;
  return message;
}

/** The stored columns of a message, in the order of `insertMessage`. */
export function messageColumns(message: Message) {
  const { edited, finish, failure, durationMs } = message;
  const meta: Meta = { edited, finish, failure, durationMs };
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
