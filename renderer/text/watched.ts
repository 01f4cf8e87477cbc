// Remembers which texts were watched while they were written: when such a text comes back as a stored message, nothing in it may fold
// and jump under the reader's eyes.

const kept = 12;
const texts = new Map<object, string>();

/** Notes what `stream` shows now. */
export function noteWatched(stream: object, text: string): void {
  texts.delete(stream);
  texts.set(stream, text);
  if (texts.size > kept) for (const oldest of texts.keys()) return void texts.delete(oldest);
}

/** True when `text` is, or goes on from, one that was watched lately. */
export function wasWatched(text: string): boolean {
  for (const seen of texts.values()) if (seen.length > 0 && text.startsWith(seen)) return true;
  return false;
}

/** For tests: nothing was watched. */
export function forgetWatched(): void {
  texts.clear();
}
