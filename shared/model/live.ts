// What is running or failed and therefore not a message (X8, X9): it stands in the place of the message it would become (T12).
import type { Failure } from './failure';
import type { AgentId, ConversationId, FailedTurnId, MessageId, StepId, TurnId } from './ids';
import type { CallOutcome, Part } from './message';
import type { ToolNeed } from './tool';

/** `connecting` until the request is accepted, `waiting` until the first event, `retrying` while backing off, `tools` once the model is done and its calls run. */
export type StepPhase = 'connecting' | 'waiting' | 'streaming' | 'retrying' | 'tools';

/** `waiting`: has not begun, or, with `needs`, waits for the user's word (A4); `approved`: the word came, it is about to run. */
export type CallState = 'waiting' | 'approved' | 'running' | 'done';

/** A tool call of a running step, as windows see it; its name and arguments are in the part with this `callId`, its content is asked for. */
export type LiveCall = {
  callId: string;
  state: CallState;
  /** What the approval card shows. */
  needs?: ToolNeed[] | undefined;
  /** A unified diff of what it would change, where it waits for the user's word and that is known. */
  preview?: string | undefined;
  /** Unix time in milliseconds at which it began to run. */
  startedAt?: number | undefined;
  summary?: string | undefined;
  isError?: boolean | undefined;
  outcome?: CallOutcome | undefined;
  durationMs?: number | undefined;
};

/** A running step: one database row, written before the call, at most once a second while text streams, at each change of a call, and at its end (X9). */
export type LiveStep = {
  id: StepId;
  conversationId: ConversationId;
  /** The message it will be a child of. */
  parentId: MessageId;
  turnId: TurnId;
  agentId: AgentId;
  /** `provider/model`. */
  model: string;
  /** A tool call whose arguments still stream has a `callId` that `calls` does not know. */
  parts: Part[];
  /** Empty until the model is done; then one for each call, in order. */
  calls: LiveCall[];
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
