// Where a running export waits for the pages that its window makes of rows (Z2: the one sanitizer is in the window).
type Waiting = { resolve(html: string): void; reject(reason: unknown): void };
const waiting = new Map<string, Waiting>();

/** The next page for this export. Rejects with the signal's reason. */
export function nextPage(exportId: string, signal: AbortSignal): Promise<string> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const stop = () => settle(() => reject(signal.reason));
    const settle = (end: () => void) => {
      waiting.delete(exportId);
      signal.removeEventListener('abort', stop);
      end();
    };
    signal.addEventListener('abort', stop, { once: true });
    waiting.set(exportId, { resolve: (html) => settle(() => resolve(html)), reject });
  });
}

/** False when no export waits for it. */
export function bringPage(exportId: string, html: string): boolean {
  const one = waiting.get(exportId);
  one?.resolve(html);
  return one !== undefined;
}
