// The frame all dialects over HTTP share: address, key, guard, and the second try without what a server refused.
import { FailureError, makeFailure } from '../../shared/model/failure';
import type { ModelRequest, ProviderEvent } from '../../shared/model/request';
import { type Adjustment, AdjustmentMemory, type Adjustments, nextAdjustment } from './adjust';
import { normalizeBaseUrl, withVersion } from './baseUrl';
import { failureFromThrown } from './errors';
import { guardStream } from './guard';
import { withoutPictures } from './pictures/leaveOut';
import { pictureLimits } from './pictures/readers';
import type { Connection } from './port';
import { type Redact, redactorOf } from './redact';
import { repairMessages } from './repair';
import { hasKey } from './sendableKey';
import { placeSystem } from './systemRole';
import { timeoutsFor } from './timeouts';
import { watchAnswer, withPictures } from './watchAnswer';
import { makeWire, type Wire } from './wire';

export type Attempt = {
  request: ModelRequest;
  connection: Connection;
  baseUrl: string;
  wire: Wire;
  signal: AbortSignal;
  applied: Adjustments;
};

export type Dialect = {
  /** The adjustments that would change this request. */
  usable(request: ModelRequest, connection: Connection, baseUrl: string): Adjustment[];
  /** Throws when the server does not accept the request; yields `accepted` first. */
  run(attempt: Attempt): AsyncGenerator<ProviderEvent>;
};

const memory = new AdjustmentMemory();
const maxAttempts = 5;

export function streamWith(
  dialect: Dialect,
  request: ModelRequest,
  connection: Connection,
  signal: AbortSignal,
): AsyncGenerator<ProviderEvent> {
  const redact = redactorOf(connection);
  const url = connection.provider.baseUrl;
  const timeouts = timeoutsFor(url ?? '', connection.timeouts);
  return guardStream({ signal, timeouts, redact, url }, async function* (context) {
    const { count } = pictureLimits(request.modelId, connection.provider);
    const placed = { ...request, messages: placeSystem(request.messages, connection.provider) };
    const messages = repairMessages(withoutPictures(placed, request.maxImages ?? count));
    if (messages.length === 0) throw new FailureError(makeFailure('badRequest', 'There is nothing to send.'));
    const wire = makeWire({ redact, hasKey: hasKey(connection), model: request.modelId, pulse: context.pulse });
    const whole = { ...request, messages };
    yield* watchAnswer(whole, connection, attempts(dialect, { request: whole, connection, wire, signal: context.signal }, redact));
  });
}

async function* attempts(dialect: Dialect, base: Omit<Attempt, 'baseUrl' | 'applied'>, redact: Redact): AsyncGenerator<ProviderEvent> {
  const { request, connection } = base;
  const baseUrl = normalizeBaseUrl(connection.provider.kind, connection.provider.baseUrl);
  // Gemini's library puts the version into the path by itself.
  const versioned = connection.provider.kind === 'gemini' ? null : withVersion(baseUrl);
  const usable = new Set<Adjustment>([...dialect.usable(request, connection, baseUrl), ...(versioned ? (['withVersion'] as const) : [])]);
  const key = `${connection.provider.kind} ${baseUrl} ${request.modelId}`;
  const applied = memory.get(key);
  for (let attempt = 1; ; attempt += 1) {
    const address = applied.has('withVersion') && versioned ? versioned : baseUrl;
    const progress = { accepted: false };
    try {
      yield* watched(dialect.run({ ...base, baseUrl: address, applied }), progress, () => keep(key, applied, connection, versioned));
      return;
    } catch (error) {
      const failure = withPictures(request, failureFromThrown(error, { streaming: progress.accepted, url: address }, redact));
      const next = progress.accepted || attempt >= maxAttempts ? null : nextAdjustment(failure, usable, applied);
      if (!next) throw new FailureError(failure);
      applied.add(next);
    }
  }
}

/** Passes events on and notes when the server accepts the request. */
async function* watched(
  events: AsyncGenerator<ProviderEvent>,
  progress: { accepted: boolean },
  onAccepted: () => void,
): AsyncGenerator<ProviderEvent> {
  for await (const event of events) {
    if (event.type === 'accepted') {
      progress.accepted = true;
      onAccepted();
    }
    yield event;
  }
}

function keep(key: string, applied: Adjustments, connection: Connection, versioned: string | null): void {
  memory.keep(key, applied);
  if (applied.has('noUsageOption') && connection.provider.includeUsage !== false)
    connection.onLearned?.({ type: 'includeUsage', value: false });
  if (applied.has('withVersion') && versioned) connection.onLearned?.({ type: 'baseUrl', value: versioned });
}
