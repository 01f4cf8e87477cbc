import fc from 'fast-check';
import { expect, it } from 'vitest';
import { failureCodes, makeFailure } from '../../shared/model/failure';
import { decideRetry, defaultRetryPolicy } from './retry';

const limited = (retryAfterMs?: number) => makeFailure('rateLimited', 'x', retryAfterMs === undefined ? {} : { detail: { retryAfterMs } });

it('P5: only rate limits and server errors are tried again', () => {
  expect(failureCodes.filter((code) => decideRetry(makeFailure(code, 'x', { retryable: true }), 1, false, 0).retry)).toEqual([
    'rateLimited',
    'serverError',
  ]);
});

it('P5: waits double, spread, up to a limit, and end', () => {
  const wait = (attempt: number, random = 0.999_999) => decideRetry(limited(), attempt, false, random);
  expect([1, 2, 3, 4].map((attempt) => wait(attempt))).toEqual([1000, 2000, 4000, 8000].map((afterMs) => ({ retry: true, afterMs })));
  expect(wait(1, 0)).toEqual({ retry: true, afterMs: 750 });
  expect(wait(defaultRetryPolicy.maxAttempts)).toEqual({ retry: false });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 50 }), fc.double({ min: 0, max: 0.999, noNaN: true }), (attempt, random) => {
      const decision = decideRetry(limited(), attempt, false, random, { ...defaultRetryPolicy, maxAttempts: 100 });
      expect(decision.retry && decision.afterMs).toBeLessThanOrEqual(defaultRetryPolicy.maxMs);
    }),
  );
});

it('P5: the server’s own wait is kept, unless it is too long to sit through', () => {
  expect(decideRetry(limited(20_000), 1, false, 0)).toEqual({ retry: true, afterMs: 20_000 });
  expect(decideRetry(limited(10), 1, false, 0)).toEqual({ retry: true, afterMs: 750 });
  expect(decideRetry(limited(3_600_000), 1, false, 0)).toEqual({ retry: false });
});

it('P5: text that was shown is never thrown away by a retry', () => {
  expect(decideRetry(limited(), 1, true, 0)).toEqual({ retry: false });
});
