// Where a text stands in what a message shows: ranges over the text nodes of the page, found as main finds them in what is stored.
import { foldWithPlaces } from '../../../shared/text/foldForSearch';
import { placesOf, type Term } from '../../../shared/text/searchQuery';

const block = 'p, li, td, th, h1, h2, h3, h4, h5, h6, pre, blockquote, div';

/** Texts that are told apart: what ends one block never begins a word of the next. */
function textNodesOf(root: Element): { node: Text; start: number }[] & { text?: string } {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT, (node) =>
    node.parentElement?.closest('button, style, [hidden]') ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT,
  );
  const nodes: { node: Text; start: number }[] = [];
  let text = '';
  let last: Element | null = null;
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (!(node instanceof Text)) continue;
    const here = node.parentElement?.closest(block) ?? null;
    if (last !== null && here !== last) text += '\n';
    last = here;
    nodes.push({ node, start: text.length });
    text += node.data;
  }
  return Object.assign(nodes, { text });
}

/** The ranges of the terms in the texts of a message, in order; at most `most`. */
export function rangesIn(article: Element, terms: readonly Term[], most = 500): Range[] {
  const ranges: Range[] = [];
  for (const root of article.querySelectorAll('.md')) {
    const nodes = textNodesOf(root);
    const { folded, places } = foldWithPlaces(nodes.text ?? '');
    for (const [from, to] of placesOf(terms, folded, most - ranges.length)) {
      const range = rangeOf(nodes, places?.[from] ?? from, places?.[to] ?? to);
      if (range) ranges.push(range);
    }
  }
  return ranges;
}

function rangeOf(nodes: readonly { node: Text; start: number }[], from: number, to: number): Range | null {
  const at = (place: number) => nodes.findLast(({ start }) => start <= place);
  const first = at(from);
  const last = at(Math.max(from, to - 1));
  if (!first || !last) return null;
  const range = document.createRange();
  range.setStart(first.node, Math.min(first.node.length, from - first.start));
  range.setEnd(last.node, Math.min(last.node.length, to - last.start));
  return range;
}

const names = { all: 'bough-find', now: 'bough-find-now' } as const;

/** Marks ranges in the page without touching it (the CSS Custom Highlight API). */
export function mark(kind: keyof typeof names, ranges: readonly Range[]): void {
  if (typeof Highlight === 'undefined') return;
  if (ranges.length === 0) CSS.highlights.delete(names[kind]);
  else {
    const highlight = new Highlight(...ranges);
    highlight.priority = kind === 'now' ? 1 : 0;
    CSS.highlights.set(names[kind], highlight);
  }
}
