// The fact file of failures: what servers answer, and what libraries throw, as one Failure with a code.
// Order matters (P4): 429 first, then overflow, only then everything that could be retried.
import { type Failure, type FailureCode, type FailureDetail, FailureError, makeFailure } from '../../shared/model/failure';
import { withoutSecrets } from './baseUrl';
import { type ErrorBody, readErrorBody } from './errorBody';
import { isImageRefusal, readImageCount } from './imageRefusal';
import { readOverflow } from './overflow';
import { makeRedactor, type Redact } from './redact';
import { readRetryAfter } from './retryAfter';
import { isToolRefusal } from './toolRefusal';
import { isVisionRefusal } from './visionRefusal';

/** An answer that is an error: by its status, or by its body under 200 (then `status` is what the body claims, if anything). */
export type Problem = {
  status?: number | undefined;
  headers?: Headers | undefined;
  /** The body as it came. */
  text: string;
  url?: string | undefined;
  /** Whether a key was sent: a 401 without one means that one is needed. */
  hasKey: boolean;
  model?: string | undefined;
  now?: number | undefined;
  /** Bytes of the body that was sent, where it is known. */
  sentBytes?: number | undefined;
};

const maxText = 4000;

export function failureFromProblem(problem: Problem, redact: Redact): Failure {
  const body = readErrorBody(problem.text);
  const status = problem.status ?? body.status;
  const flat = `${body.message}\n${body.code}\n${body.type}\n${problem.text}`;
  const [code, message] = classify(status, flat, body, problem);
  const overflow = code === 'overflowTokens' || code === 'overflowBytes' ? readOverflow(flat, status) : null;
  const retryAfterMs = readRetryAfter(problem.headers, problem.text, problem.now ?? Date.now());
  const detail: FailureDetail = {
    ...(status === undefined ? {} : { status }),
    ...(body.message ? { providerText: redact(body.message).slice(0, maxText) } : {}),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(overflow?.window === undefined ? {} : { contextWindow: overflow.window }),
    ...(code === 'overflowTokens' && overflow?.size !== undefined ? { size: overflow.size } : {}),
    ...(code === 'imageRefused' ? countOf(ownWords(body, flat)) : {}),
    ...(code === 'overflowBytes' ? bytesOf(problem, overflow?.bodyLimit) : {}),
    ...(problem.model ? { model: problem.model } : {}),
    ...(problem.url ? { url: redact(withoutSecrets(problem.url)) } : {}),
  };
  return makeFailure(code, message, { retryable: retryable.has(code), detail });
}

/** What was sent, and what may be. */
function bytesOf({ sentBytes }: Problem, limit: number | undefined): FailureDetail {
  return { ...(sentBytes === undefined ? {} : { size: sentBytes }), ...(limit === undefined ? {} : { limit }) };
}

function countOf(text: string): FailureDetail {
  const limit = readImageCount(text);
  return limit === undefined ? {} : { limit };
}

/** A server may repeat the request, or name its tools: only its own sentence counts. */
function ownWords({ message }: ErrorBody, flat: string): string {
  return message || flat.slice(0, 1000);
}

const retryable: ReadonlySet<FailureCode> = new Set([
  'rateLimited',
  'serverError',
  'timeout',
  'connectionLost',
  'unreachable',
  'emptyAnswer',
  'badResponse',
  // Without the picture, without any, without the tools.
  'imageRefused',
  'visionRefused',
  'toolsRefused',
]);

type Fact = [code: FailureCode, message: string];

function classify(status: number | undefined, flat: string, body: ErrorBody, problem: Problem): Fact {
  if (status === 429 || /rate.?limit|too_many_requests|RESOURCE_EXHAUSTED/i.test(`${body.code} ${body.type}`)) return limited(flat);
  const overflow = readOverflow(flat, status);
  const own = ownWords(body, flat);
  const refusesAll = isVisionRefusal(own, body.code);
  if (refusesAll && !overflow?.tokens) return ['visionRefused', 'This model, or its server, takes no images.'];
  // A picture that is too large says so in the words of an overflow.
  if (!refusesAll && isImageRefusal(flat, body)) return ['imageRefused', 'The provider could not use a picture in this request.'];
  if (overflow) {
    return overflow.bytes && !/context|token/i.test(flat)
      ? ['overflowBytes', 'The request is larger than the provider takes.']
      : ['overflowTokens', 'The request does not fit in the context window of this model.'];
  }
  if (isToolRefusal(own)) return ['toolsRefused', 'This model, or its server, takes no tools.'];
  return byText(flat, problem) ?? byStatus(status, problem);
}

function limited(flat: string): Fact {
  return /insufficient_quota|exceeded your current quota|billing|credit|spending limit|per ?day/i.test(flat) &&
    !/per ?minute|retryDelay/i.test(flat)
    ? ['quota', 'The quota or credit of this account is used up.']
    : ['rateLimited', 'The provider asks to slow down.'];
}

