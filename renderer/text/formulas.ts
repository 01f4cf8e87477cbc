// KaTeX, loaded at the first formula on screen and never before.
import { useEffect, useSyncExternalStore } from 'react';
import { boundedCache } from './boundedCache';
import { escapeHtml } from './escapeHtml';
import type { MathRef } from './grammar';
import { type CleanHtml, sanitizeHtml, sanitizeMath } from './sanitize';

type Katex = typeof import('katex');

/** A drawn formula, or why it could not be drawn. */
export type Formula = { html: CleanHtml } | { error: string };

let katex: Katex['default'] | null = null;
let loading: Promise<void> | null = null;
const listeners = new Set<() => void>();
const drawn = boundedCache<Formula>(4_000_000);

async function load(): Promise<void> {
  const [module] = await Promise.all([import('katex'), import('katex/dist/katex.min.css')]);
  katex = module.default;
  for (const listener of listeners) listener();
}

/** Starts loading if nobody did; a failure leaves sources on screen and is tried again at the next formula. */
export function loadFormulas(): Promise<void> {
  loading ??= load().catch((cause: unknown) => {
    loading = null;
    throw cause;
  });
  return loading;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** True once formulas can be drawn at once; asks for KaTeX otherwise. */
export function useFormulas(): boolean {
  const ready = useSyncExternalStore(subscribe, () => katex !== null);
  useEffect(() => {
    if (!ready) void loadFormulas().catch(() => undefined);
  }, [ready]);
  return ready;
}

/** Null until KaTeX is there. */
export function drawFormula({ tex, display }: MathRef): Formula | null {
  if (!katex) return null;
  const key = `${display ? 'd' : 'i'}${tex}`;
  const known = drawn.get(key);
  if (known) return known;
  const made = draw(katex, tex, display);
  drawn.set(key, made, key.length * 2 + ('html' in made ? made.html.length * 2 : 200));
  return made;
}

/** As MathML alone, for pages without our fonts; its source where it cannot be drawn, or KaTeX is not there. */
export function writeFormula({ tex, display }: MathRef): CleanHtml {
  const source = () => sanitizeHtml(`<code class="md-math">${escapeHtml(tex)}</code>`);
  if (!katex) return source();
  try {
    return sanitizeMath(katex.renderToString(tex, { ...settings, displayMode: display, output: 'mathml' }));
  } catch {
    return source();
  }
}

/** What is the same for every formula. */
const settings = { trust: false, strict: 'ignore', throwOnError: true, maxSize: 20, maxExpand: 300 } as const;

function draw(api: Katex['default'], tex: string, display: boolean): Formula {
  try {
    const html = api.renderToString(tex, { ...settings, displayMode: display, output: 'htmlAndMathml' });
    return { html: sanitizeMath(html) };
  } catch (cause) {
    return { error: (cause instanceof Error ? cause.message : String(cause)).replace(/^KaTeX parse error: /, '').slice(0, 200) };
  }
}
