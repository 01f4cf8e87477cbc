// P5: which failures are tried again by themselves, how often, and after how long. Pure: the caller waits, shows it and can stop.
import type { Failure } from '../../shared/model/failure';

export type RetryPolicy = {
  maxAttempts: number;
  baseMs: number;
  maxMs: number /** A wait the server asks for beyond this ends the turn instead. */;
  maxServerWaitMs: number;
};

export const defaultRetryPolicy: RetryPolicy = { maxAttempts: 5, baseMs: 1000, maxMs: 30_000, maxServerWaitMs: 300_000 };

export type RetryDecision = { retry: true; afterMs: number } | { retry: false };

/**
 * `attempt` is the number of tries made so far (1 after the first failure); `sawText` whether part of an answer was already shown,
 * which is never thrown away by a silent retry. `random` in [0, 1) spreads the waits.
 */
export function decideRetry(
  failure: Failure,
  attempt: number,
  sawText: boolean,
  random: number,
  policy: RetryPolicy = defaultRetryPolicy,
): RetryDecision {
  if (failure.code !== 'rateLimited' && failure.code !== 'serverError') return { retry: false };
  if (sawText || attempt >= policy.maxAttempts) return { retry: false };
  const asked = failure.detail?.retryAfterMs;
  if (asked !== undefined && asked > policy.maxServerWaitMs) return { retry: false };
  const backOff = Math.min(policy.maxMs, policy.baseMs * 2 ** (attempt - 1)) * (0.75 + random / 4);
  return { retry: true, afterMs: Math.round(Math.max(asked ?? 0, backOff)) };
}