function byText(flat: string, problem: Problem): Fact | null {
  if (/invalid_api_key|API_KEY_INVALID|api key not valid|incorrect api key|invalid api key|authentication_error/i.test(flat)) {
    return problem.hasKey ? ['badKey', 'The provider does not accept this key.'] : ['noKey', 'This provider needs a key.'];
  }
  if (/insufficient_quota|insufficient (?:balance|credits)|payment required|billing_not_active/i.test(flat))
    return ['quota', 'The quota or credit of this account is used up.'];
  if (
    /model_not_found|model[^.\n]{0,120}(?:does not exist|not found|is not available|not loaded)|no such model|unknown model|invalid model|not a valid model|models\/\S+ is not found/i.test(
      flat,
    )
  ) {
    return ['unknownModel', 'The provider does not know this model.'];
  }
  if (/content_policy|content_filter|content management policy|safety system|PROHIBITED_CONTENT/i.test(flat))
    return ['refused', 'The provider refused this request because of its content.'];
  if (/unexpected endpoint|no route|unknown (?:url|endpoint|route)|invalid url \(/i.test(flat))
    return ['badUrl', 'Nothing answers under this base URL. Check the address and its path.'];
  return null;
}

function byStatus(status: number | undefined, problem: Problem): Fact {
  if (status === undefined) return ['serverError', 'The provider broke off with an error.'];
  if (status === 401)
    return problem.hasKey ? ['badKey', 'The provider does not accept this key.'] : ['noKey', 'This provider needs a key.'];
  if (status === 402) return ['quota', 'The quota or credit of this account is used up.'];
  if (status === 403) return ['forbidden', 'This key may not use this model or service.'];
  if (status >= 300 && status < 400)
    return ['badUrl', 'The server sends requests on to another address. Use that address as the base URL.'];
  if (status === 404 || status === 405) return ['badUrl', 'Nothing answers under this base URL. Check the address and its path.'];
  if (status === 408) return ['timeout', 'The provider stopped waiting for the request.'];
  if (status === 413) return ['overflowBytes', 'The request is larger than the provider takes.'];
  if (status >= 500) return ['serverError', 'The provider has a problem of its own.'];
  return ['badRequest', 'The provider did not take the request.'];
}

/** What fetch or a library threw. `streaming` tells a connection that was never made from one that was lost. */
export function failureFromThrown(
  error: unknown,
  context: { streaming: boolean; url?: string | undefined },
  redact: Redact = makeRedactor([]),
): Failure {
  const chain = causes(error);
  for (const link of chain) if (link instanceof FailureError) return link.failure;
  const words = redact(
    chain
      .map((link) => (link instanceof Error ? link.message : String(link)))
      .filter(Boolean)
      .join(': '),
  ).slice(0, maxText);
  const codes = chain.map((link) => (link instanceof Error && 'code' in link ? String(link.code) : ''));
  const detail: FailureDetail = { providerText: words, ...(context.url ? { url: redact(withoutSecrets(context.url)) } : {}) };
  const made = (code: FailureCode, message: string) => makeFailure(code, message, { retryable: retryable.has(code), detail });
  if (codes.some((code) => /^(ENOTFOUND|EAI_AGAIN)$/.test(code)))
    return made('unreachable', 'The server’s name was not found. Check the base URL and the network.');
  if (codes.some((code) => /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ENETDOWN|EADDRNOTAVAIL)$/.test(code)))
    return made('unreachable', 'Nothing answers at this address. Is the server running?');
  if (codes.includes('UND_ERR_CONNECT_TIMEOUT') || codes.includes('ETIMEDOUT'))
    return made('unreachable', 'The server did not answer the connection.');
  if (codes.some((code) => /CERT|TLS|SSL|SELF_SIGNED/.test(code))) return made('unreachable', 'The server’s certificate is not accepted.');
  if (chain.some((link) => link instanceof TypeError && /invalid url|failed to parse url|unknown scheme|bad port/i.test(link.message))) {
    return made('badUrl', 'The base URL is not a web address. It looks like https://host/v1.');
  }
  if (isNetworkError(chain, codes))
    return made(
      'connectionLost',
      context.streaming ? 'The connection was lost before the answer was complete.' : 'The connection was lost before an answer came.',
    );
  return made('internal', 'Something went wrong inside Bough while it talked to the provider.');
}

function isNetworkError(chain: unknown[], codes: string[]): boolean {
  return (
    codes.some((code) => /^(ECONNRESET|EPIPE|ECONNABORTED|HPE_|UND_ERR_)/.test(code)) ||
    chain.some(
      (link) =>
        link instanceof Error &&
        /^(terminated|fetch failed|premature close|socket hang up|other side closed|network error)$/i.test(link.message),
    )
  );
}

function causes(error: unknown): unknown[] {
  const chain: unknown[] = [];
  for (let link = error; link !== undefined && link !== null && chain.length < 8 && !chain.includes(link); ) {
    chain.push(link);
    if (link instanceof AggregateError && link.errors.length > 0) chain.push(link.errors[0]);
    link = link instanceof Error ? link.cause : undefined;
  }
  return chain;
}
