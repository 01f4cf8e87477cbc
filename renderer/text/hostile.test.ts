// @vitest-environment jsdom
// Markdown that is made to be slow (Z3, N12).
import { describe, expect, it } from 'vitest';
import { compileDocument } from './document';
import { readTokens } from './grammar';
import { StreamDocument } from './streamDocument';

const options = { breaks: false };

function depthOf(tokens: readonly object[]): number {
  let deepest = 0;
  for (const token of tokens) {
    const inner = 'items' in token && Array.isArray(token.items) ? token.items : [];
    const below = 'tokens' in token && Array.isArray(token.tokens) ? token.tokens : [];
    if (inner.length + below.length > 0) deepest = Math.max(deepest, 1 + depthOf([...inner, ...below]));
  }
  return deepest;
}

describe('text made to be slow', () => {
  it.each([
    ['quotations', `${'> '.repeat(5_000)}x`],
    ['lists', `${'- '.repeat(5_000)}x`],
    ['both', `${'> - '.repeat(3_000)}x`],
  ])('Z3: %s inside each other end at a depth, with their text kept', (_, text) => {
    expect(depthOf(readTokens(text, options, {}))).toBeLessThan(80);
    const [node] = compileDocument(text, options);
    expect(node && 'html' in node ? node.html : '').toContain('x');
  });

  it.each(['[', '*a ', '**a', '`a', '[a](b', '![a](', '_a ', '~a ', '\\[', 'a@', '$a', '<a ', '&a', '[^a', 'http://a.b '])(
    'Z3: thousands of %j are read in segments and nothing of them is lost',
    (mark) => {
      const text = mark.repeat(Math.ceil(20_000 / mark.length)).trim();
      const [block] = readTokens(text, options, {});
      const raws = block && 'tokens' in block ? (block.tokens ?? []).map((token) => token.raw) : [];
      expect(raws.join('')).toBe(text);
    },
  );

  it('Z3: a table whose head makes every row thousands of cells wide is shown as written', () => {
    const text = `${'| a '.repeat(2_000)}|\n${'| - '.repeat(2_000)}|\n${'| b |\n'.repeat(50)}`;
    expect(compileDocument(text, options)).toMatchObject([{ kind: 'code' }]);
  });

  it('N12: a long open table is read again only when it has grown enough', () => {
    const made = new StreamDocument(options);
    let text = `| a | b |\n| - | - |\n${'| row | some words in a cell |\n'.repeat(150)}`;
    made.update(text);
    let drawn = 0;
    let last = made.tail[0];
    for (let row = 0; row < 150; row++) {
      text += `| row ${row} | some words in a cell |\n`;
      made.update(text);
      if (made.tail[0] !== last) drawn++;
      last = made.tail[0];
    }
    expect(drawn).toBeLessThan(15);
    made.update(`${text}\nAnd text.\n`);
    expect(made.settled).toHaveLength(1);
    expect(made.finish(`${text}\nAnd text.\n`)).toEqual(compileDocument(`${text}\nAnd text.\n`, options));
  });
});
