import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitOf as fitOfReady, readyTitle, wordsTyped } from './fuzzy';

const fitOf = (typed: string, title: string) => fitOfReady(wordsTyped(typed), readyTitle(title));

const marked = (typed: string, title: string) => {
  const fit = fitOf(typed, title);
  return fit && [...title].map((letter, at) => (fit.places.includes(at) ? letter.toUpperCase() : letter)).join('');
};
const ranked = (typed: string, titles: string[]) =>
  titles
    .flatMap((title) => {
      const fit = fitOf(typed, title);
      return fit ? [{ title, score: fit.score }] : [];
    })
    .sort((a, b) => b.score - a.score)
    .map(({ title }) => title);

describe('fitOf', () => {
  it.each([
    ['newco', 'new conversation', 'NEW COnversation'],
    ['nc', 'new conversation', 'New Conversation'],
    ['conv new', 'new conversation', 'NEW CONVersation'],
    ['regenrate', 'regenerate the last answer', 'REGENeRATE the last answer'],
    ['ELAN', 'élan of spring', 'ÉLAN of spring'],
    ['文件', '这个文件系统', '这个文件系统'],
  ])('U6: %j fits %j', (typed, title, expected) => {
    expect(marked(typed, title)).toBe(expected);
  });

  it('U6: letters out of order or scattered do not fit', () => {
    expect(fitOf('wen', 'new')).toBeNull();
    expect(fitOf('find', 'a friendly long sentence about islands and woods')).toBeNull();
    expect(fitOf('new xyz', 'new conversation')).toBeNull();
  });

  it('U6: begun words come first, then shorter titles', () => {
    expect(ranked('set', ['Reset the text', 'Settings: providers', 'Settings'])).toEqual([
      'Settings',
      'Settings: providers',
      'Reset the text',
    ]);
  });

  it('U6: whatever is typed, places are in order and hold the letters; a title fits itself', () => {
    const word = fc.stringMatching(/^[a-z]{1,12}$/);
    fc.assert(
      fc.property(word, fc.array(word, { minLength: 1, maxLength: 5 }), (typed, words) => {
        const title = words.join(' ');
        const places = fitOf(typed, title)?.places;
        if (places) expect(places.map((at) => title[at]).join('')).toBe(typed);
        expect(fitOf(words[0] ?? '', title)).not.toBeNull();
      }),
    );
  });
});
