// The provider-neutral request and the events that come back: the one shape inside, converted at the edge once.

import type { AgentParameters } from './agent';
import type { Failure } from './failure';
import type { BlobHash } from './ids';
import type { Usage } from './message';

export type RequestPart =
  | { type: 'text'; text: string }
  | { type: 'image'; hash: BlobHash; mime: string; name: string }
  /** Sent back only where the model's policy asks for it. */
  | { type: 'reasoning'; text: string; source?: string | undefined };

export type RequestMessage = { role: 'user' | 'assistant'; parts: RequestPart[] };

export type ModelRequest = {
  /** The provider's own model id. */
  modelId: string;
  system: string;
  messages: RequestMessage[];
  parameters: AgentParameters;
};

/** Why the model stopped; `other` keeps the provider's word in `detail`. */
export type FinishReason = 'stop' | 'length' | 'filtered' | 'toolCalls' | 'other';

/**
 * One stream of events: `accepted` once the server answered, deltas, then exactly one of `done` and `failed`.
 * After `failed` what came before it stays valid (partial text). Usage may be repeated; the last one counts.
 */
export type ProviderEvent =
  | { type: 'accepted' }
  | { type: 'text'; text: string }
  | { type: 'reasoning'; text: string; source: string }
  | { type: 'usage'; usage: Usage }
  | { type: 'done'; finish: FinishReason; detail?: string | undefined }
  | { type: 'failed'; failure: Failure };
