import { expect, it } from 'vitest';
import { cardLines } from './cardLines';

it('M7: a card falls into headings, items with their nested lines, paragraphs, and code as one', () => {
  const card =
    '## Task\nFix it\n\n## Completed\n### Parser\n- one\n  - under one\n- two\n\nlast words\n```\n- no item\n\n# no heading\n```\n';
  expect(cardLines(card)).toEqual([
    { kind: 'heading', level: 2, text: 'Task' },
    { kind: 'item', text: 'Fix it' },
    { kind: 'heading', level: 2, text: 'Completed' },
    { kind: 'heading', level: 3, text: 'Parser' },
    { kind: 'item', text: '- one\n  - under one' },
    { kind: 'item', text: '- two' },
    { kind: 'item', text: 'last words\n```\n- no item\n\n# no heading\n```' },
  ]);
});

it('M7: nothing of a card is lost, also when a fence never ends', () => {
  expect(cardLines('')).toEqual([]);
  expect(cardLines('a\n```\nb\n\nc')).toEqual([{ kind: 'item', text: 'a\n```\nb\n\nc' }]);
});
