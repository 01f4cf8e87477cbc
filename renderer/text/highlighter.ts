// The highlighter itself; imported on first use only, by the page for short code and by the worker for long code.
import hljs from 'highlight.js/lib/core';
import { findLanguage } from './languages';

/** HTML of spans with hljs classes, or null when the language is unknown. */
export async function highlightNow(name: string, text: string): Promise<string | null> {
  const language = findLanguage(name);
  if (!language) return null;
  if (!hljs.getLanguage(language.id)) hljs.registerLanguage(language.id, (await language.load()).default);
  return hljs.highlight(text, { language: language.id, ignoreIllegals: true }).value;
}
