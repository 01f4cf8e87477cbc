// The provider-neutral request and the events that come back: the one shape inside, converted at the edge once.

import type { AgentParameters } from './agent';
import type { Failure } from './failure';
import type { BlobHash } from './ids';
import type { Usage } from './message';
import type { ModelInfo } from './provider';

/** Whose opaque data it is: only a model of that family is sent it back. `openrouter` is the dialect of gateways: the details name their model. */
const vendorFamilies = ['openai', 'gemini', 'openrouter'] as const;
export type VendorFamily = (typeof vendorFamilies)[number];

/** False for a family that this program does not know: there is nobody to send its data to. */
export function isVendorFamily(family: string): family is VendorFamily {
  return vendorFamilies.some((known) => known === family);
}

/**
 * What a provider wants back exactly as it came, kept as JSON text: a whole reasoning item of the Responses API,
 * `{"thoughtSignature":"…"}` (and the `id` of a call) of Gemini, or `{"model":"…","details":[…]}` with the `reasoning_details` of a
 * gateway. Never read elsewhere, never changed.
 */
export type VendorData = { family: VendorFamily; json: string };

/** Width and height in pixels, for counting only: they are not sent. */
export type ImageRequestPart = {
  type: 'image';
  hash: BlobHash;
  mime: string;
  name: string;
  width?: number | undefined;
  height?: number | undefined;
  /** A page of a memory (S1): it says nothing without the others. */
  page?: true | undefined;
};

export type ToolCallRequestPart = {
  type: 'toolCall';
  callId: string;
  name: string;
  /** JSON text of an object, as the model wrote it; text that is none is never sent back (P6). */
  arguments: string;
  vendor?: VendorData | undefined;
};

export type ToolResultRequestPart = {
  type: 'toolResult';
  callId: string;
  name: string;
  content: string;
  isError: boolean;
  images?: ImageRequestPart[] | undefined;
};

export type RequestPart =
  | { type: 'text'; text: string; vendor?: VendorData | undefined }
  | ImageRequestPart
  /** Sent back only where the model's policy asks for it. */
  | { type: 'reasoning'; text: string; source?: string | undefined; vendor?: VendorData | undefined }
  | ToolCallRequestPart
  | ToolResultRequestPart
  /** An item of its own in the answer, in its place among the parts. */
  | { type: 'vendor'; vendor: VendorData };

/**
 * `tool` messages hold the results of the calls in the assistant message before them. A `system` message is Bough's own word at its place
 * among the others, in words alone: adapters send it as the user's where a provider does not take it there (L8).
 */
export type RequestMessage = { role: 'system' | 'user' | 'assistant' | 'tool'; parts: RequestPart[] };

export type ToolDefinition = {
  name: string;
  description: string;
  /** JSON schema of the arguments: an object. */
  inputSchema: Record<string, unknown>;
};

export type ModelRequest = {
  /** The provider's own model id. */
  modelId: string;
  system: string;
  messages: RequestMessage[];
  parameters: AgentParameters;
  /** What the model may call; without it a call is no part of an answer. */
  tools?: ToolDefinition[] | undefined;
  /** Which reasoning parts go back as text. Unset: all that are in the list. `withTools`: those of turns in which tools were called. */
  reasoningEcho?: ModelInfo['reasoningEcho'];
  /** Pictures that this model's provider refused before: their places say so (P7). */
  leaveOut?: ReadonlySet<BlobHash> | undefined;
  /** How many pictures a request may hold where that is known; the newest stay (P7). */
  maxImages?: number | undefined;
  /** The window as it is known for this model (L7): tells an answer that is empty because there was no room from one that is merely empty (P4). */
  contextWindow?: number | undefined;
};

/** What a count of tokens gives away (P4). `truncated`: the server read far less than was sent; `overWindow`: it read more than the window. */
export type UsageSign = 'truncated' | 'overWindow';

/** Why the model stopped; `other` keeps the provider's word in `detail`. */
export type FinishReason = 'stop' | 'length' | 'filtered' | 'toolCalls' | 'other';

/** One whole call. `index` counts the calls of this answer from 0; `callId` is unique within the answer, made up where the server gave none. */
export type ToolCallEvent = {
  type: 'toolCall';
  index: number;
  callId: string;
  name: string;
  /** JSON text; `{}` for none. */
  arguments: string;
  /** Whether `arguments` is a JSON object. One that is not is never run: the model is told. */
  valid: boolean;
  vendor?: VendorData | undefined;
};

/**
 * One stream of events: `accepted` once the server answered, deltas, then exactly one of `done` and `failed`.
 * After `failed` what came before it stays valid (partial text). Usage may be repeated; the last one counts.
 * `toolCallStarted` and `toolCallDelta` are for display only; `toolCall` says the call whole, and may run once `done` came.
 */
export type ProviderEvent =
  | { type: 'accepted' }
  | { type: 'text'; text: string }
  | { type: 'reasoning'; text: string; source: string }
  | { type: 'toolCallStarted'; index: number; name: string }
  /** `name` as far as it is known, `text` the next piece of the arguments. */
  | { type: 'toolCallDelta'; index: number; name: string; text: string }
  | ToolCallEvent
  /** Opaque data of the text or reasoning that came last (also when that is empty), or an item of its own at this place. */
  | { type: 'vendor'; on: 'text' | 'reasoning' | 'item'; vendor: VendorData }
  | { type: 'usage'; usage: Usage; sign?: UsageSign | undefined }
  | { type: 'done'; finish: FinishReason; detail?: string | undefined }
  /** `images`: with code `imageRefused`, those that may be to blame: the same request may be sent once more with them in `leaveOut`. */
  | { type: 'failed'; failure: Failure; images?: BlobHash[] | undefined };
