// The numbers of the ladder (L, M): what the user may set, their defaults, and what is in force for a window (L21).
import * as z from 'zod/mini';

/** A share of the window (≤ 1) or tokens (> 1); null switches that trigger off. */
export type Threshold = number | null;

/** Tokens, unless said otherwise. */
export type CompactionNumbers = {
  /** L6a: when a turn starts. */
  threshold: Threshold;
  /** L6b: between steps. */
  requestThreshold: Threshold;
  /** L6c: bytes of the serialized request. */
  maxRequestBytes: number;
  /** L8: the tail. */
  retainedTokens: number;
  retainedBytes: number;
  /** Steps of the tail once `retainedEnough` tokens are held. */
  retainedSteps: number;
  retainedEnough: number;
  /** L2, L3: the newest tokens, which are not touched. */
  protectTokens: number;
  /** L2: the least that is worth a rewritten prefix. */
  minSavings: number;
  /** L2: smaller results are left alone. */
  minResultTokens: number;
  /** L3: the newest images that stay at any age. */
  keepImages: number;
  /** M6: contents of files in the memory, and the rebuilt context without tail and pins. */
  autoReadTokens: number;
  rebuiltTokens: number;
  /** L4: `off` never makes pages; `auto` does where the model sees and they are cheaper than their text. */
  snapshotMode: 'auto' | 'off';
  /** M5: `auto` takes a worker where the agent has file tools and touched files. */
  summaryMode: 'auto' | 'simple' | 'worker';
  workerSteps: number;
  workerTokens: number;
  /** Left of `workerTokens` when it is told to finish, and when only its summary is taken. */
  workerWarning: number;
  workerReserve: number;
  /** L12: failed passes in a row that pause automatic ones. */
  failuresToPause: number;
  /** L13: share of the line that fired which a pass must end under. */
  recoveryShare: number;
};
export type CompactionSettings = { [K in keyof CompactionNumbers]?: CompactionNumbers[K] | undefined };

const KiB = 1024;
export const compactionDefaults: CompactionNumbers = {
  threshold: 0.7,
  requestThreshold: 0.85,
  maxRequestBytes: 8 * KiB * KiB,
  retainedTokens: 20_000,
  retainedBytes: 256 * KiB,
  retainedSteps: 8,
  retainedEnough: 8_000,
  protectTokens: 16_000,
  minSavings: 4_000,
  minResultTokens: 50,
  keepImages: 3,
  autoReadTokens: 8_000,
  rebuiltTokens: 24_000,
  snapshotMode: 'auto',
  summaryMode: 'auto',
  workerSteps: 20,
  workerTokens: 50_000,
  workerWarning: 8_000,
  workerReserve: 4_000,
  failuresToPause: 3,
  recoveryShare: 0.8,
};
/** M1, fixed: tokens and bytes of UTF-8 of a card. */
export const cardLimits = { target: 1_500, targetBytes: 6 * KiB, most: 3_000, mostBytes: 8 * KiB } as const;

const threshold = z.optional(z.nullable(z.number().check(z.positive())));
const tokens = z.optional(z.int().check(z.minimum(0)));
const count = z.optional(z.int().check(z.minimum(1)));
export const compactionSettingsSchema: z.ZodMiniType<CompactionSettings> = z.object({
  threshold,
  requestThreshold: threshold,
  maxRequestBytes: z.optional(z.int().check(z.minimum(64 * KiB))),
  retainedTokens: tokens,
  retainedBytes: z.optional(z.int().check(z.minimum(KiB))),
  retainedSteps: count,
  retainedEnough: tokens,
  protectTokens: tokens,
  minSavings: tokens,
  minResultTokens: tokens,
  keepImages: tokens,
  autoReadTokens: tokens,
  rebuiltTokens: tokens,
  snapshotMode: z.optional(z.enum(['auto', 'off'])),
  summaryMode: z.optional(z.enum(['auto', 'simple', 'worker'])),
  workerSteps: count,
  workerTokens: z.optional(z.int().check(z.minimum(4_000))),
  workerWarning: tokens,
  workerReserve: tokens,
  failuresToPause: count,
  recoveryShare: z.optional(z.number().check(z.positive(), z.maximum(1))),
});

/** Shares of the window that cap a number, also one the user set (L21). */
const caps: Partial<Record<keyof CompactionNumbers, number>> = {
  protectTokens: 0.15,
  retainedTokens: 0.2,
  retainedEnough: 0.2,
  minSavings: 0.03,
  autoReadTokens: 0.08,
  rebuiltTokens: 0.3,
};
const cardShare = 0.15;

/** In force for a window, null where it is not known. Lines are tokens; null for a trigger that is off or cannot be weighed. */
export type NumbersInForce = Omit<CompactionNumbers, 'threshold' | 'requestThreshold'> & {
  window: number | null;
  threshold: number | null;
  requestThreshold: number | null;
  cardTokens: number;
};

/** The later settings win: the user's, the workspace's, the agent's. */
export function chosenNumbers(settings: readonly CompactionSettings[]): CompactionNumbers {
  const chosen = { ...compactionDefaults };
  for (const one of settings)
    for (const [key, value] of Object.entries(one)) if (value !== undefined) Object.assign(chosen, { [key]: value });
  return chosen;
}

export function numbersInForce(settings: readonly CompactionSettings[], window: number | undefined): NumbersInForce {
  const chosen = chosenNumbers(settings);
  const line = (value: Threshold) =>
    value === null || window === undefined ? null : Math.floor(value <= 1 ? value * window : Math.min(value, window));
  const capped: Partial<Record<keyof CompactionNumbers, number>> = {};
  for (const [key, share] of Object.entries(caps)) {
    const value = chosen[key as keyof typeof caps];
    if (window !== undefined && typeof value === 'number') capped[key as keyof typeof caps] = Math.min(value, Math.floor(share * window));
  }
  return {
    ...chosen,
    ...capped,
    window: window ?? null,
    threshold: line(chosen.threshold),
    requestThreshold: line(chosen.requestThreshold),
    cardTokens: window === undefined ? cardLimits.most : Math.min(cardLimits.most, Math.floor(cardShare * window)),
  } as NumbersInForce;
}
