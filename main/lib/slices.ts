// Long work on the main thread, a few milliseconds at a time: between two slices the event loop does what waits there (R4).

export type Slicing = {
  /** Wraps one slice: a transaction, for one. It must call `run` once, at once. */
  around?: ((run: () => void) => void) | undefined;
  signal?: AbortSignal | undefined;
  /** Milliseconds. */
  budget?: number | undefined;
  /** After each slice. */
  rested?: (() => void) | undefined;
};

/** Half a frame: what follows a slice (a commit) has the other half. */
const usualBudget = 6;

/** Runs the generator to its end; each `yield` is a place where it may rest. Throws the signal's reason between two slices. */
export async function inSlices<T>(work: Generator<void, T, void>, slicing: Slicing = {}): Promise<T> {
  const { around = (run) => run(), signal, budget = usualBudget, rested } = slicing;
  for (;;) {
    signal?.throwIfAborted();
    const slice: { end?: { value: T } } = {};
    around(() => {
      const until = performance.now() + budget;
      do {
        const next = work.next();
        if (next.done === true) slice.end = { value: next.value };
      } while (!slice.end && performance.now() < until);
    });
    rested?.();
    if (slice.end) return slice.end.value;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
