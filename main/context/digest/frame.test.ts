// Tests of how long texts keep their ends.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { endsOf, leftOut, withoutNotes } from './frame';

describe('the ends of a long text', () => {
  it('L18, M2: no word is parted where there is a blank near, so that what is quoted of a path or id is one', () => {
    const text = Array.from({ length: 400 }, (_, at) => `src/harbour/file${at}.ts keeps OAK-${at * 7}`).join(' ');
    for (let most = 300; most < 900; most += 7) {
      const { head, tail, left } = endsOf(text, most);
      expect(text.startsWith(`${head} `) || text.startsWith(head.trimEnd()), head.slice(-30)).toBe(true);
      for (const word of [...head.split(/\s+/), ...tail.split(/\s+/)].filter(Boolean)) expect(text.split(' ')).toContain(word);
      expect(head.length + left + tail.length).toBe(text.length);
    }
  });

  it('L18: whatever the text, both ends are its own, together no longer than asked, and nothing is lost in between', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 600 }), fc.integer({ min: 1, max: 500 }), (text, most) => {
        const { head, left, tail } = endsOf(text, most);
        expect(text.startsWith(head)).toBe(true);
        expect(text.endsWith(tail)).toBe(true);
        expect(head.length + left + tail.length).toBe(text.length);
        expect(head.length + tail.length).toBeLessThanOrEqual(Math.max(most, text.length <= most ? text.length : 0));
      }),
    );
  });

  it('M2: the notes of the program are taken out whole', () => {
    expect(withoutNotes(`one ${leftOut(27032)} two`)).toBe('one  two');
  });
});
