// The fetch that both SDKs are given: whatever a server sends becomes a clean event stream, or the failure it means is thrown.
// Why: docs/decisions/002-one-wire-for-all-providers.md

import { FailureError, makeFailure } from '../../shared/model/failure';
import { parseJson } from '../lib/parseJson';
import { withoutSecrets } from './baseUrl';
import { type BodyContext, BodyDecoder, hasError, notAnAnswer, problem } from './body';
import { failureFromProblem } from './errors';

export type WireOptions = Omit<BodyContext, 'url'> & { /** Bytes arrived. */ pulse?: (() => void) | undefined };

export type Wire = {
  fetch: typeof fetch;
  /** How the last streamed body ended: by `[DONE]` or as a whole document, or with the body; null while it runs. */
  ended(): 'done' | 'body' | null;
};

const maxErrorBytes = 256 * 1024;

export function makeWire(options: WireOptions): Wire {
  let decoder: BodyDecoder | null = null;
  const wireFetch: typeof fetch = async (input, init) => {
    requireKey(input, options);
    const response = await fetch(input, withoutLimits({ ...init, redirect: 'manual' }));
    options.pulse?.();
    const context = { ...options, url: urlOf(response, input) };
    if (!response.ok) throw await failureOf(response, context, sizeOf(init));
    const declared = response.headers.get('content-type')?.includes('event-stream') ?? false;
    decoder = new BodyDecoder({ ...context, declared });
    const events = cleanEvents(response, decoder, options.pulse);
    return new Response(streamOf(events), { status: response.status, headers: { 'content-type': 'text/event-stream' } });
  };
  return { fetch: wireFetch, ended: () => decoder?.ended ?? null };
}

/** For answers that are one JSON document (model lists). */
export function makePlainFetch(options: WireOptions): typeof fetch {
  return async (input, init) => {
    requireKey(input, options);
    const response = await fetch(input, { ...init, redirect: 'manual' });
    const context = { ...options, url: urlOf(response, input) };
    if (!response.ok) throw await failureOf(response, context);
    const text = await response.text();
    const value = parseJson(text);
    if (value === undefined) throw notAnAnswer(text, context);
    if (hasError(value)) throw problem(text, context);
    return new Response(text, { status: response.status, headers: { 'content-type': 'application/json' } });
  };
}

/** Services that answer nobody without a key: that is said before anything is sent. */
const keyed = ['api.openai.com', 'generativelanguage.googleapis.com'];

/** Throws `noKey`. */
function requireKey(input: Parameters<typeof fetch>[0], { hasKey }: WireOptions): void {
  const url = new URL(input instanceof Request ? input.url : input);
  if (!hasKey && keyed.includes(url.hostname)) throw new FailureError(makeFailure('noKey', 'This provider needs a key.'));
}

function urlOf(response: Response, input: Parameters<typeof fetch>[0]): string {
  return response.url || String(input instanceof Request ? input.url : input);
}

/** Both SDKs send text. */
function sizeOf(init: RequestInit | undefined): number | undefined {
  return typeof init?.body === 'string' ? Buffer.byteLength(init.body) : undefined;
}

async function failureOf(response: Response, context: BodyContext, sentBytes?: number): Promise<FailureError> {
  const text = await readText(response, maxErrorBytes);
  const location = response.headers.get('location');
  const said = location ? `The server redirects to ${withoutSecrets(location)}` : text;
  const { url, hasKey, model, redact } = context;
  return new FailureError(
    failureFromProblem({ status: response.status, headers: response.headers, text: said, url, hasKey, model, sentBytes }, redact),
  );
}

/** The events of each packet together. */
async function* cleanEvents(response: Response, body: BodyDecoder, pulse: (() => void) | undefined): AsyncGenerator<string[]> {
  const decoder = new TextDecoder();
  for await (const bytes of bytesOf(response)) {
    pulse?.();
    yield body.push(decoder.decode(bytes, { stream: true }));
    body.check();
    // Some servers hold the connection after the last event.
    if (body.ended) return;
  }
  yield [...body.push(decoder.decode()), ...body.end()];
  body.check();
}

async function* bytesOf(response: Response): AsyncGenerator<Uint8Array> {
  const reader = response.body?.getReader();
  if (!reader) return;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    // Leaving early frees the connection. A body that broke rejects here with the error that the read has already thrown.
    reader.cancel().catch(() => undefined);
  }
}

async function readText(response: Response, limit: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  for await (const bytes of bytesOf(response)) {
    size += bytes.length;
    text += decoder.decode(bytes, { stream: true });
    if (size >= limit) break;
  }
  return text;
}

/** No high-water mark: an error must not overtake events that wait in a queue. */
function streamOf(packets: AsyncGenerator<string[]>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        for (;;) {
          const { done, value } = await packets.next();
          if (done) return controller.close();
          if (value.length === 0) continue;
          return controller.enqueue(encoder.encode(value.map((event) => `data: ${event.replace(/\r?\n/g, ' ')}\n\n`).join('')));
        }
      },
      async cancel() {
        await packets.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}

const globalDispatcher = Symbol.for('undici.globalDispatcher.1');

/**
 * Node's fetch gives up after 300 s without headers or bytes; how long to wait is decided in timeouts.ts instead.
 * `reset`: each request has a connection of its own. A kept one may have died in the meantime (sleep, NAT, a restarted server).
 */
function withoutLimits(init: RequestInit): RequestInit {
  const dispatch = (dispatchOptions: object, handler: unknown): unknown => {
    const target: unknown = Reflect.get(globalThis, globalDispatcher);
    if (typeof target !== 'object' || target === null || !('dispatch' in target) || typeof target.dispatch !== 'function') {
      throw new TypeError('fetch failed: this runtime has no dispatcher');
    }
    return target.dispatch({ ...dispatchOptions, headersTimeout: 0, bodyTimeout: 0, reset: true }, handler);
  };
  const withDispatcher: RequestInit & { dispatcher: unknown } = { ...init, dispatcher: { dispatch } };
  return withDispatcher;
}
