import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readLongText } from './longText';

describe('a very long text', () => {
  it('N18: is cut into pieces that hold all of it, in order', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: fc.constantFrom('a', '🙂', ' ', '線'), maxLength: 30 }), { minLength: 500, maxLength: 900 }),
        (lines) => {
          const text = lines.join('\n');
          const long = readLongText(text);
          expect(long?.lines).toBe(text.endsWith('\n') ? lines.length - 1 : lines.length);
          expect(long?.pieces.join('\n')).toBe(text);
          expect(text.startsWith(long?.start ?? '-')).toBe(true);
        },
      ),
      { numRuns: 20 },
    );
  });

  it('N18: one line without an end is cut too, never inside a character', () => {
    const text = '🙂'.repeat(50_000);
    const long = readLongText(text);
    expect(long?.pieces.join('')).toBe(text);
    for (const piece of long?.pieces ?? []) expect([...piece].every((one) => one === '🙂')).toBe(true);
  });

  it('N18: 5 MB are no more than a few hundred small pieces', () => {
    const long = readLongText('some words of a pasted log\n'.repeat(190_000));
    expect(long?.pieces.length).toBeLessThan(1_000);
    expect(Math.max(...(long?.pieces.map((piece) => piece.length) ?? []))).toBeLessThanOrEqual(6_000);
  });

  it('N18: an ordinary text is left alone', () => {
    expect(readLongText('a few\nlines')).toBeNull();
  });
});
