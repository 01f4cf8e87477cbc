// News from a running job to one reader, in order; what was not read yet waits.
export type NewsBox<T> = { put(news: T): void; end(error?: unknown): void; read(): AsyncGenerator<T, void, void> };

export function newsBox<T>(): NewsBox<T> {
  const waiting: T[] = [];
  let ended = false;
  let failure: unknown;
  let wake: () => void = () => undefined;
  return {
    put(news) {
      waiting.push(news);
      wake();
    },
    end(error) {
      ended = true;
      failure = error;
      wake();
    },
    async *read() {
      for (;;) {
        for (let news = waiting.shift(); news !== undefined; news = waiting.shift()) yield news;
        if (ended) break;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      if (failure !== undefined) throw failure;
    },
  };
}
