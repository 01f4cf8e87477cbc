// What is asked of the search, and what it finds (Q1).
import * as z from 'zod/mini';
import { type AgentId, agentId, type ConversationId, conversationId, type MessageId } from './ids';
import type { Role } from './message';

export type SearchFilters = {
  role?: Role | undefined;
  agentId?: AgentId | undefined;
  conversationId?: ConversationId | undefined;
  /** Unix time in milliseconds: not before `from`, before `until`. */
  from?: number | undefined;
  until?: number | undefined;
  /** Only messages that carry a label. */
  labelled?: boolean | undefined;
  /** Only on the path of their conversation, or only beside it. */
  branch?: 'path' | 'other' | undefined;
};
/** `best`: by how well a message fits, as far as the index tells; what it cannot rank comes after that, newest first. */
export type SearchOrder = 'newest' | 'best';
export type SearchRequest = {
  query: string;
  filters: SearchFilters;
  /** Looks through reasoning, too. */
  reasoning: boolean;
  /** `newest` where it is not said. */
  order?: SearchOrder | undefined;
  /** Where the page before ended. */
  cursor: number | null;
  limit: number;
};

const searchFilters: z.ZodMiniType<SearchFilters> = z.object({
  role: z.optional(z.enum(['user', 'assistant', 'digest'])),
  agentId: z.optional(agentId),
  conversationId: z.optional(conversationId),
  from: z.optional(z.number()),
  until: z.optional(z.number()),
  labelled: z.optional(z.boolean()),
  branch: z.optional(z.enum(['path', 'other'])),
});
export const searchRequest: z.ZodMiniType<SearchRequest> = z.object({
  query: z.string().check(z.maxLength(500)),
  filters: searchFilters,
  reasoning: z.boolean(),
  order: z.optional(z.enum(['newest', 'best'])),
  cursor: z.nullable(z.number()),
  limit: z.int().check(z.minimum(1), z.maximum(200)),
});

/** A piece of the message around what was found; `marks` are [start, end) places in `text`. */
export type Snippet = { text: string; marks: [number, number][] };
export type SearchHit = {
  messageId: MessageId;
  conversationId: ConversationId;
  title: string;
  archived: boolean;
  role: Role;
  agentId: AgentId | null;
  /** The agent's name as the conversation remembers it; without an agent, what its model is called. */
  agentName: string | null;
  createdAt: number;
  /** On the path of its conversation; else it stands on another branch. */
  onPath: boolean;
  label: string | null;
  /** Found in what the agent thought, not in what it said. */
  inReasoning: boolean;
  /** Placed by how well it fits; else by its age. */
  ranked: boolean;
  snippet: Snippet;
};
/** How much of the workspace the index holds; null when it holds everything. */
export type Indexing = { done: number; total: number };
export type SearchPage = {
  /** In the order asked for. */
  hits: SearchHit[];
  /** Where to go on; null when everything was looked through. A page may hold fewer hits than asked for, or none, and still go on. */
  next: number | null;
  indexing: Indexing | null;
};

/** A message of the path that holds what is looked for in a conversation, and how often. */
export type PathMatch = { depth: number; messageId: MessageId; count: number };
export type PathMatches = {
  tipId: MessageId | null;
  matches: PathMatch[];
  /** Depths below this one were not looked at yet: ask again with it. */
  next: number | null;
};
