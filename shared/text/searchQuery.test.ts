import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldForSearch, foldWithPlaces } from './foldForSearch';
import { holdsAll, parseQuery, placesOf } from './searchQuery';
import { indexWords, kindOf, longestWord } from './searchWords';

const finds = (query: string, text: string) => holdsAll(parseQuery(query), [foldForSearch(text)]);
const marked = (query: string, text: string) => {
  const { folded, places } = foldWithPlaces(text);
  return placesOf(parseQuery(query), folded).map(([from, to]) => text.slice(places?.[from] ?? from, places?.[to] ?? to));
};

describe('what a query finds in a text', () => {
  it('Q1: the beginning of a word, not its middle; words in any order, all of them', () => {
    expect(finds('comp', 'A compaction of words')).toBe(true);
    expect(finds('action', 'A compaction of words')).toBe(false);
    expect(finds('wor comp', 'A compaction of words')).toBe(true);
    expect(finds('wor missing', 'A compaction of words')).toBe(false);
    expect(finds('wait', 'epoll_wait(fd)')).toBe(true);
  });

  it('Q1: a single letter is a word of its own, from two letters on it may go on', () => {
    expect(finds('c', 'written in C')).toBe(true);
    expect(finds('c', 'a cat')).toBe(false);
    expect(finds('ca', 'a cat')).toBe(true);
  });

  it('Q1: case, accents, width and quotation marks do not matter', () => {
    expect(finds('NAIVE', 'a naïve idea')).toBe(true);
    expect(finds('naïve', 'A NAIVE IDEA')).toBe(true);
    expect(finds('елка', 'Ёлка стоит')).toBe(true);
    expect(finds('ΟΔΟΣ', 'η οδός')).toBe(true);
    expect(finds('abc', 'ＡＢＣ')).toBe(true);
    expect(finds('don’t', "we don't know")).toBe(true);
  });

  it('Q1: scripts without spaces are found by any part, from one character on', () => {
    const text = '这个文件系统很快。データベースの索引があれば検索は速い。';
    for (const part of ['文', '系统', '件系统', '文件系统', '快', 'データ', 'ベース', '索引', '速い'])
      expect([part, finds(part, text)]).toEqual([part, true]);
    expect(finds('系件', text)).toBe(false);
    expect(finds('검색', '빠른검색기능')).toBe(true);
    expect(finds('ค้น', 'การค้นหา')).toBe(true);
    expect(finds('中文abc', '文中文abc')).toBe(true);
    expect(finds('中文abc', '中文字abc')).toBe(false);
  });

  it('Q1: words in quotes stand next to each other, whatever marks lie between them', () => {
    expect(finds('"bold word"', 'a **bold** word')).toBe(true);
    expect(finds('"bold word"', 'a word, bold')).toBe(false);
    expect(finds('"bold wor"', 'a bold word')).toBe(false);
    // Still being typed.
    expect(finds('"bold wor', 'a bold word')).toBe(true);
    expect(finds('“bold word”', 'a bold word')).toBe(true);
  });

  it('Q1: signs that are typed must be there', () => {
    expect(finds('c++', 'written in C++')).toBe(true);
    expect(finds('c++', 'written in C')).toBe(false);
    expect(finds('foo.bar', 'call foo.bar()')).toBe(true);
    expect(finds('foo.bar', 'foo bar')).toBe(false);
    expect(finds('--flag', 'use --flag here')).toBe(true);
    expect(finds('--flag', 'a flag')).toBe(false);
    expect(finds('=>', 'x => y')).toBe(true);
    expect(finds('=>', 'x = y')).toBe(false);
    expect(finds('👍', 'good 👍🏽 job')).toBe(true);
    expect(finds('(a|b)* [', 'what (a|b)* [ is')).toBe(true);
  });

  it('Q1: an empty query has no terms, and only the first sixteen count', () => {
    for (const query of ['', '  ', '""', '" "']) expect(parseQuery(query)).toEqual([]);
    expect(parseQuery('a '.repeat(100))).toHaveLength(16);
  });

  it('Q1: what is marked is the text as it was written', () => {
    expect(marked('naive', 'Naïve, naïveté')).toEqual(['Naïve', 'naïve']);
    expect(marked('系统', '文件系统系统')).toEqual(['系统', '系统']);
    expect(marked('fi', 'ﬁne ﬁt')).toEqual(['ﬁ', 'ﬁ']);
    expect(marked('ab a', 'ab a')).toEqual(['ab', 'a']);
  });

  it('Q1, Z3: no text makes a pattern slow', () => {
    const start = performance.now();
    finds('a-b --x "c d', `a${'-'.repeat(300_000)}${'a- '.repeat(100_000)}`);
    // Not a measurement: the slow way would take hours.
    expect(performance.now() - start).toBeLessThan(20_000);
  });
});

/** As the tokenizer `ascii` of FTS5 parts them. */
const wordsOf = (text: string) =>
  indexWords(foldForSearch(text))
    .split(/[\0-\x2f\x3a-\x60\x7b-\x7f]+/)
    .filter((word) => word !== '');
const anyText = fc.string({ unit: 'grapheme', maxLength: 60 });
const wildText = fc.oneof(
  anyText,
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc
    .array(
      fc.constantFrom(
        'ab',
        'É',
        'ß',
        'Σ',
        'ς',
        'が',
        'か\u3099',
        'ｶﾞ',
        '한',
        '\u1112\u1161\u11ab',
        'ㄱㅏ',
        'e\u0301',
        'ﬁ',
        '…',
        ' ',
        '\u0301',
        '中',
        '文',
        '👍🏽',
        'İ',
        '-',
        '½',
      ),
    )
    .map((all) => all.join('')),
);

describe('folding and words', () => {
  it('Q1: folding piece by piece gives the folded text, and each place is a place of the text, in order', () => {
    fc.assert(
      fc.property(wildText, (text) => {
        const { folded, places } = foldWithPlaces(text);
        expect(folded).toBe(foldForSearch(text));
        if (places === null) return;
        expect(places).toHaveLength(folded.length + 1);
        expect([...places].every((place, at) => place <= text.length && (at === 0 || place >= (places[at - 1] ?? 0)))).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  it('Q1: folding a folded text changes nothing', () => {
    fc.assert(
      fc.property(wildText, (text) => {
        expect(foldForSearch(foldForSearch(text))).toBe(foldForSearch(text));
      }),
      { numRuns: 1_000 },
    );
  });

  it('Q1: every word and pair of a text is found by typing it', () => {
    fc.assert(
      fc.property(wildText, (text) => {
        for (const word of new Set(wordsOf(text))) expect([word, finds(word, text)]).toEqual([word, true]);
      }),
      { numRuns: 1_000 },
    );
  });

  it('Q1: words of the index hold no space and nothing that its tokenizer would part', () => {
    fc.assert(
      fc.property(wildText, (text) => {
        for (const word of wordsOf(text)) for (const char of word) expect(kindOf(char.codePointAt(0) ?? 0)).not.toBe(0);
      }),
      { numRuns: 500 },
    );
    expect(indexWords('x'.repeat(500))).toHaveLength(longestWord);
  });
});
