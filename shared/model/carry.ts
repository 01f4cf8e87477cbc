// A digest that is being made of a branch that was left, for the one that was gone to (T11).
import type { MessageId } from './ids';

/** What happens when a move leaves a branch. */
export const leavingChoices = ['nothing', 'ask', 'digest'] as const;
export type LeavingChoice = (typeof leavingChoices)[number];

/** Characters of focus words. */
export const focusLimit = 2_000;

export type Carry = {
  /** The tip that was left, and the message that the digest will stand under. */
  leftId: MessageId;
  targetId: MessageId;
  /** Unix time in milliseconds. */
  startedAt: number;
};
