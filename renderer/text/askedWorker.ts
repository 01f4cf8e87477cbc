// A worker of the page that is asked again and again: made by the first question, made anew after it broke.
export type Answer<T> = { id: number; value: T };

/** `make` names the worker's file, which the bundler must see. What breaks answers null to all who wait: a text can be read without it. */
export function askedWorker<Job extends object, T>(make: () => Worker): { ask(job: Job): Promise<T | null>; endWhenIdle(): void } {
  const asked = new Map<number, (value: T | null) => void>();
  let worker: Worker | null = null;
  let nextId = 0;
  const stop = () => {
    worker?.terminate();
    worker = null;
    for (const answer of asked.values()) answer(null);
    asked.clear();
  };
  const start = (): Worker => {
    const made = make();
    made.addEventListener('message', ({ data }: MessageEvent<Answer<T>>) => {
      asked.get(data.id)?.(data.value);
      asked.delete(data.id);
    });
    made.addEventListener('error', stop);
    return made;
  };
  return {
    ask: (job) => {
      worker ??= start();
      const id = nextId++;
      worker.postMessage({ ...job, id });
      return new Promise((resolve) => asked.set(id, resolve));
    },
    /** Gives its memory back, unless somebody waits for it. */
    endWhenIdle: () => {
      if (asked.size === 0) stop();
    },
  };
}
