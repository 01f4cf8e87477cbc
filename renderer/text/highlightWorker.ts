// Colours long code on a thread of its own, so that no frame waits for it.
import { highlightNow } from './highlighter';

export type HighlightRequest = { id: number; language: string; text: string };
export type HighlightAnswer = { id: number; html: string | null };

self.addEventListener('message', (event: MessageEvent<HighlightRequest>) => {
  const { id, language, text } = event.data;
  const answer = (html: string | null) => self.postMessage({ id, html } satisfies HighlightAnswer);
  highlightNow(language, text).then(answer, () => answer(null));
});
