import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readTokens } from './grammar';
import { closingDollar } from './mathSyntax';

function formulas(text: string): string[] {
  const found: string[] = [];
  const walk = (tokens: readonly object[]) => {
    for (const token of tokens) {
      if ('tex' in token) found.push(String(token.tex));
      if ('tokens' in token && Array.isArray(token.tokens)) walk(token.tokens);
      if ('items' in token && Array.isArray(token.items)) walk(token.items);
    }
  };
  walk(readTokens(text, { breaks: false }, {}));
  return found;
}

describe('where mathematics starts and ends', () => {
  it.each([
    ['It costs $5 and $10 a month.', []],
    ['From $5 to $10, or $3.50', []],
    ['Between $5-$10 and US$20', []],
    ['$20 million in 2020 and 3$ more', []],
    ['$HOME and $PATH', []],
    ['a $ b $ c', []],
    ['`$x$` and \\$x\\$', []],
    ['$x$ and $y_1$', ['x', 'y_1']],
    ['$2 + 2 = 4$', ['2 + 2 = 4']],
    ['$5x$', ['5x']],
    ['\\(a\\) and \\[b\\]', ['a', 'b']],
    ['$a *b* c$ *d*', ['a *b* c']],
    ['text\n$$\nx\n$$\nmore', ['x']],
    ['$$x$$', ['x']],
    ['- item $z$', ['z']],
    ['> \\[ q \\]', ['q']],
    ['$$ never closed', []],
    ['$$a\n\nb$$', []],
  ])('U2: %j holds the formulas %j', (text, expected) => {
    expect(formulas(text)).toEqual(expected);
  });

  it('U2: a closing dollar is never before a digit, after a space, or past a blank line', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('$', 'a', ' ', '1', '\n', '\\'), maxLength: 40 }), (text) => {
        const at = closingDollar(text);
        if (at < 0) return;
        expect(text[at]).toBe('$');
        expect(text[at - 1]).not.toMatch(/\s/);
        expect(text[at + 1] ?? '').not.toMatch(/[\d$]/);
        expect(text.slice(0, at)).not.toContain('\n\n');
      }),
    );
  });

  it('N12: text full of dollars is read in time that grows with its length', () => {
    // Counted, not timed: each dollar looks ahead a bounded distance.
    expect(closingDollar(`$a${' x'.repeat(5_000)}$`)).toBe(-1);
  });
});
