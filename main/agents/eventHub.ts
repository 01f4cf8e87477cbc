// Events for windows: each subscriber gets them in order, batched at most once a frame, neighbouring text of one part joined.
import type { EventBatch, WindowEvent } from '../../shared/model/events';

/** One frame at 60 Hz; any token rate gives at most this many batches. */
const frame = 16;

export class EventHub {
  readonly #epoch: string;
  readonly #subscribers = new Set<Subscriber>();
  /** Notices from before the first window was there; everything else it fetches by itself. */
  #early: WindowEvent[] = [];
  #anybody = false;

  constructor(epoch: string) {
    this.#epoch = epoch;
  }

  publish(event: WindowEvent): void {
    if (!this.#anybody && event.type === 'notice') this.#early.push(event);
    for (const subscriber of this.#subscribers) subscriber.push(event);
  }

  /** Ends when the signal aborts (the window's port closed). Events from the call on are seen, also before the first read. */
  subscribe(signal: AbortSignal | undefined): AsyncGenerator<EventBatch, void> {
    const subscriber = new Subscriber(this.#epoch);
    this.#subscribers.add(subscriber);
    this.#anybody = true;
    for (const event of this.#early.splice(0)) subscriber.push(event);
    signal?.addEventListener('abort', () => subscriber.close(), { once: true });
    return this.#read(subscriber);
  }

  async *#read(subscriber: Subscriber): AsyncGenerator<EventBatch, void> {
    try {
      for (let batch = await subscriber.next(); batch; batch = await subscriber.next()) yield batch;
    } finally {
      this.#subscribers.delete(subscriber);
    }
  }
}

class Subscriber {
  readonly #epoch: string;
  #queue: WindowEvent[] = [];
  #seq = 0;
  #closed = false;
  #timer: NodeJS.Timeout | undefined;
  #wake: (() => void) | undefined;
  #due = false;

  constructor(epoch: string) {
    this.#epoch = epoch;
  }

  push(event: WindowEvent): void {
    const last = this.#queue.at(-1);
    const joined = last && join(last, event);
    if (joined) this.#queue[this.#queue.length - 1] = joined;
    else this.#queue.push(event);
    this.#timer ??= setTimeout(() => this.#flush(), frame);
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#wake?.();
  }

  /** The next batch, or null once closed. */
  async next(): Promise<EventBatch | null> {
    while (!this.#due && !this.#closed) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    if (this.#closed) return null;
    const events = this.#queue;
    this.#queue = [];
    this.#due = false;
    this.#seq++;
    return { epoch: this.#epoch, seq: this.#seq, events };
  }

  #flush(): void {
    this.#timer = undefined;
    this.#due = true;
    this.#wake?.();
  }
}

/** Two deltas that follow each other in the same part as one; null when they do not. */
function join(last: WindowEvent, next: WindowEvent): WindowEvent | null {
  if (last.type !== 'stepDelta' || next.type !== 'stepDelta') return null;
  if (last.stepId !== next.stepId || last.index !== next.index || last.offset + last.text.length !== next.offset) return null;
  return { ...last, text: last.text + next.text };
}
