// Segments kept open in memory, the least recently used dropped first: opening one again means reading its file.
import type { Segment } from './segment';

/** Files whose index is kept in memory. */
const keptOpen = 8;

export class SegmentCache {
  readonly #known = new Map<string, Segment>();

  get(key: string): Segment | undefined {
    return this.#known.get(key);
  }

  keep(key: string, segment: Segment): void {
    this.#known.set(key, segment);
  }

  forget(key: string): void {
    this.#known.delete(key);
  }

  forgetAll(start: string): void {
    for (const key of this.#known.keys()) if (key.startsWith(start)) this.#known.delete(key);
  }

  /** The kept one, else what `load` opens; the newest in use either way. */
  remember(key: string, load: () => Segment | undefined): Segment | undefined {
    const segment = this.#known.get(key) ?? load();
    this.#known.delete(key);
    if (segment) this.#known.set(key, segment);
    for (const oldest of this.#known.keys()) if (this.#known.size > keptOpen) this.#known.delete(oldest);
    return segment;
  }
}
