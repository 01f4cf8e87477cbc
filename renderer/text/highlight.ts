// Colours for code: short code when the browser is idle, long code in a worker, giants not at all; the result is kept.
import { askedWorker } from './askedWorker';
import { boundedCache } from './boundedCache';
import type { HighlightJob } from './highlightWorker';
import { findLanguage } from './languages';
import { type CleanHtml, checkHighlighted } from './sanitize';

/** Above this many characters the work goes to the worker; about 5 ms of it otherwise. */
const inPage = 6_000;
const giant = 300_000;

const done = boundedCache<CleanHtml[]>(6_000_000);
// Without colours code is still code: where the worker breaks the block gets none, and the next one tries again.
const { ask } = askedWorker<HighlightJob, string>(() => new Worker(new URL('./highlightWorker.ts', import.meta.url), { type: 'module' }));

/** Cuts highlighted HTML at the line feeds that part `chunks`, closing and reopening spans around each cut. */
export function splitHighlighted(html: string, chunks: readonly string[]): string[] {
  const parts: string[] = [];
  const open: string[] = [];
  let part = '';
  let linesLeft = lineFeeds(chunks[0]);
  for (const [token] of html.matchAll(/<span[^>]*>|<\/span>|\n|[^<\n]+/g)) {
    if (token === '\n') {
      if (linesLeft-- > 0) {
        part += token;
        continue;
      }
      parts.push(part + '</span>'.repeat(open.length));
      part = open.join('');
      linesLeft = lineFeeds(chunks[parts.length]);
      continue;
    }
    if (token === '</span>') open.pop();
    else if (token.startsWith('<')) open.push(token);
    part += token;
  }
  parts.push(part);
  return parts;
}

function lineFeeds(chunk: string | undefined): number {
  return (chunk ?? '').split('\n').length - 1;
}

/** Colours found before for this block. */
export function knownColours(key: string): CleanHtml[] | undefined {
  return done.get(key);
}

export function canHighlight(language: string): boolean {
  return findLanguage(language) !== undefined;
}

/** One piece of HTML a chunk, or null when this code stays plain. */
export async function highlight(key: string, language: string, chunks: readonly string[]): Promise<CleanHtml[] | null> {
  const text = chunks.join('\n');
  if (text.length > giant || !canHighlight(language)) return null;
  const long = text.length > inPage && typeof Worker !== 'undefined';
  const html = long ? await ask({ language, text }) : await import('./highlighter').then((module) => module.highlightNow(language, text));
  if (html === null || checkHighlighted(html) === null) return null;
  const parts: CleanHtml[] = [];
  for (const part of splitHighlighted(html, chunks)) {
    const checked = checkHighlighted(part);
    if (checked === null) return null;
    parts.push(checked);
  }
  if (parts.length !== chunks.length) return null;
  done.set(key, parts, html.length * 2 + key.length * 2);
  return parts;
}
