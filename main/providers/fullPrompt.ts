// P4: the ways a server hides that a request did not fit: it answers nothing, or reads only the end of what was sent. Pure.
import { type Failure, makeFailure } from '../../shared/model/failure';
import type { Usage } from '../../shared/model/message';
import type { ModelRequest, ProviderEvent, RequestPart, UsageSign } from '../../shared/model/request';

/** Below this a count proves nothing: small windows are cut to more, and old servers do not count what they have cached. */
const leastReported = 500;
const clearlyLess = 0.6;

/**
 * Whether a server cut the front of a prompt without a word (Ollama: the count is about half its window). `estimated` must be a low estimate:
 * see `tokensAtLeast`. `window` as far as it is known: a count at half or at all of it is a sign by itself.
 */
export function looksTruncated({
  reported,
  estimated,
  window,
}: {
  reported: number;
  estimated: number;
  window?: number | undefined;
}): boolean {
  if (reported < leastReported || reported >= estimated) return false;
  if (reported < estimated * clearlyLess) return true;
  return window !== undefined && (near(reported, window / 2) || near(reported, window));
}

function near(count: number, target: number): boolean {
  return Math.abs(count - target) <= 16;
}

/** Tokens that the text of a request takes in any tokenizer we know of, and no more: long runs of one character shrink to almost nothing. */
export function tokensAtLeast(request: Pick<ModelRequest, 'system' | 'messages'>): number {
  const parts = request.messages.flatMap((message) => message.parts);
  return [request.system, ...parts.map(textOf)].reduce((sum, text) => sum + leastTokens(text), 0);
}

function textOf(part: RequestPart): string {
  if (part.type === 'text') return part.text;
  if (part.type === 'toolCall') return part.arguments;
  return part.type === 'toolResult' ? part.content : '';
}

function leastTokens(text: string): number {
  let narrow = 0;
  let wide = 0;
  let before = -1;
  let beforeThat = -1;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code !== before || code !== beforeThat) {
      if (code >= 0x2e80) wide++;
      else narrow++;
    }
    beforeThat = before;
    before = code;
  }
  return Math.floor(narrow / 5.5 + wide / 2.2);
}

export type Heard = { anything: boolean; usage: Usage | null };

/** How full a window must be for an empty answer to be blamed on it. */
const full = 0.97;

/** The event that ends a stream, as what it means: an answer without a word, out of a full window, is an overflow. */
export function settleEnd(
  end: ProviderEvent,
  heard: Heard,
  { maxOutput, window }: { maxOutput?: number | undefined; window?: number | undefined },
): ProviderEvent {
  const read = heard.usage?.input ?? 0;
  if (heard.anything || (end.type !== 'done' && end.type !== 'failed')) return end;
  const isFull = window !== undefined && read >= window * full;
  // At its output limit before the first token: unless we set that limit, only the window can be it.
  const noRoom = end.type === 'done' && end.finish === 'length' && (heard.usage?.output ?? 0) <= 1 && maxOutput === undefined && read > 0;
  const isEmpty = (end.type === 'done' && end.finish === 'length') || (end.type === 'failed' && end.failure.code === 'emptyAnswer');
  return (isFull && isEmpty) || noRoom ? { type: 'failed', failure: noSpace(read, window) } : end;
}

function noSpace(size: number, window: number | undefined): Failure {
  return makeFailure('overflowTokens', 'The request filled the context window, so that there was no room for an answer.', {
    detail: { size, ...(window === undefined ? {} : { limit: window }) },
  });
}

/** How full a low estimate must find a window for a refusal without a word to be blamed on it. */
const nearlyFull = 0.75;

/** A bare 400 or 413 (Cerebras, Mistral's SDK) may mean tokens or bytes or anything: what was sent decides. */
export function settleRefusal(failure: Failure, request: ModelRequest, window: number | undefined): Failure {
  const isBare = (failure.code === 'badRequest' || failure.code === 'overflowBytes') && !failure.detail?.providerText;
  if (!isBare || failure.detail?.status === undefined || window === undefined) return failure;
  const size = tokensAtLeast(request);
  if (size < window * nearlyFull) return failure;
  return makeFailure('overflowTokens', 'The request does not fit in the context window of this model.', {
    detail: { ...failure.detail, size, limit: window },
  });
}

/** What a count gives away. `isLocalChat`: only local servers cut in silence. */
export function signOf(
  usage: Usage,
  estimated: number,
  { window, isLocalChat }: { window?: number | undefined; isLocalChat: boolean },
): UsageSign | undefined {
  if (isLocalChat && looksTruncated({ reported: usage.input, estimated, window })) return 'truncated';
  return window !== undefined && usage.input > window ? 'overWindow' : undefined;
}
