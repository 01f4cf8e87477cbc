import { describe, expect, it } from 'vitest';
import { plainWords } from './plainWords';

describe('plain words of Markdown', () => {
  it.each([
    ['The **reeds** bend in the `wind`, _slowly_ and ~~not~~ at *dusk*.', 'The reeds bend in the wind, slowly and not at dusk.'],
    ['# A heading\n\nand text', 'A heading and text'],
    ['> quoted\n> on', 'quoted on'],
    ['- one\n- [x] two', 'one two'],
    ['Look at [the page](https://a.example/b_(c) "title") and ![a picture](x.png)', 'Look at the page and a picture'],
    ['```ts\nconst a = 1;\n```\nDone', 'const a = 1; Done'],
    ['| Tree | Height | | --- | ---: | | Oak | 30 m |', 'Tree · Height · Oak · 30 m'],
    ['| Tree | Height |\n|---|---:|\n| Oak | 30 m |', 'Tree · Height · Oak · 30 m'],
  ])('U5: %j reads as %j', (markdown, words) => expect(plainWords(markdown)).toBe(words));

  it.each([
    'snake_case_name and 2 * 3 * 4',
    'a*b*c, __init',
    'cut in the **middle',
    'a `cut',
    'C# and F#, #tag',
    '$x_1 + x_2$',
    'x || y',
    'Объясни, почему',
    '3) is no list - is it',
  ])('U5: %j stays as it is', (text) => expect(plainWords(text)).toBe(text));

  it('U5: what is in code stays as it is', () => expect(plainWords('use `a_b_ *c*` here')).toBe('use a_b_ *c* here'));
});
