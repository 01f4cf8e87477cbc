// A Markdown text as one string of clean HTML, for pages that leave the window (I1). The same nodes the window shows, so nothing in it is
// weaker than there (Z2); formulas as MathML, which needs no fonts and no style sheet.
import { assertNever } from '../../shared/model/assertNever';
import { compileDocument } from './document';
import { drawDiagram } from './drawings';
import { escapeHtml } from './escapeHtml';
import { loadFormulas, writeFormula } from './formulas';
import type { MathRef } from './grammar';
import { highlight } from './highlight';
import { readLongText } from './longText';
import type { CodeNode, ListNode, TextNode } from './nodes';
import { type CleanHtml, fillFormulas } from './sanitize';

/** `breaks`: line breaks in the source are line breaks, and markup is text: for what people typed. */
export type ToHtmlOptions = { breaks: boolean };

export async function toHtml(text: string, { breaks }: ToHtmlOptions): Promise<string> {
  // As in the window, what is very long is no Markdown.
  if (breaks && readLongText(text)) return `<div class="long">${escapeHtml(text)}</div>`;
  return nodesToHtml(compileDocument(text, { breaks }));
}

async function nodesToHtml(nodes: readonly TextNode[]): Promise<string> {
  let html = '';
  for (const node of nodes) html += await nodeToHtml(node);
  return html;
}

async function nodeToHtml(node: TextNode): Promise<string> {
  switch (node.kind) {
    case 'html':
      return withFormulas(node.html, node.math);
    case 'table':
      return `<div class="table">${await withFormulas(node.html, node.math)}</div>`;
    case 'code':
      return node.language === 'mermaid' ? diagramToHtml(node) : codeToHtml(node);
    case 'math':
      return `<div class="formula">${await formulaToHtml({ tex: node.tex, display: true })}</div>`;
    case 'list':
      return listToHtml(node);
    case 'quote':
      return `<blockquote dir="auto">${await nodesToHtml(node.nodes)}</blockquote>`;
    default:
      return assertNever(node);
  }
}

async function withFormulas(html: CleanHtml, math: readonly MathRef[]): Promise<string> {
  if (math.length === 0) return html;
  return fillFormulas(html, await Promise.all(math.map(formulaToHtml)));
}

async function formulaToHtml(ref: MathRef): Promise<CleanHtml> {
  // Without it the source stands in its place, as in the window.
  await loadFormulas().catch(() => undefined);
  return writeFormula(ref);
}

async function codeToHtml(node: CodeNode): Promise<string> {
  const colours = node.language === '' ? null : await highlight(node.key, node.language, node.chunks);
  const lines = colours ?? node.chunks.map(escapeHtml);
  return `<pre dir="ltr"><code>${lines.join('\n')}</code></pre>`;
}

/** A drawing is an image; what cannot be drawn is its source. */
async function diagramToHtml(node: CodeNode): Promise<string> {
  const drawing = await drawDiagram(node.chunks.join('\n'), 'light');
  if (!('url' in drawing) || !drawing.url.startsWith('data:image/svg+xml')) return codeToHtml(node);
  const size = `width="${Math.round(drawing.width)}" height="${Math.round(drawing.height)}"`;
  return `<p class="drawing"><img src="${escapeHtml(drawing.url)}" ${size} alt="${escapeHtml(drawing.title)}"></p>`;
}

async function listToHtml({ ordered, start, items }: ListNode): Promise<string> {
  let html = '';
  for (const item of items) html += `<li${item.task ? ' class="md-item"' : ''}>${await nodesToHtml(item.nodes)}</li>`;
  return ordered ? `<ol start="${Math.trunc(start)}" dir="auto">${html}</ol>` : `<ul dir="auto">${html}</ul>`;
}
