import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { boundedTexts, type SourceText, strongest, tracer } from './lineSources';

const lineSources = <Id extends string>(line: string, texts: readonly SourceText<Id>[]) =>
  strongest(boundedTexts(texts).map(tracer<Id>(line)));

const texts = [
  { id: 'a', text: 'We talk about the weather and the parser in general.' },
  { id: 'b', text: 'The parser fails in src/lexer.ts at offset 4711.' },
  { id: 'c', text: 'Then the parser was repaired; nothing else about the weather.' },
  { id: 'd', text: 'Deploy with docker compose up, the parser stays.' },
  { id: 'e', text: 'Thanks, the parser works now.' },
];

describe('the sources of a line', () => {
  it('M7: an identifier leads to the message that has it', () => {
    expect(lineSources('- `src/lexer.ts` was wrong at 4711', texts)).toEqual(['b']);
  });

  it('M7: without an identifier rare words lead there', () => {
    expect(lineSources('Deploy through docker compose.', texts)).toEqual(['d']);
  });

  it('M7: a word that every message has, or that none has, leads nowhere', () => {
    expect(lineSources('The parser.', texts)).toEqual([]);
    expect(lineSources('Zebra crossing xylophone', texts)).toEqual([]);
    expect(lineSources('', texts)).toEqual([]);
    expect(lineSources('The parser.', [])).toEqual([]);
  });

  it('M7: words that stand there as in the line go before the same words apart', () => {
    const turns = Array.from({ length: 9 }, (_, at) => ({ id: `t${at}`, text: `Turn ${at} of many` }));
    expect(lineSources('> Turn 4 of many', turns)).toEqual(['t4']);
    expect(lineSources('- “turn  7 of many”', turns)).toEqual(['t7']);
  });

  it('M7: several sources come in the order of the path, at most five', () => {
    const many = Array.from({ length: 40 }, (_, at) => ({ id: `m${at}`, text: at % 4 === 0 ? `id-77 stands in ${at}` : 'other talk' }));
    const found = lineSources('Uses id-77.', many);
    expect(found).toHaveLength(5);
    expect(found).toEqual([...found].sort((a, b) => Number(a.slice(1)) - Number(b.slice(1))));
    expect(found.every((id) => Number(id.slice(1)) % 4 === 0)).toBe(true);
  });

  it('M7: of a very long message head and tail are looked at, and of very many the newest', () => {
    const long = `start-1 ${'x '.repeat(100_000)} end-2`;
    const around = [{ id: 'long', text: long }, ...texts];
    expect(lineSources('end-2', around)).toEqual(['long']);
    expect(lineSources('start-1', around)).toEqual(['long']);
    const heavy = Array.from({ length: 300 }, (_, at) => ({ id: `h${at}`, text: `${at === 0 ? 'only-9 ' : ''}${'word '.repeat(8000)}` }));
    expect(lineSources('only-9', heavy)).toEqual([]);
  });

  it('M7: whatever is asked, the answer holds ids that were given, once each and in order', () => {
    fc.assert(
      fc.property(fc.string(), fc.array(fc.string(), { maxLength: 12 }), (line, all) => {
        const given = all.map((text, at) => ({ id: String(at), text }));
        const found = lineSources(line, given).map(Number);
        expect(found).toEqual([...new Set(found)].sort((a, b) => a - b));
        expect(found.every((at) => at < all.length)).toBe(true);
      }),
    );
  });
});
