// @vitest-environment jsdom
import { describe, expect, it } from 'vitest';
import { attacks } from './attacks';
import { compileDocument } from './document';
import type { TextNode } from './nodes';
import { checkHighlighted, fillFormulas, sanitizeDrawing, sanitizeHtml, sanitizeMath } from './sanitize';
import { StreamDocument } from './streamDocument';
import { findHarm } from './testing';

/** Every piece of HTML that would be set, each by itself as the browser would see it. */
function piecesOf(nodes: readonly TextNode[]): string[] {
  return nodes.flatMap((node) => {
    if (node.kind === 'html' || node.kind === 'table') return [node.html];
    if (node.kind === 'list') return node.items.flatMap((item) => piecesOf(item.nodes));
    return node.kind === 'quote' ? piecesOf(node.nodes) : [];
  });
}

function harmIn(html: string): string[] {
  const root = document.createElement('div');
  root.innerHTML = html;
  return findHarm(root);
}

/** Streams a text in steps and returns each distinct piece of HTML that was ever on screen. */
function everShown(before: string, text: string, step: number): Set<string> {
  const stream = new StreamDocument({ breaks: false });
  const shown = new Set<string>();
  for (let end = step; end < text.length + step; end += step) {
    stream.update(before + text.slice(0, end));
    for (const piece of piecesOf([...stream.settled, ...stream.tail])) shown.add(piece);
  }
  return shown;
}

const openBlocks = {
  'raw HTML': `<div>\n${'<p>harmless words that fill a line, and then some more of them</p>\n'.repeat(25)}`,
  paragraph: 'harmless words. '.repeat(110),
  list: '- a harmless item with a few more words in it\n'.repeat(35),
};

describe('the one sanitizer', () => {
  it.each(attacks)('Z2, Z4, I5: $name, read at once', ({ text }) => {
    for (const piece of piecesOf(compileDocument(text, { breaks: false }))) expect(harmIn(piece)).toEqual([]);
  });

  it.each(attacks)('Z2, Z4: $name, streamed three characters at a time', ({ text }) => {
    for (const piece of everShown('', text, 3)) expect(harmIn(piece)).toEqual([]);
  });

  it.each(Object.entries(openBlocks))('Z2, Z4: each attack inside a long open %s', (_, before) => {
    const checked = new Set<string>();
    for (const { text } of attacks) {
      for (const piece of everShown(before, text, Math.ceil(text.length / 3))) {
        if (!checked.has(piece)) expect(harmIn(piece)).toEqual([]);
        checked.add(piece);
      }
    }
  });

  it('Z2: the check itself sees harm', () => {
    expect(harmIn('<img src=x onerror=1><a href="javascript:1">x</a><p style="background:url(x)">y</p>')).toHaveLength(4);
  });

  it('Z2: what passes once passes unchanged again', () => {
    for (const { text } of attacks) {
      for (const piece of piecesOf(compileDocument(text, { breaks: false }))) expect(sanitizeHtml(piece)).toBe(piece);
    }
  });

  it('Z1: only http, https and mailto addresses stay links; the title is the true address', () => {
    const html = sanitizeHtml('<a href="https://a.example/x" title="https://bank.example">x</a><a href="tel:1">y</a><a href="/etc">z</a>');
    const root = document.createElement('div');
    root.innerHTML = html;
    const links = [...root.querySelectorAll('a')];
    expect(links.map((link) => [link.getAttribute('href'), link.getAttribute('title')])).toEqual([
      ['https://a.example/x', 'https://a.example/x'],
      [null, null],
      [null, null],
    ]);
  });

  it('I5: a remote picture becomes its name, linked; an inline one stays', () => {
    expect(sanitizeHtml('<img src="https://a.example/x.png" alt="A cat">')).toBe(
      '<a class="md-picture" title="https://a.example/x.png" href="https://a.example/x.png">A cat</a>',
    );
    const inline = '<img src="data:image/png;base64,AAAA" alt="dot">';
    expect(sanitizeHtml(inline)).toBe(inline);
    expect(sanitizeHtml('<img src="data:image/svg+xml;base64,AAAA" alt="x">')).not.toContain('<img');
  });

  it('Z2: formulas keep what KaTeX needs and nothing else', () => {
    const html = sanitizeMath(
      '<span class="katex" style="height:1em;position:fixed;background:url(https://a.example)"><a href="https://a.example">x</a><math><semantics><mi>x</mi><annotation encoding="application/x-tex">x</annotation></semantics></math></span>',
    );
    expect(html).toContain('<annotation encoding="application/x-tex">x</annotation>');
    expect(html).toContain('style="height:1em"');
    expect(html).not.toMatch(/href|url|fixed/);
  });

  it('Z2: a placeholder without a formula stays empty', () => {
    expect(fillFormulas(sanitizeHtml('<span data-math="7"></span>'), [])).toBe('');
  });

  it('Z2: highlighted code is text and coloured spans, or it is not used', () => {
    expect(checkHighlighted('<span class="hljs-keyword">if</span> (a &lt; b)')).not.toBeNull();
    expect(checkHighlighted('<span class="hljs-x"><img src=x></span>')).toBeNull();
    expect(checkHighlighted('<span class="hljs-x" onclick="x">y</span>')).toBeNull();
    expect(checkHighlighted('<span class="md-tool">y</span>')).toBeNull();
  });

  it('Z2, Z4: a drawing keeps its markers and loses all that runs, links or fetches', () => {
    const svg = sanitizeDrawing(
      `<svg viewBox="0 0 10 10" onload="x"><style>@import 'https://a.example'; .a{fill:url(https://a.example/x);marker:url(#m);background:u\\72l(https://a.example)}</style><defs><marker id="m" refX="5"><path d="M0 0"/></marker></defs><a href="https://a.example"><text>hi</text></a><foreignObject><p>x</p></foreignObject><image href="https://a.example/x"/><script>1</script></svg>`,
    );
    const text = svg?.outerHTML ?? '';
    expect(text).toContain('viewBox="0 0 10 10"');
    expect(text).toContain('marker:url(#m)');
    expect(text).toContain('refX="5"');
    expect(text).not.toMatch(/a\.example|foreignObject|<script|onload|<image/);
  });

  it('Z2: what is no drawing at all is refused', () => {
    expect(sanitizeDrawing('<p>no</p>')).toBeNull();
  });
});
