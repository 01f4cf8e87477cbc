// P3: how long a stream may be silent, and the watchdog that ends it.
import { isLocalUrl } from './baseUrl';

/** Milliseconds of silence; null is no limit. */
export type Timeouts = { beforeFirst: number | null; betweenEvents: number | null };

export const defaultTimeouts: Timeouts = { beforeFirst: 600_000, betweenEvents: 120_000 };

/** A server on this machine or network may read a long prompt for as long as it holds the connection; the person sees it and can stop. */
export function timeoutsFor(baseUrl: string, timeouts: Timeouts = defaultTimeouts): Timeouts {
  return isLocalUrl(baseUrl) ? { ...timeouts, beforeFirst: null } : timeouts;
}

/**
 * Fires `onSilence` when nothing was heard for the limit of the present phase. Bytes of any kind (pings too) are a sign of
 * life and start the wait anew; only an event ends the first phase. While the reader of the events is busy it is paused.
 */
export class Watchdog {
  #timer: NodeJS.Timeout | undefined;
  #phase: keyof Timeouts = 'beforeFirst';
  #paused = false;
  readonly #timeouts: Timeouts;
  readonly #onSilence: (phase: keyof Timeouts, limit: number) => void;

  constructor(timeouts: Timeouts, onSilence: (phase: keyof Timeouts, limit: number) => void) {
    this.#timeouts = timeouts;
    this.#onSilence = onSilence;
    this.pulse();
  }

  pulse(): void {
    clearTimeout(this.#timer);
    const limit = this.#timeouts[this.#phase];
    if (limit === null || this.#paused) return;
    const phase = this.#phase;
    this.#timer = setTimeout(() => this.#onSilence(phase, limit), limit);
  }

  /** An event was handed over: from now on the shorter limit holds. */
  event(): void {
    this.#phase = 'betweenEvents';
  }

  pause(): void {
    this.#paused = true;
    clearTimeout(this.#timer);
  }

  resume(): void {
    this.#paused = false;
    this.pulse();
  }

  stop(): void {
    this.pause();
  }
}
