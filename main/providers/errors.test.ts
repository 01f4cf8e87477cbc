import { describe, expect, it } from 'vitest';
import { FailureError, makeFailure } from '../../shared/model/failure';
import { failureFromProblem, failureFromThrown } from './errors';
import { makeRedactor } from './redact';

const plain = makeRedactor([]);
const of = (status: number | undefined, text: string | object, more: { headers?: Headers; hasKey?: boolean; now?: number } = {}) =>
  failureFromProblem({ status, text: typeof text === 'string' ? text : JSON.stringify(text), hasKey: true, model: 'm1', ...more }, plain);

describe('everything else', () => {
  it.each([
    [401, { error: { message: 'Unauthorized' } }, 'badKey', false],
    [400, { error: { message: 'API key not valid. Please pass a valid API key.' } }, 'badKey', false],
    [402, { error: { message: 'Insufficient credits' } }, 'quota', false],
    [
      429,
      { error: { message: 'You exceeded your current quota, please check your plan and billing details.', code: 'insufficient_quota' } },
      'quota',
      false,
    ],
    [429, { error: { message: 'Too many requests' } }, 'rateLimited', true],
    [403, { error: { message: 'Country not supported' } }, 'forbidden', false],
    [
      404,
      { error: { message: 'The model `gpt-9` does not exist or you do not have access to it.', code: 'model_not_found' } },
      'unknownModel',
      false,
    ],
    [404, { error: { message: 'model "llama9" not found, try pulling it first' } }, 'unknownModel', false],
    [400, { error: { message: 'foo/bar is not a valid model ID' } }, 'unknownModel', false],
    [
      404,
      { error: { code: 404, message: 'models/gemini-9 is not found for API version v1beta', status: 'NOT_FOUND' } },
      'unknownModel',
      false,
    ],
    [404, '404 page not found', 'badUrl', false],
    [405, '{"detail":"Method Not Allowed"}', 'badUrl', false],
    [
      400,
      { error: { message: 'The response was filtered due to the prompt triggering content management policy', code: 'content_filter' } },
      'refused',
      false,
    ],
    [422, { detail: [{ loc: ['body', 'messages'], msg: 'field required' }] }, 'badRequest', false],
    [408, 'Timed out reading request body', 'timeout', true],
    [500, 'oops', 'serverError', true],
    [503, { error: { code: 503, message: 'Loading model', type: 'unavailable_error' } }, 'serverError', true],
    [529, { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }, 'serverError', true],
  ])('P5: %s %o is %s', (status, text, code, retryable) => {
    expect(of(status, text)).toMatchObject({ code, retryable, detail: { status, model: 'm1' } });
  });

  it('P5: a 401 without a key says that one is needed', () => {
    expect(of(401, '', { hasKey: false }).code).toBe('noKey');
  });

  it('P5: the wait a provider asks for, in each of its forms', () => {
    const now = Date.parse('2026-01-01T00:00:00Z');
    const wait = (headers: Record<string, string>, text = '') => of(429, text, { headers: new Headers(headers), now }).detail?.retryAfterMs;
    expect(wait({ 'retry-after': '30' })).toBe(30_000);
    expect(wait({ 'retry-after': '1.5' })).toBe(1500);
    expect(wait({ 'retry-after': 'Thu, 01 Jan 2026 00:01:00 GMT' })).toBe(60_000);
    expect(wait({ 'retry-after': 'Wed, 31 Dec 2025 00:00:00 GMT' })).toBe(0);
    expect(wait({ 'retry-after-ms': '250', 'retry-after': '30' })).toBe(250);
    expect(wait({ 'retry-after': 'soon' })).toBeUndefined();
    expect(wait({})).toBeUndefined();
    expect(wait({}, 'Please try again in 6m0.5s.')).toBe(360_500);
    expect(wait({}, 'Please try again in 20ms.')).toBe(20);
    expect(wait({}, '{"details":[{"retryDelay":"36s"}]}')).toBe(36_000);
  });

  it('P5: what fetch throws', () => {
    const cause = (code: string) => new TypeError('fetch failed', { cause: Object.assign(new Error(`x ${code}`), { code }) });
    const code = (error: unknown, streaming = false) => failureFromThrown(error, { streaming }).code;
    expect(code(cause('ENOTFOUND'))).toBe('unreachable');
    expect(code(cause('ECONNREFUSED'))).toBe('unreachable');
    expect(
      code(new TypeError('fetch failed', { cause: new AggregateError([Object.assign(new Error('no'), { code: 'ECONNREFUSED' })]) })),
    ).toBe('unreachable');
    expect(code(cause('UND_ERR_CONNECT_TIMEOUT'))).toBe('unreachable');
    expect(code(cause('DEPTH_ZERO_SELF_SIGNED_CERT'))).toBe('unreachable');
    expect(code(cause('ECONNRESET'))).toBe('connectionLost');
    expect(code(new TypeError('terminated', { cause: new Error('other side closed') }), true)).toBe('connectionLost');
    expect(code(new TypeError('Failed to parse URL from x'))).toBe('badUrl');
    expect(code(new RangeError('a bug'))).toBe('internal');
    expect(code(new Error('outer', { cause: new FailureError(makeFailure('badKey', 'x')) }))).toBe('badKey');
  });
});

describe('keys', () => {
  it('Z3: a key is cut out of texts, encoded or not, and so is what looks like one', () => {
    const key = 'my+secret/key=42';
    const redact = makeRedactor([key, null, '']);
    for (const text of [key, `a ${encodeURIComponent(key)} b`, JSON.stringify({ key }), `Basic ${Buffer.from(key).toString('base64')}`]) {
      for (const form of [key, encodeURIComponent(key), Buffer.from(key).toString('base64')]) expect(redact(text)).not.toContain(form);
    }
    expect(plain('Incorrect API key provided: sk-proj-abc***xyz.')).toBe('Incorrect API key provided: [key].');
    expect(plain('Authorization: Bearer abcdef123456')).not.toContain('abcdef');
    expect(plain('GET /models?key=AIzaSyA1234567890 failed')).not.toContain('AIza');
    expect(plain('"x-goog-api-key": "abc12345"')).not.toContain('abc12345');
    expect(plain('The key question is: which monkey took the token count?')).toBe(
      'The key question is: which monkey took the token count?',
    );
  });

  it('Z3: no part of a failure holds the key, address included', () => {
    const key = 'topsecretvalue';
    const failure = failureFromProblem(
      { status: 400, text: `no ${key}`, url: `https://u:${key}@host/v1?key=${key}`, hasKey: true },
      makeRedactor([key]),
    );
    expect(JSON.stringify(failure)).not.toContain(key);
    expect(
      JSON.stringify(
        failureFromThrown(new TypeError(`Invalid URL ${key}`), { streaming: false, url: `http://${key}` }, makeRedactor([key])),
      ),
    ).not.toContain(key);
  });
});
