// The readable text of a page: headings, paragraphs, lists, links with their addresses; no scripts, styles or hidden parts. Pure.
import { type DefaultTreeAdapterTypes, defaultTreeAdapter, parse } from 'parse5';

const unread = new Set([
  'script',
  'style',
  'noscript',
  'template',
  'svg',
  'head',
  'iframe',
  'object',
  'canvas',
  'nav',
  'form',
  'button',
  'select',
]);
const blocks = new Set(
  'address article aside blockquote body dd div dl dt fieldset figcaption figure footer h1 h2 h3 h4 h5 h6 header hr html li main ol p pre section table tr ul'.split(
    ' ',
  ),
);
const maxDepth = 400;

/** `base` makes addresses of links absolute. */
export function htmlText(html: string, base: string): { title: string; text: string } {
  const document = parse(html);
  const pieces: string[] = [];
  collect(document, base, pieces, { depth: 0, pre: false });
  const text = pieces
    .join('')
    .replace(/[ \t]+\n/g, '\n')
    .replace(/\n[ \t]+(?=\S)/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
  return { title: titleOf(document, 0), text };
}

type At = { depth: number; pre: boolean };

function collect(node: DefaultTreeAdapterTypes.Node, base: string, pieces: string[], at: At): void {
  if (at.depth > maxDepth) return;
  if (defaultTreeAdapter.isTextNode(node)) {
    pieces.push(at.pre ? node.value : node.value.replace(/\s+/g, ' '));
    return;
  }
  if (!('childNodes' in node)) return;
  const name = defaultTreeAdapter.isElementNode(node) ? node.tagName : '';
  if (unread.has(name) || isHidden(node)) return;
  if (name === 'br') pieces.push('\n');
  if (blocks.has(name)) pieces.push('\n');
  if (/^h[1-6]$/.test(name)) pieces.push(`\n${'#'.repeat(Number(name[1]))} `);
  if (name === 'li') pieces.push('- ');
  for (const child of node.childNodes) collect(child, base, pieces, { depth: at.depth + 1, pre: at.pre || name === 'pre' });
  if (name === 'a') pieces.push(addressOf(node, base));
  if (name === 'td' || name === 'th') pieces.push(' | ');
  if (blocks.has(name)) pieces.push(/^(?:p|h[1-6]|pre|table|ul|ol|blockquote)$/.test(name) ? '\n\n' : '\n');
}

function attribute(node: DefaultTreeAdapterTypes.Node, name: string): string | undefined {
  return defaultTreeAdapter.isElementNode(node) ? node.attrs.find((each) => each.name === name)?.value : undefined;
}

function isHidden(node: DefaultTreeAdapterTypes.Node): boolean {
  return (
    attribute(node, 'hidden') !== undefined ||
    attribute(node, 'aria-hidden') === 'true' ||
    /display\s*:\s*none|visibility\s*:\s*hidden/i.test(attribute(node, 'style') ?? '')
  );
}

function addressOf(node: DefaultTreeAdapterTypes.Node, base: string): string {
  const href = attribute(node, 'href');
  if (href === undefined || href.startsWith('#')) return '';
  try {
    const url = new URL(href, base);
    return /^https?:$/.test(url.protocol) ? ` (${url.href})` : '';
  } catch {
    // No address that could be followed: the words stay.
    return '';
  }
}

function titleOf(node: DefaultTreeAdapterTypes.Node, depth: number): string {
  if (!('childNodes' in node) || depth > 3) return '';
  if (defaultTreeAdapter.isElementNode(node) && node.tagName === 'title') {
    return node.childNodes
      .map((child) => (defaultTreeAdapter.isTextNode(child) ? child.value : ''))
      .join('')
      .replace(/\s+/g, ' ')
      .trim();
  }
  for (const child of node.childNodes) {
    const title = titleOf(child, depth + 1);
    if (title !== '') return title;
  }
  return '';
}
