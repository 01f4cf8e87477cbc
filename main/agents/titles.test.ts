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

it.each([
  ['**Fix** the `foo` in _bar_', 'Fix the foo in bar'],
  ['# Plan\n\n- [ ] one\n- two', 'Plan one two'],
  ['```ts\nconst a = 1;\n```\nWhat is it?', 'const a = 1; What is it?'],
  ['Look at [the page](https://a.example/b)', 'Look at the page'],
  ['**Почему** `x` здесь', 'Почему x здесь'],
  ['snake_case and 2 * 3 * 4', 'snake_case and 2 * 3 * 4'],
  ['---', '---'],
])('U1: the first words %j read as %j', (text, title) => {
  expect(titleFromText(text)).toBe(title);
});
