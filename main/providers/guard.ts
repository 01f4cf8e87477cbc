// Keeps the promise of the port for every adapter: never throws, one ending, prompt Stop, no silence without end (P3), closed connections.
import { type Failure, makeFailure } from '../../shared/model/failure';
import type { ProviderEvent } from '../../shared/model/request';
import { withoutSecrets } from './baseUrl';
import { failureFromThrown } from './errors';
import type { Redact } from './redact';
import { type Timeouts, Watchdog } from './timeouts';

export type StreamContext = {
  /** Aborted by Stop, by a timeout and when the reader leaves. */
  signal: AbortSignal;
  /** Bytes arrived. */
  pulse(): void;
};

type Options = { signal: AbortSignal; timeouts: Timeouts; redact: Redact; url?: string | undefined };

export async function* guardStream(
  options: Options,
  run: (context: StreamContext) => AsyncGenerator<ProviderEvent>,
): AsyncGenerator<ProviderEvent> {
  const stopped = (): ProviderEvent => ({ type: 'failed', failure: abortFailure(options.signal) });
  if (options.signal.aborted) {
    yield stopped();
    return;
  }
  const controller = new AbortController();
  let ending: ProviderEvent | null = null;
  let wake: (() => void) | null = null;
  const end = (event: ProviderEvent) => {
    ending ??= event;
    controller.abort();
    wake?.();
  };
  const onStop = () => end(stopped());
  options.signal.addEventListener('abort', onStop, { once: true });
  const watchdog = new Watchdog(options.timeouts, (phase, limit) => end(silence(phase, limit, options.url && options.redact(options.url))));
  const events = run({ signal: controller.signal, pulse: () => watchdog.pulse() });
  let streaming = false;
  try {
    for (;;) {
      // Not Promise.race against one long-lived promise: it would keep a reaction for every event of the stream.
      const next = await new Promise<IteratorResult<ProviderEvent> | null>((resolve, reject) => {
        wake = () => resolve(null);
        if (ending) resolve(null);
        else events.next().then(resolve, reject);
      });
      if (ending) break;
      if (!next || next.done) {
        ending = { type: 'failed', failure: makeFailure('internal', 'The provider adapter ended without saying how.') };
        break;
      }
      const event = next.value;
      if (event.type === 'done' || event.type === 'failed') {
        ending = event;
        break;
      }
      if (event.type !== 'accepted') {
        streaming = true;
        watchdog.event();
      }
      watchdog.pause();
      yield event;
      watchdog.resume();
    }
  } catch (error) {
    ending ??= { type: 'failed', failure: failureFromThrown(error, { streaming, url: options.url }, options.redact) };
  } finally {
    watchdog.stop();
    options.signal.removeEventListener('abort', onStop);
    controller.abort();
    // The adapter may sit in a read that never returns; its own clean-up must not hold up the ending, and has nothing left to say.
    events.return(undefined).catch(() => undefined);
  }
  yield ending ?? stopped();
}

function silence(phase: keyof Timeouts, limit: number, url: string | undefined): ProviderEvent {
  const seconds = Math.round(limit / 1000);
  const message =
    phase === 'beforeFirst' ? `The provider sent nothing for ${seconds} seconds.` : `The answer stood still for ${seconds} seconds.`;
  return {
    type: 'failed',
    failure: makeFailure('timeout', message, { retryable: true, detail: { limit, ...(url ? { url: withoutSecrets(url) } : {}) } }),
  };
}

/** What an aborted signal means: the person's Stop, or a limit that the caller set. */
export function abortFailure(signal: AbortSignal): Failure {
  const isTimeout = signal.reason instanceof Error && signal.reason.name === 'TimeoutError';
  return isTimeout ? makeFailure('timeout', 'The provider took too long.', { retryable: true }) : makeFailure('stopped', 'Stopped.');
}
