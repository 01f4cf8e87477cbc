// What Bough knows of a provider and its models. Keys are not here: they are secrets (W3).
import * as z from 'zod/mini';
import { type BlobHash, type ProviderId, providerId } from './ids';

export const providerKinds = ['openai-chat', 'openai-responses', 'gemini', 'demo'] as const;
export type ProviderKind = (typeof providerKinds)[number];

/** Facts about one model. A missing number is unknown, never zero; tokens, and US dollars per million tokens. */
export type ModelInfo = {
  id: string;
  name?: string | undefined;
  contextWindow?: number | undefined;
  maxOutput?: number | undefined;
  vision?: boolean | undefined;
  reasoning?: boolean | undefined;
  tools?: boolean | undefined;
  inputPrice?: number | undefined;
  outputPrice?: number | undefined;
  /** What input costs that the provider still had in its cache. */
  cachedInputPrice?: number | undefined;
  /** The largest body of a request, in bytes (L14). */
  bodyLimit?: number | undefined;
  /** Pictures that a request may hold (P7). */
  maxImages?: number | undefined;
  /** Which of the catalogue's prices of images is the model's (S3). */
  imageRule?: string | undefined;
  /** Whether reasoning text is sent back: most models want none, some require it. */
  reasoningEcho?: 'never' | 'always' | 'withTools' | undefined;
  /** Pictures of pages that its server could not read (S10): known while the program runs, never stored. */
  unreadPages?: ReadonlySet<BlobHash> | undefined;
};

export type ProviderConfig = {
  id: ProviderId;
  name: string;
  kind: ProviderKind;
  baseUrl?: string | undefined;
  /** As found in settings.json: a literal key, or `${ENV_NAME}`. Keys entered in the window are kept elsewhere, encrypted. */
  apiKey?: string | undefined;
  /** Extra request headers. */
  headers?: Record<string, string> | undefined;
  /** Numbers and models the user states; they win over the server's list and the catalogue. */
  models: ModelInfo[];
  /** false when a server refuses `stream_options.include_usage`. */
  includeUsage?: boolean | undefined;
};

const price = z.optional(z.number().check(z.minimum(0)));
const tokens = z.optional(z.int().check(z.minimum(1)));
export const modelInfoSchema = z.object({
  id: z.string().check(z.minLength(1)),
  name: z.optional(z.string()),
  contextWindow: tokens,
  maxOutput: tokens,
  vision: z.optional(z.boolean()),
  reasoning: z.optional(z.boolean()),
  tools: z.optional(z.boolean()),
  inputPrice: price,
  outputPrice: price,
  cachedInputPrice: price,
  bodyLimit: tokens,
  maxImages: tokens,
  imageRule: z.optional(z.string()),
  reasoningEcho: z.optional(z.enum(['never', 'always', 'withTools'])),
});

export const providerConfigSchema = z.object({
  id: providerId,
  name: z.string().check(z.minLength(1), z.maxLength(80)),
  kind: z.enum(providerKinds),
  baseUrl: z.optional(z.string()),
  apiKey: z.optional(z.string()),
  headers: z.optional(z.record(z.string(), z.string())),
  models: z._default(z.array(modelInfoSchema), () => []),
  includeUsage: z.optional(z.boolean()),
});

/** Where a provider's key comes from, for the window, which never sees the key itself. */
export type KeySource = 'none' | 'keychain' | 'plain' | 'session' | 'environment' | 'settingsFile';

/** A number that a provider's refusal named, and when: Unix time in milliseconds. `listed`: what its list of models said then. */
export type LearnedNumber = { value: number; at: number; listed?: number | undefined };
/** That its server takes no images, and when it said so; `listed`: whether its list of models said then that it sees. */
export type LearnedBlindness = { at: number; listed?: boolean | undefined };
/** `window` in tokens, `bodyLimit` in bytes, `maxImages` in one request. */
export type LearnedFacts = {
  window?: LearnedNumber | undefined;
  bodyLimit?: LearnedNumber | undefined;
  maxImages?: LearnedNumber | undefined;
  noImages?: LearnedBlindness | undefined;
};

/** What one refusal teaches, in the same units. */
export type Lesson = {
  window?: number | undefined;
  bodyLimit?: number | undefined;
  maxImages?: number | undefined;
  noImages?: true | undefined;
};

/** A model as offered for choice: merged from user numbers, the server's list, the catalogue and what refusals taught (L7). */
export type OfferedModel = ModelInfo & {
  ref: string;
  providerId: ProviderId;
  providerName: string;
  demo: boolean;
  learned?: LearnedFacts | undefined;
};
