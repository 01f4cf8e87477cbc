// Colours long code on a thread of its own, so that no frame waits for it.
import type { Answer } from './askedWorker';
import { highlightNow } from './highlighter';

export type HighlightJob = { language: string; text: string };

self.addEventListener('message', (event: MessageEvent<HighlightJob & { id: number }>) => {
  const { id, language, text } = event.data;
  const answer = (value: string | null) => self.postMessage({ id, value } satisfies Answer<string | null>);
  highlightNow(language, text).then(answer, () => answer(null));
});
