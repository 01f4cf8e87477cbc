// A fork: a copy of a conversation, or of a part of it, into a new one (T9).
import * as z from 'zod/mini';
import type { Conversation } from './conversation';

/** `path`: root to the chosen message; `siblings`: the path and what stands beside its messages, without what hangs under that; `all`: the whole tree. */
export const forkScopes = ['path', 'siblings', 'all'] as const;
export type ForkScope = (typeof forkScopes)[number];
export const forkScope = z.enum(forkScopes);

/** Messages that each scope would copy. */
export type ForkCounts = Record<ForkScope, number>;

/** Both sides of the forks of one conversation. */
export type Forks = { source: Conversation | null; forks: Conversation[] };
