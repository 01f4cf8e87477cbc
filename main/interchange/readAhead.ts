// Reads before it is asked: batches differ, and neither side of an import is to wait for the other's slow one.
import type { ImportReader } from './importReader';

/** Characters that may wait: a batch or two; one conversation may be larger. */
const atMost = 2 * 1024 * 1024;

/** Gives batches as JSON, one after the other, and null from the end on. What goes wrong is thrown when everything before it was given. */
export function readAhead(reader: Pick<ImportReader, 'next'>): () => Promise<string | null> {
  const ready: string[] = [];
  let characters = 0;
  let end: { error?: unknown } | undefined;
  let goOn: () => void = () => undefined;
  let take: () => void = () => undefined;
  const read = async () => {
    for (let events = await reader.next(); events !== null; events = await reader.next()) {
      const batch = JSON.stringify(events);
      ready.push(batch);
      characters += batch.length;
      take();
      while (characters >= atMost) await new Promise<void>((resolve) => (goOn = resolve));
    }
  };
  void read()
    .then(
      () => (end = {}),
      (error: unknown) => (end = { error }),
    )
    .finally(() => take());
  return async () => {
    for (;;) {
      const batch = ready.shift();
      if (batch !== undefined) {
        characters -= batch.length;
        goOn();
        return batch;
      }
      if (end && 'error' in end) throw end.error;
      if (end) return null;
      await new Promise<void>((resolve) => (take = resolve));
    }
  };
}
