// Tests of pages as pictures: laid out, drawn, packed and read back.
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readPage } from './decode';
import { asSeen, cellsOf } from './glyphs';
import { shippedGlyphs } from './glyphsFixture';
import { layoutsOf, type Page, spansOf } from './layout';
import { decodePng, encodePng } from './png';
import { printText } from './print';
import { rasterPage } from './raster';
import { forWideText, type Shape, shapeFor } from './shapes';
import { cleaned } from './text';

const glyphs = shippedGlyphs();
const shape = (modelId: string): Shape => {
  const found = shapeFor({ modelId, kind: 'openai-chat' });
  if (!found) throw new Error(`no shape for ${modelId}`);
  return found;
};
const small: Shape = { ...shape('claude-opus-5'), width: 176, height: 96 };
const print = (text: string) => printText(glyphs, cleaned(text)).text;
const drawn = (text: string, page: Page) => encodePng(rasterPage(glyphs, text, page));
const readBack = (text: string, page: Page) => readPage(glyphs, drawn(text, page), page, spansOf(glyphs, text, page));

const anyText = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 60 }),
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.constantFrom(
        '日本語の文章、',
        '简体中文',
        '한국어',
        'e\u0301a\u0323',
        'שלום עולם',
        '👨‍👩‍👧',
        'مرحبا',
        '\n',
        '│─┐',
        'АВСabc0O',
        ' ',
      ),
    ),
    { maxLength: 60 },
  )
  .map((parts) => parts.join(''));

describe('pages', () => {
  it('S7: a page reads back as its text, up to characters that look the same, whatever the text', () => {
    const shapes = [
      small,
      forWideText(small),
      { ...shape('gemini-3-pro'), width: 203, height: 70 },
      { ...shape('claude-haiku-4-5'), width: 97, height: 48 },
    ];
    fc.assert(
      fc.property(anyText, fc.constantFrom(...shapes), (said, form) => {
        const text = print(said);
        for (const { pages } of [...layoutsOf({ glyphs, text, shape: form, most: 200 })])
          for (const page of pages) expect(readBack(text, page)).toBe(asSeen(glyphs, text.slice(page.from, page.to)));
      }),
      { numRuns: 60 },
    );
  });

  it('S7: every character that has a bitmap reads back, alone and in a crowd', () => {
    let text = '';
    for (let code = 0x21; code < 0x10000; code++) if (cellsOf(glyphs, code) > 0) text += String.fromCharCode(code);
    for (const one of [shape('gemini-3-pro'), shape('claude-opus-5')])
      for (const page of [...layoutsOf({ glyphs, text, shape: one, most: 80 })][0]?.pages ?? [])
        expect(readBack(text, page)).toBe(asSeen(glyphs, text.slice(page.from, page.to)));
  });

  it('S7: a pixel more, one less, a damaged or a foreign picture is no page', () => {
    const text = print('The quick brown fox 0O1lI| 日本');
    const page = [...layoutsOf({ glyphs, text, shape: small, most: 1 })][0]?.pages[0];
    if (!page) throw new Error('no page');
    const spans = spansOf(glyphs, text, page);
    const bitmap = rasterPage(glyphs, text, page);
    const spoiled = (change: (rows: Uint8Array) => void) => {
      const rows = bitmap.rows.slice();
      change(rows);
      return readPage(glyphs, encodePng({ ...bitmap, rows }), page, spans);
    };
    expect(spoiled(() => undefined)).toBe(asSeen(glyphs, text));
    // Between the rows, where no glyph is; and in the first letter.
    expect(spoiled((rows) => rows.fill(0x01, 1, 2))).toBeNull();
    expect(spoiled((rows) => rows.fill(0, 1, 500))).toBeNull();
    const png = drawn(text, page);
    expect(readPage(glyphs, png.slice(0, -3), page, spans)).toBeNull();
    expect(
      readPage(
        glyphs,
        png.map((byte, at) => (at === 60 ? byte ^ 1 : byte)),
        page,
        spans,
      ),
    ).toBeNull();
    expect(readPage(glyphs, new TextEncoder().encode('no picture at all'), page, spans)).toBeNull();
    expect(readPage(glyphs, png, { ...page, rows: page.rows + 1 }, spans)).toBeNull();
  });

  it('S5: is one bit a pixel, black on white, as high as its rows', () => {
    const text = print('ab\nc');
    const page = [...layoutsOf({ glyphs, text, shape: shape('gemini-3-pro'), most: 1 })][0]?.pages[0];
    if (!page) throw new Error('no page');
    const png = Buffer.from(drawn(text, page));
    expect([png.readUInt32BE(16), png.readUInt32BE(20), png[24], png[25]]).toEqual([2048, 22, 1, 3]);
    expect([...png.subarray(41, 47)]).toEqual([0xff, 0xff, 0xff, 0, 0, 0]);
    const bitmap = decodePng(png);
    expect([bitmap?.rows[1 + 2 + 257 * 10], bitmap?.rows[1 + 255]]).toEqual([0xff, 0]);
    const swapped = Buffer.from(png);
    swapped.fill(0, 41, 44).fill(0xff, 44, 47);
    swapped.writeUInt32BE(crc32(swapped.subarray(37, 47)), 47);
    expect(decodePng(swapped)).toBeNull();
  });

  it('S11: its bytes are a buffer of their own, however few, so that a thread can hand them over', () => {
    const [layout] = [...layoutsOf({ glyphs, text: 'ab', shape: small, most: 1 })];
    const png = drawn('ab', layout?.pages[0] as Page);
    expect(png.length).toBeLessThan(2000);
    expect([png.byteOffset, png.buffer.byteLength]).toEqual([0, png.length]);
  });
});

