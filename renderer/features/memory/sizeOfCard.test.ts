// The editor of a card counts as main does (M1, M7).
import { expect, it } from 'vitest';
import { sizeOfCard } from './sizeOfCard';

it.each([
  ['prose', 'Move the oak to the other side of the garden before the frost. '.repeat(10), 136],
  ['arrows and boxes', '→ ✓ │ ┼ █ '.repeat(20), 99],
  ['Chinese', '把橡树移到花园的另一边。'.repeat(10), 91],
])('M1, M7: %s are counted by what their characters cost, not by how many there are', (_, text, tokens) => {
  expect(sizeOfCard(text)).toEqual({ bytes: Buffer.byteLength(text), tokens });
});

it('M7: nothing is nothing', () => {
  expect(sizeOfCard('')).toEqual({ bytes: 0, tokens: 0 });
});
