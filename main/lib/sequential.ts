// Runs asynchronous jobs one after another, in the order they were asked for: one writer at a time.

export type Sequential = {
  /** Runs `job` when all earlier ones have ended; a failed job rejects its own promise and holds up nobody. */
  run<T>(job: () => Promise<T> | T): Promise<T>;
  /** Resolves when everything asked for so far has ended. */
  idle(): Promise<void>;
};

export function createSequential(): Sequential {
  let last: Promise<unknown> = Promise.resolve();
  return {
    run<T>(job: () => Promise<T> | T): Promise<T> {
      const result = last.then(job);
      // The chain only orders: each caller sees its own failure through `result`.
      last = result.catch(() => undefined);
      return result;
    },
    async idle() {
      await last;
    },
  };
}
