// Cutting JSON into pieces, and making JSON of what was cut off: for any value, any place of the cut, any size of chunks.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { closeCut } from './closeCut';
import { JsonPieces } from './jsonPieces';

function cut(text: string, chunk: number): { values: unknown[]; pieces: JsonPieces } {
  const pieces = new JsonPieces();
  const bytes = Buffer.from(text, 'utf8');
  const values: unknown[] = [];
  for (let at = 0; at < bytes.length; at += chunk)
    for (const piece of pieces.push(bytes.subarray(at, at + chunk)))
      values.push(JSON.parse(piece.kind === 'member' ? `{${piece.bytes}}` : String(piece.bytes)));
  expect(pieces.end()).toEqual([]);
  return { values, pieces };
}

const anyJson = fc.jsonValue({ maxDepth: 5, stringUnit: 'binary' });
const layouts = fc.constantFrom(undefined, 2, '\t');
const chunks = fc.integer({ min: 1, max: 40 });

describe('pieces of JSON', () => {
  it('I3: the elements of a list come out as they are, wherever chunks end', () => {
    fc.assert(
      fc.property(fc.array(anyJson), layouts, chunks, (list, layout, chunk) => {
        expect(cut(JSON.stringify(list, null, layout), chunk).values).toEqual(JSON.parse(JSON.stringify(list)));
      }),
    );
  });

  it('I3: the members of an object come out one by one, `__proto__` among them', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ unit: 'binary' }), anyJson), layouts, chunks, (object, layout, chunk) => {
        const text = JSON.stringify({ ...object, conversations: 1 }, null, layout);
        const entries = cut(text, chunk).values.flatMap((value) => Object.entries(Object(value)));
        expect(Object.fromEntries(entries)).toEqual(JSON.parse(text));
      }),
    );
    expect(cut('{"__proto__":{"a":1}}', 3).values.map((value) => Object.keys(Object(value)))).toEqual([['__proto__']]);
  });

  it('I3: a list inside a wrapping object is taken apart, too', () => {
    fc.assert(
      fc.property(fc.array(anyJson), layouts, chunks, (list, layout, chunk) => {
        const text = JSON.stringify({ version: 1, conversations: list, after: [1] }, null, layout);
        const [first, ...rest] = cut(text, chunk).values;
        expect(first).toEqual({ version: 1 });
        expect(rest.slice(0, -1)).toEqual(JSON.parse(JSON.stringify(list)));
        expect(rest.at(-1)).toEqual({ after: [1] });
      }),
    );
  });

  it('I3: a piece beyond the limit is told and not kept, and the next one is read', () => {
    const pieces = new JsonPieces(100);
    const found = pieces.push(Buffer.from(JSON.stringify(['a', 'x'.repeat(500), 'b'])));
    expect(found.map(({ tooLarge, bytes }) => [tooLarge, String(bytes)])).toEqual([
      [false, '"a"'],
      [true, ''],
      [false, '"b"'],
    ]);
  });
});

describe('cut JSON', () => {
  it('I4: cut anywhere, what is left is JSON again, and holds nothing that was not there', () => {
    fc.assert(
      fc.property(anyJson, fc.nat(), (value, place) => {
        const text = JSON.stringify([value, value]);
        const closed = closeCut(text.slice(0, place % text.length));
        if (closed === null) return;
        const parsed: unknown = JSON.parse(closed);
        expect(JSON.stringify(parsed).length).toBeLessThanOrEqual(text.length);
        expect(Array.isArray(parsed)).toBe(true);
      }),
    );
  });

  it('I4: everything that was whole before the cut is kept', () => {
    const text = JSON.stringify({ a: { b: [1, 2, { c: 'd' }] }, e: 'f', g: [7, 8] });
    expect(JSON.parse(closeCut(text.slice(0, text.indexOf('"f"') + 2)) ?? '')).toEqual({ a: { b: [1, 2, { c: 'd' }] } });
    expect(JSON.parse(closeCut(text.slice(0, -3)) ?? '')).toEqual({ a: { b: [1, 2, { c: 'd' }] }, e: 'f', g: [7] });
  });
});
