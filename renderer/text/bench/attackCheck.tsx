// The attack table in a real browser: every text streamed, opened and drawn, then the page is searched for anything that ran or stayed.
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { attacks } from '../attacks';
import { drawDiagram } from '../drawings';
import { loadFormulas } from '../formulas';
import { MarkdownView } from '../MarkdownView';
import { findHarm } from '../testing';

function harmIn(box: HTMLElement): string[] {
  return findHarm(box).filter(
    (one) => !/^<button type="button" class="md-/.test(one) && !one.startsWith('src=data:image/svg+xml;charset=utf-8,'),
  );
}

async function checkDiagram(text: string): Promise<string[]> {
  const source = /```mermaid\n([\s\S]*?)\n```/.exec(text)?.[1];
  if (!source) return [];
  const drawing = await drawDiagram(source, 'light');
  if ('error' in drawing) return [];
  const svg = decodeURIComponent(drawing.url);
  return /<script|<img|<iframe|foreignObject|javascript:|onerror|a\.example|<a[\s>]/i.exec(svg)?.map((hit) => `drawing: ${hit}`) ?? [];
}

/** Names of the attacks that got through, with what was found; empty when all is well. */
export async function runAttackCheck(): Promise<{ name: string; found: string[] }[]> {
  const failed: { name: string; found: string[] }[] = [];
  await loadFormulas();
  for (const { name, text } of attacks) {
    const box = document.createElement('div');
    document.body.append(box);
    const root = createRoot(box);
    const found: string[] = [];
    for (let end = 1; end <= text.length; end++) {
      flushSync(() => root.render(<MarkdownView text={text.slice(0, end)} streaming />));
      found.push(...harmIn(box));
    }
    flushSync(() => root.render(<MarkdownView text={text} />));
    found.push(...harmIn(box), ...(await checkDiagram(text)));
    await new Promise((resolve) => setTimeout(resolve, 20));
    if ('pwned' in window) found.push('it ran');
    if (found.length > 0) failed.push({ name, found: [...new Set(found)] });
    root.unmount();
    box.remove();
  }
  return failed;
}
