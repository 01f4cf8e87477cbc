// What counts as an identifier, and that the check of a card is exact, bounded in time and cannot be fooled by its own order.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkIdentifiers, identifiersIn } from './identifiers';
import { presentIn } from './presentIn';

const ids = (text: string) => [...identifiersIn(text)].sort();

describe('identifiers', () => {
  it.each([
    [
      'paths',
      'Look at src/parser.ts, ./run.sh, /etc/hosts and C:\\Users\\me\\a.txt.',
      ['./run.sh', '/etc/hosts', 'C:\\Users\\me\\a.txt', 'src/parser.ts'],
    ],
    ['paths upwards', 'from ../../shared/ids, in ../a.ts', ['../../shared/ids', '../a.ts']],
    ['file names', 'package.json (and .env, a README.md)', ['.env', 'README.md', 'package.json']],
    ['lines of files', 'fails in parser.ts:128', ['128', 'parser.ts']],
    ['URLs', 'See https://example.org/a?b=1#c, (http://x.y:80/z).', ['http://x.y:80/z', 'https://example.org/a?b=1#c']],
    ['hashes and ids', 'commit 9f8e7d6, msg_12, T13, gpt-4o', ['9f8e7d6', 'T13', 'gpt-4o', 'msg_12']],
    ['UUIDs', '123e4567-e89b-12d3-a456-426614174000', ['123e4567-e89b-12d3-a456-426614174000']],
    ['numbers', '7 of 42, 128, 1,500 and 2024-05-17', ['1,500', '128', '2024-05-17']],
    ['units and versions', '12 ms, 8 MiB, 40%, v1.2, 2.0.1, $3', ['$3', '12 ms', '2.0.1', '40%', '8 MiB', 'v1.2']],
    [
      'names',
      'parseTable, MAX_SIZE, HttpServer, run(), --no-verify, #12, @alice',
      ['#12', '--no-verify', '@alice', 'HttpServer', 'MAX_SIZE', 'parseTable', 'run()'],
    ],
    ['quoted text', 'say "no tabs please", `npm test`, “so it is” and «да, так»', ['no tabs please', 'npm test', 'so it is', 'да, так']],
    ['other scripts', 'файл данные/отчёт.csv', ['данные/отчёт.csv']],
    ['nothing in prose', 'It’s the 1st and/or 2nd of 3 (e.g. this). Don’t "hm" - well-known, I/O.', []],
  ])('M2: %s', (_, text, expected) => {
    expect(ids(text)).toEqual([...expected].sort());
  });

  it('M2: long quotes and long runs are data, not identifiers', () => {
    expect(ids(`"${'word '.repeat(30)}" and ${'Ab3'.repeat(200)}`)).toEqual([]);
  });
});

describe('the check of a card', () => {
  const source = 'Fix src/a.ts, id 9f8e7d6.\nresult: port 8080, token xyz_1';
  const own = 'Fix src/a.ts, id 9f8e7d6.';

  it('M2: counts what the rebuilt context kept, anywhere in it, and names what nobody said', () => {
    expect(checkIdentifiers({ source, own, rebuilt: 'in /w/src/a.ts:3', card: 'src/a.ts on port 8080, then src/b.ts' })).toEqual({
      kept: 1,
      total: 2,
      suspect: ['src/b.ts'],
    });
  });

  it('M2: a number within a longer one is not kept; another break of the line is', () => {
    const check = (rebuilt: string) => checkIdentifiers({ source: '', own: 'took 125 and "no tabs please"', rebuilt, card: '' }).kept;
    expect(check('1254')).toBe(0);
    expect(check('0.125')).toBe(1);
    expect(check('no tabs\n please, ever')).toBe(1);
    expect(check('No tabs please')).toBe(0);
  });

  const text = fc
    .array(
      fc.oneof(
        fc.constantFrom(
          'src/a.ts',
          '"quoted words"',
          'https://x.org/a',
          '128',
          '12 ms',
          'camelCase',
          '`',
          '"',
          '\n',
          ' and ',
          '/',
          '.',
          '9f8e7d6',
        ),
        fc.string({ unit: 'binary', maxLength: 12 }),
        fc.string({ maxLength: 12 }),
      ),
      { maxLength: 30 },
    )
    .map((pieces) => pieces.join(' '));

  it('M2: the same each time, never more kept than there are, nothing suspect in a card of source text', () => {
    fc.assert(
      fc.property(text, text, text, text, (source, own, rebuilt, card) => {
        const check = checkIdentifiers({ source, own, rebuilt, card });
        expect(checkIdentifiers({ source, own, rebuilt, card })).toEqual(check);
        expect(check.kept).toBeLessThanOrEqual(check.total);
        expect(checkIdentifiers({ source: `${card}\n${source}`, own, rebuilt, card }).suspect).toEqual([]);
        expect(checkIdentifiers({ source, own, rebuilt: [rebuilt, own], card })).toMatchObject({ kept: check.total, total: check.total });
      }),
      { numRuns: 500 },
    );
  });

  it('M2: finds what a plain search by token finds', () => {
    const word = fc
      .array(fc.constantFrom('a', 'b', '1', '22', '/', '.', '-', ' '), { minLength: 1, maxLength: 5 })
      .map((parts) => parts.join(''));
    const spaced = (one: string) => ` ${(one.match(/\d+|[a-z]+|[^\sa-z\d]/g) ?? []).join(' ')} `;
    fc.assert(
      fc.property(fc.uniqueArray(word, { maxLength: 8 }), fc.array(word, { maxLength: 12 }), (wanted, drawn) => {
        const set = new Set(wanted.filter((one) => one.trim() !== ''));
        const all = drawn.join('');
        expect(presentIn(set, [all])).toEqual(new Set([...set].filter((one) => spaced(all).includes(spaced(one)))));
      }),
    );
  });

  it.each([
    ['prose', 'The quick brown fox reads src/file.ts at 128 ms. '],
    ['openers', '“«„「`"'],
    ['a run', 'a'],
    ['slashes', '/'],
    ['digits', '1,'],
    ['dots and digits', '1.a'],
    ['camels', 'aB_'],
    ['schemes', 'abc://'],
    ['colons', 'a:/'],
    ['blanks', ' '],
    ['short ids', 'a1 b2_c '],
  ])('M2: time is linear in the text: %s', (_, unit) => {
    const time = (size: number) => {
      const made = unit.repeat(Math.ceil(size / unit.length));
      const start = performance.now();
      checkIdentifiers({ source: made, own: made, rebuilt: made, card: made.slice(0, 8_000) });
      return performance.now() - start;
    };
    time(25_000);
    expect(time(500_000)).toBeLessThan(40 * (time(25_000) + 25));
  });

  it('M2: two megabytes of different identifiers', () => {
    const own = Array.from({ length: 60_000 }, (_, at) => `src/dir${at % 97}/file_${at}.ts`).join(' ');
    const start = performance.now();
    expect(checkIdentifiers({ source: own, own, rebuilt: own, card: own.slice(0, 8_000) })).toMatchObject({ kept: 60_000, total: 60_000 });
    expect(performance.now() - start).toBeLessThan(8_000);
  });
});
