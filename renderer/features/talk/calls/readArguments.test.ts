// What a call's line can say from its arguments, whatever a model writes.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { noteOf, objectOf } from './callLook';
import { readArguments } from './readArguments';

const given = fc.dictionary(
  fc.string({ minLength: 1, maxLength: 8 }),
  fc.oneof(fc.string({ unit: 'binary', maxLength: 40 }), fc.integer()),
  {
    minKeys: 1,
    maxKeys: 4,
  },
);

describe('readArguments', () => {
  it('A5: a bare line end in a text is read, other control characters stay', () => {
    expect(readArguments('{"a\u007f": "x\ny\u0085", "b', true).values).toEqual({ 'a\u007f': 'x y\u0085' });
  });

  it('A5: of arguments cut anywhere, each text that is read is a beginning of what it will be', () => {
    fc.assert(
      fc.property(given, fc.nat(), (values, at) => {
        // A name that JSON.parse treats in a way of its own is no name of an argument.
        fc.pre(!('__proto__' in values));
        const text = JSON.stringify(values);
        const cut = text.slice(0, at % text.length);
        const read = readArguments(cut, true);
        expect(read.whole).toBe(false);
        for (const [name, value] of Object.entries(read.values)) {
          if (typeof value === 'string') {
            // Half of a pair of code units, or of an escape, may be missing its other half.
            const sure = value.replace(/[\ud800-\udbff\\]$/, '');
            expect(String(values[name]).startsWith(sure)).toBe(true);
          } else expect(value).toBe(values[name]);
        }
        expect(readArguments(text)).toEqual({ values, whole: true });
      }),
      { numRuns: 500 },
    );
  });

  it('A5: what is no object at all is read as nothing, and never thrown at', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.json()), (text) => {
        const { values, whole } = readArguments(text);
        expect(typeof values).toBe('object');
        if (!/[{"]/.test(text)) expect([values, whole]).toEqual([{}, false]);
      }),
    );
    expect(readArguments('"{\\"path\\":\\"a\\"}"')).toEqual({ values: { path: 'a' }, whole: true });
  });

  it('A5: only the beginning of a long text that is being written is looked at', () => {
    const content = 'x'.repeat(1_000_000);
    expect(readArguments(`{"path":"a.md","content":"${content}`, true).values.path).toBe('a.md');
    expect(readArguments(`{"content":"${content}","path":"a.md"}`, true).values.path).toBeUndefined();
    expect(readArguments(`{"content":"${content}","path":"a.md"}`).values.path).toBe('a.md');
  });
});

describe('what a line says', () => {
  it('A5: the object of each tool is what it is about', () => {
    const table = [
      ['read_file', { path: 'a.ts', offset: 3 }, 'a.ts'],
      ['list_files', { path: '.' }, ''],
      ['list_files', { path: 'src', glob: '*.ts' }, '*.ts in src'],
      ['search_files', { pattern: 'a  b', path: 'src' }, 'a b'],
      ['run_command', { command: 'a\n  && b' }, 'a && b'],
      ['fetch_url', { url: 'https://a.org/x' }, 'a.org/x'],
      ['rewind', { label: 'clean', digest: 'long' }, 'clean'],
      ['tasks', { tasks: [] }, ''],
      ['weather', { days: 3, city: 'Oslo' }, 'Oslo'],
      ['run_command', { command: 5 }, '5'],
      ['run_command', { command: { a: 1 } }, ''],
    ] as const;
    for (const [name, values, object] of table) expect(objectOf(name, values), name).toBe(object);
  });

  it('A5: what the line says already is not said twice', () => {
    const long = `npm test ${'-- --flag '.repeat(20)}`.trim();
    const table = [
      ['Read src/a.ts (120 lines)', 'src/a.ts', '120 lines'],
      ['Read src/a.ts, lines 1 to 9 of 20', 'src/a.ts', 'lines 1 to 9 of 20'],
      ['src/a.ts is empty', 'src/a.ts', 'is empty'],
      ['Ran npm test (exit code 0, 1.2 s)', 'npm test', 'exit code 0'],
      [`Ran ${long.slice(0, 99)}… (exit code 1, 1.2 s, no output)`, long, 'exit code 1, no output'],
      ['Found 3 matching lines in 2 files for foo', 'foo', 'Found 3 matching lines in 2 files'],
      ['No match for foo', 'foo', 'No match'],
      ['Listed 12 files: src', 'src', '12 files'],
      ['Listed 12 files: .', '', '12 files'],
      ['Fetched https://a.b/c (200, "T", 12 bytes)', 'a.b/c', '200, "T", 12 bytes'],
      ['Wrote a.txt (new, 1 line)', 'a.txt', 'new, 1 line'],
      ['3 of 5 tasks done', '', '3 of 5 tasks done'],
      ['', 'x', ''],
    ] as const;
    for (const [summary, object, note] of table) expect(noteOf(summary, object), summary).toBe(note);
  });
});
