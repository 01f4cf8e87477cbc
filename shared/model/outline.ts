// A conversation's whole tree as the navigator shows it (U5): straight runs of turns, and of each run the turns that are worth a line.
import type { AgentId, MessageId } from './ids';
import type { Role } from './message';

/** One line: a prompt and the answers to it, or answers alone where a branch begins with one. */
export type OutlineTurn = {
  /** Its first message. */
  id: MessageId;
  /** Place in its run, from 0. */
  at: number;
  /** Depth of its first message on its path. */
  depth: number;
  role: Role;
  agentId?: AgentId | undefined;
  /** Of an answer that no agent gave. */
  model?: string | undefined;
  /** The first words; empty when there are none. */
  text: string;
  createdAt: number;
  label?: string | undefined;
  /** The message of the turn that carries the label. */
  labelOn?: MessageId | undefined;
  checkpoint?: string | undefined;
  pinned?: true | undefined;
  state?: 'running' | 'failed' | 'interrupted' | undefined;
};

/** A straight run: from below a branching, or a root, down to the next branching or the end. Its id is that of its first message. */
export type OutlineRun = {
  id: MessageId;
  /** Place of the run it hangs under in the list, always before its own; -1 at a root. */
  parent: number;
  /** Number of turns in it. */
  turns: number;
  /** In order; what is missing between two of them is a gap to be asked for by its place. The first and the last are always there. */
  shown: readonly OutlineTurn[];
};

/** Runs in order of creation of their first message. */
export type Outline = {
  runs: readonly OutlineRun[];
  messages: number;
  /** The tip by run and turn; null in an empty conversation. */
  tip: { run: number; at: number } | null;
};

/** Where a search found its words: a run by its place in the list. */
export type OutlineHits = { run: number; turn: OutlineTurn }[];

export type OutlinePreview = { prompt: string; answer: string; agentId?: AgentId | undefined; model?: string | undefined };
