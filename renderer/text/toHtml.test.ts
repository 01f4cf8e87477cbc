// @vitest-environment jsdom
import { describe, expect, it } from 'vitest';
import { attacks } from './attacks';
import { findHarm } from './testing';
import { toHtml } from './toHtml';

const html = (text: string, breaks = false) => toHtml(text, { breaks });
function parsed(text: string): HTMLElement {
  const root = document.implementation.createHTMLDocument('').createElement('div');
  root.innerHTML = text;
  return root;
}

describe('a text as HTML', () => {
  it('I1: blocks of every kind, formulas as MathML, code with colours', async () => {
    const made = await html(
      '# Title\n\nA **b** $x^2$\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n- one\n\n  ```js\n  const a = "<b>";\n  ```\n\n> quoted\n\n$$\\frac{1}{2}$$',
    );
    const root = parsed(made);
    expect(root.querySelector('h1')?.textContent).toBe('Title');
    expect(root.querySelectorAll('math')).toHaveLength(2);
    expect(root.querySelector('.katex-html')).toBeNull();
    expect(root.querySelector('table td')?.textContent).toBe('1');
    expect(root.querySelector('li pre')?.textContent).toBe('const a = "<b>";');
    expect(root.querySelector('li .hljs-keyword')?.textContent).toBe('const');
    expect(root.querySelector('blockquote')?.textContent?.trim()).toBe('quoted');
  });

  it('I1: what cannot be drawn is its source; very long text of a person is plain', async () => {
    expect(await html('$\\nope{$')).toContain('\\nope{');
    expect(await html('<b>x</b>\n'.repeat(5000), true)).not.toContain('<b>');
  });

  it.each(attacks)('Z2, I1: $name does nothing in a page either', async ({ text }) => {
    for (const breaks of [false, true]) {
      const root = parsed(await html(text, breaks));
      const harm = findHarm(root).filter((one) => !one.startsWith('<img src="data:image/svg+xml'));
      expect(harm).toEqual([]);
    }
  });
});
