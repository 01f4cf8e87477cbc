// Two branches of one conversation from where they part (T13).
import type { AgentId, MessageId } from './ids';
import type { Role } from './message';

export type SideName = 'left' | 'right';

export type ComparedBranch = {
  /** The message it ends with; the shared one where it has nothing of its own. */
  endId: MessageId;
  /** Roles of the messages below the shared one, in order. */
  roles: readonly Role[];
  /** The label nearest to its end, of its own messages. */
  label?: string | undefined;
  /** The first words of the first prompt in which the branches differ, else of its first message; empty when it has none. */
  prompt: string;
  /** Who answered last. */
  agentId?: AgentId | undefined;
  /** When its last message was made. */
  endedAt: number;
};

export type Comparison = Record<SideName, ComparedBranch> & {
  /** The last message on both; null where they begin apart. `text`: its first words. */
  shared: { id: MessageId; depth: number; role: Role; text: string; agentId?: AgentId | undefined } | null;
};
