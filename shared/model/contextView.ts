// What the next request would hold, block by block, for the context ring and the memory panel.
export type ContextBlock = { name: 'system' | 'tools' | 'memory' | 'messages' | 'attachments' | 'draft' | 'reserve'; tokens: number };

export type ContextView = {
  /** Tokens of the next request without the reserve: max(reported use + estimate of what came after, estimate of all) (L7). */
  tokens: number;
  /** Null when unknown: the ring says so and the user can type it. */
  window: number | null;
  blocks: ContextBlock[];
  /** True when the number rests on use reported by the provider. */
  reported: boolean;
  /** In tokens, where automatic passes run: when a turn starts, and between steps; null for one that is off or cannot be weighed (L6). */
  lines: { threshold: number | null; requestThreshold: number | null };
};
