import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countChanges, type Difference, differenceOf, wordsOf } from './difference';

const sideOf = (difference: Difference, side: 'left' | 'right') =>
  difference === 'tooLong' ? null : difference.pieces.map((piece) => (typeof piece === 'string' ? piece : piece[side])).join('');
/** `[left|right]` for each change. */
const shown = (left: string, right: string) => {
  const difference = differenceOf(left, right);
  if (difference === 'tooLong') return difference;
  return difference.pieces.map((piece) => (typeof piece === 'string' ? piece : `[${piece.left}|${piece.right}]`)).join('');
};

const word = fc.constantFrom(
  'the',
  'sea',
  'is',
  'blue',
  ' ',
  ' ',
  '\n',
  ', ',
  '青い',
  '海は',
  '🌊',
  '👩‍👩‍👧',
  'é',
  'e\u0301',
  'ไทย',
  '\ud83d',
  '\r\n',
);
const text = fc.oneof(
  fc.array(word, { maxLength: 60 }).map((words) => words.join('')),
  fc.string({ unit: 'binary', maxLength: 80 }),
);

describe('where two texts differ', () => {
  it('T13: what both have and what is left’s gives the left text, with right’s the right one', () => {
    fc.assert(
      fc.property(text, text, (left, right) => {
        const difference = differenceOf(left, right);
        expect([sideOf(difference, 'left'), sideOf(difference, 'right')]).toEqual([left, right]);
      }),
      { numRuns: 500 },
    );
  });

  it('T13: pieces take turns, each change changes something, equal texts have none', () => {
    fc.assert(
      fc.property(text, text, (left, right) => {
        const difference = differenceOf(left, right);
        if (difference === 'tooLong') throw new Error('these are short');
        const kinds = difference.pieces.map((piece) => typeof piece);
        expect(kinds.some((kind, at) => kind === kinds[at + 1])).toBe(false);
        for (const piece of difference.pieces) if (typeof piece !== 'string') expect(piece.left).not.toBe(piece.right);
        expect(countChanges(difference) === 0).toBe(left === right);
      }),
    );
  });

  it('T13: whole words are marked, and only those that differ', () => {
    expect(shown('The sea is blue today.', 'The sea is green today.')).toBe('The sea is [blue|green] today.');
    expect(shown('one two', 'one two three')).toBe('one two[| three]');
    expect(shown('a\nb\nc', 'a\nx\nc')).toBe('a\n[b|x]\nc');
    expect(shown('', 'new')).toBe('[|new]');
    expect(shown('red light more strongly than blue', 'red and blue')).toBe('red [light more strongly than|and] blue');
  });

  it('T13: words of scripts without spaces are found', () => {
    expect(shown('海は青いです', '海は赤いです')).toMatch(/^海は\[青い\|赤い\]です$|^海は\[青\|赤\]いです$/);
    expect(wordsOf('海は青い').length).toBeGreaterThan(1);
    // Parts of one character stay together.
    expect(wordsOf('👩‍👩‍👧 e\u0301')).toEqual(['👩‍👩‍👧', ' ', 'e\u0301']);
  });

  it('T13: stray equal words between long changes count as changed; a line break does not', () => {
    expect(shown('incomprehensible a unbelievable', 'straightforward a conceivable')).toBe(
      '[incomprehensible a unbelievable|straightforward a conceivable]',
    );
    expect(shown('incomprehensible\nunbelievable', 'straightforward\nconceivable')).toBe(
      '[incomprehensible|straightforward]\n[unbelievable|conceivable]',
    );
  });

  it('T13: texts that differ in thousands of words are compared by lines, giants not at all', () => {
    const many = (of: string) => Array.from({ length: 4000 }, (_, at) => `${of}${at}`).join(' ');
    const byLine = differenceOf(`same\n${many('a')}\nend`, `same\n${many('b')}\nend`);
    expect(byLine).toMatchObject({ unit: 'lines', pieces: ['same\n', {}, 'end'] });
    expect(countChanges(byLine)).toBe(1);
    const giant = 'x'.repeat(2_000_001);
    expect(differenceOf(giant, `${giant}y`)).toBe('tooLong');
    const lines = (of: string) => Array.from({ length: 4000 }, (_, at) => `${of} ${at} ${of.repeat(60)}`).join('\n');
    expect(differenceOf(lines('a'), lines('b'))).toBe('tooLong');
  });

  it('T13: one word in a long text is found at once, wherever it stands', () => {
    const long = 'the sea is blue. '.repeat(11_000);
    const at = long.length / 2;
    const changed = `${long.slice(0, at)}green ${long.slice(at)}`;
    expect(countChanges(differenceOf(long, changed))).toBe(1);
  });
});
