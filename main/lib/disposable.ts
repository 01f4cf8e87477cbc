// Things that must be let go are registered on the line that creates them and released in reverse order.

export type Dispose = () => void | Promise<void>;

/** Collects releases. `dispose` runs them once, newest first, and goes on when one fails; failures are thrown together at the end. */
export class Disposables {
  #releases: Dispose[] = [];
  #disposed = false;

  get disposed(): boolean {
    return this.#disposed;
  }

  /** Registers a release and gives back what is to be released. After `dispose` it is released at once. */
  add<T>(value: T, release: (value: T) => void | Promise<void>): T {
    if (this.#disposed) void release(value);
    else this.#releases.push(() => release(value));
    return value;
  }

  async dispose(): Promise<void> {
    if (this.#disposed) return;
    this.#disposed = true;
    const failures: unknown[] = [];
    for (const release of this.#releases.splice(0).reverse()) {
      try {
        await release();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length === 1) throw failures[0];
    if (failures.length > 1) throw new AggregateError(failures, 'several releases failed');
  }
}
