// What a run of the ladder needs from outside, and what it is asked to do.

import type { CompactionSettings, NumbersInForce } from '../../../shared/model/compaction';
import type { WindowEvent } from '../../../shared/model/events';
import type { AgentId, ConversationId, MessageId, NewId } from '../../../shared/model/ids';
import type { CardMethod, MemoryBody, MemoryRecord, Receipt } from '../../../shared/model/memoryRecord';
import type { Rung, RungFailure, RunningPass } from '../../../shared/model/memoryView';
import type { Message } from '../../../shared/model/message';
import type { Step } from '../../../shared/model/transcript';
import type { PagesArgs, PagesOutcome } from '../../context/snapshot/makePages';
import type { TokenCounter } from '../../context/tokens/tokenCounter';
import type { Now } from '../../lib/clock';
import type { Logger } from '../../lib/logger';
import type { WritableDb } from '../../store/database';
import type { BlobStore } from '../../transcript/blobs';
import type { AnsweringDeps, Standpoint } from '../answering';
import type { ModelAccess } from '../modelAccess';
import type { ContentBlobs } from '../pathContent';

export type LadderDeps = Omit<AnsweringDeps, 'db' | 'blobs'> & {
  db: WritableDb;
  blobs: ContentBlobs & Pick<BlobStore, 'write' | 'writeNow' | 'has'>;
  models: ModelAccess;
  newId: NewId;
  now: Now;
  logger: Logger;
  publish(event: WindowEvent): void;
  /** The user's numbers, then the workspace's; the agent's own come with it (L21). */
  compaction(): readonly CompactionSettings[];
  summarize: Summarize;
  /** In a thread of its own (S11); without it there are no pages. */
  makePages?: ((args: PagesArgs) => Promise<PagesOutcome>) | undefined;
  /** Without it every message weighs what is estimated. */
  counter?: TokenCounter | undefined;
};

/** What is to be folded, and what the summary must know of it. */
export type SummaryArgs = {
  stand: Standpoint;
  numbers: NumbersInForce;
  /** Oldest first, with the agent's own steps. */
  folded: readonly Message[];
  steps: ReadonlyMap<MessageId, Step>;
  /** What is sent beside the card whatever is folded: first request, pins, the request of the turn in progress. */
  staying: readonly Message[];
  /** The card that the new one is made over, never pages. */
  previous: MemoryRecord | null;
  focus: string | null;
  /** `none`: nothing may be sent to a model (L12, L16). `simple`: one call, whatever the settings say. */
  mode: 'auto' | 'simple' | 'none';
  /** Told where a worker is. */
  onWorker(worker: RunningPass['worker']): void;
};

export type Summary =
  | {
      type: 'card';
      body: MemoryBody;
      method: CardMethod;
      /** `providerId/modelId`. */
      model?: string | undefined;
      spent?: Receipt['spent'];
      cost?: number | undefined;
      /** Why the model's own answers were not used; with `deterministic` the last of them is why that one stands in. */
      refused: string[];
    }
  | { type: 'stopped' };

/** Never rejects for what a model does. */
export type Summarize = (args: SummaryArgs, signal: AbortSignal) => Promise<Summary>;

export type Place = { conversationId: ConversationId; agentId: AgentId };

/** What fired, and what the pass must get under. `line` in tokens or bytes of `measure`; null by hand. */
export type PassOrder = {
  trigger: Receipt['trigger'];
  measure: 'tokens' | 'bytes';
  line: number | null;
  /** The rungs it may use, in order (L1). */
  rungs: readonly Rung[];
  /** A named or guided pass goes on to the summary also where less would do. */
  isThorough: boolean;
  mode: SummaryArgs['mode'];
  focus: string | null;
};

/** `stand`: with the record. `standIn`: the card was made without a model because that one failed (L12). */
export type PassResult =
  | { type: 'committed'; stand: Standpoint; record: MemoryRecord; failures: RungFailure[]; standIn: boolean }
  | { type: 'nothing'; why: 'nothing' | 'already'; failures: RungFailure[] }
  | { type: 'failed'; failures: RungFailure[] }
  /** What it was made for is gone or another (L11): no trace is left. `rung`: what was made, a summary where it is left out. */
  | { type: 'discarded'; rung?: 'snapshot' }
  | { type: 'stopped' };
