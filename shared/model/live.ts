// What is running or failed and therefore not a message (X8, X9): it stands in the place of the message it would become (T12).
import type { Failure } from './failure';
import type { AgentId, ConversationId, FailedTurnId, MessageId, StepId, TurnId } from './ids';
import type { Part } from './message';

/** `connecting` until the request is accepted, `waiting` until the first event, `retrying` while backing off. */
export type StepPhase = 'connecting' | 'waiting' | 'streaming' | 'retrying';

/** A running step: one database row, written before the call, at most once a second while text streams, and at its end (X9). */
export type LiveStep = {
  id: StepId;
  conversationId: ConversationId;
  /** The message it will be a child of. */
  parentId: MessageId;
  turnId: TurnId;
  agentId: AgentId;
  /** `provider/model`. */
  model: string;
  parts: Part[];
  phase: StepPhase;
  /** The failure that is being retried, with the Unix time (ms) of the next try. */
  retry?: { attempt: number; at: number; failure: Failure } | undefined;
  /** Served by this machine: "reading the prompt" is normal and has no limit (P3). */
  local?: boolean | undefined;
  startedAt: number;
};

/** A turn that ended without an answer, kept with its failure so that Retry works after a restart (X8). */
export type FailedTurn = {
  id: FailedTurnId;
  conversationId: ConversationId;
  /** The message the answer would have been a child of. */
  parentId: MessageId;
  turnId: TurnId;
  agentId: AgentId;
  model?: string | undefined;
  failure: Failure;
  createdAt: number;
};