describe('layout', () => {
  const whole = (pages: readonly Page[]) => pages.map(({ from, to }) => [from, to]);

  it('S4: fills row after row, a wide character never parted', () => {
    const text = `${'a'.repeat(21)}日${'b'.repeat(3)}`;
    const [layout] = [...layoutsOf({ glyphs, text, shape: { ...small, readable: { advance: 8, pitch: 16 } }, most: 4 })];
    expect(layout?.pages).toMatchObject([{ columns: 22, rows: 2, from: 0, to: 25 }]);
    expect([...spansOf(glyphs, text, layout?.pages[0] as Page)].slice(20, 28)).toEqual([1, 0, 2, 0, 1, 1, 1, 0]);
  });

  it('S4: what does not fit readable is readable at both ends, dense between, and the oldest of that is dropped and counted', () => {
    const text = Array.from({ length: 4000 }, (_, at) => String.fromCharCode(97 + (at % 26))).join('');
    // 16 × 6 readable, 22 × 6 dense.
    const layouts = (most: number) => [...layoutsOf({ glyphs, text, shape: small, most })];
    expect(layouts(42).map(({ pages, dropped }) => [pages.length, dropped])).toEqual([
      [42, 0],
      [32, 0],
      [31, 0],
    ]);
    const [tight] = layouts(20);
    expect(tight?.pages.map(({ dense }) => (dense ? 'd' : 'r')).join('')).toBe('rrrddddddddddddddrrr');
    expect(tight).toMatchObject({ dropped: 4000 - 6 * 96 - 14 * 132, gapBefore: 3 });
    const places = whole(tight?.pages ?? []);
    expect(places[2]).toEqual([192, 288]);
    expect(places[3]?.[0]).toBe(288 + (tight?.dropped ?? 0));
    expect(places.at(-1)?.[1]).toBe(4000);
  });

  it('S4: all pages together hold every character once, in order, but those that are counted as dropped', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 1, max: 12 }), (said, most) => {
        const text = print(`.${said}`);
        for (const { pages, dropped, gapBefore } of [...layoutsOf({ glyphs, text, shape: small, most })]) {
          expect(pages.length).toBeLessThanOrEqual(most);
          let at = 0;
          for (const [index, page] of pages.entries()) {
            if (index === gapBefore) at += dropped;
            expect(page.from).toBe(at);
            at = page.to;
          }
          expect(at).toBe(text.length);
        }
      }),
    );
  });

  it('S4: two megabytes without a line break are laid out', () => {
    const [layout] = [...layoutsOf({ glyphs, text: 'x'.repeat(2_000_000), shape: shape('gemini-3-pro'), most: 80 })];
    expect(layout?.pages).toHaveLength(63);
    expect(layout?.dropped).toBe(0);
  });
});
