import { expect, it } from 'vitest';
import { cleanTitle, titleFromText } from './titles';

it.each([
  ['"A title."', 'A title'],
  ['Title: **Trees**', 'Trees'],
  ['\n\n# Heading\nmore', 'Heading'],
  ['«Деревья»', 'Деревья'],
  ['…', '…'],
  ['   ', null],
  ['""', null],
])('U1: a model’s %j becomes the title %j', (answer, title) => {
  expect(cleanTitle(answer)).toBe(title);
});

it('U1: first words end at a word, never inside a character, and fit a row', () => {
  expect(titleFromText('  one\n two  ')).toBe('one two');
  expect(titleFromText('word '.repeat(30))).toMatch(/^(?:word )+word…$/);
  expect(titleFromText(`x${'😀'.repeat(40)}`)).not.toMatch(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])/);
  expect(titleFromText('x'.repeat(500)).length).toBeLessThanOrEqual(61);
});
