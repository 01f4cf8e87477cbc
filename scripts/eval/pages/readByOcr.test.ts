// A page read by a program that knows nothing of Bough: legible to more than its own decoder.
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { shippedGlyphs } from '../../../main/context/snapshot/glyphsFixture';
import { decodePng, encodePng } from '../../../main/context/snapshot/png';
import { shapeFor } from '../../../main/context/snapshot/shapes';
import { enlarged, inked, pageOf } from './pageOf';
import { agreement, readByOcr } from './readByOcr';
import { samplesOf } from './samples';

const [prose] = samplesOf(resolve(import.meta.dirname, '../../..'));
const shape = shapeFor({ modelId: 'claude-opus-5', kind: 'openai-chat' });

describe('pages and a reader of another make', () => {
  it('S5, S7: prose in large cells is read by tesseract as it is', () => {
    if (!prose || !shape) throw new Error('nothing to read');
    const form = { cell: shape.readable, width: shape.width, rows: 3, isWide: false };
    const page = pageOf(shippedGlyphs(), prose.text, form);
    expect(page.characters).toBe(3 * 175);
    const read = readByOcr(page.bitmap, 'eng');
    expect(agreement(page.text, read), read).toBeGreaterThan(0.9);
    // It reads this page, not any.
    const other = pageOf(shippedGlyphs(), prose.text.slice(1000), form);
    expect(agreement(other.text, read)).toBeLessThan(0.7);
  }, 60_000);

  it('S7: an enlarged page has each pixel as a square', () => {
    if (!prose) throw new Error('nothing to draw');
    const { bitmap } = pageOf(shippedGlyphs(), prose.text, { cell: { advance: 11, pitch: 16 }, width: 110, rows: 2, isWide: false });
    const twice = enlarged(bitmap, 2);
    const ink = (rows: Uint8Array) => rows.reduce((sum, byte) => sum + byte.toString(2).replaceAll('0', '').length, 0);
    expect([twice.width, twice.height, ink(twice.rows)]).toEqual([220, 64, 4 * ink(bitmap.rows)]);
    expect(decodePng(encodePng(twice))).toEqual({ ...twice, rows: Buffer.from(twice.rows) });
  });

  it('agreement counts characters that are missing and those that are too many', () => {
    expect(agreement('abcd', 'abcd')).toBe(1);
    expect(agreement('abcd', 'abd')).toBeCloseTo(6 / 7);
    expect(agreement('abcd', 'abXXcd')).toBeCloseTo(8 / 10);
    expect(agreement('', '')).toBe(1);
    expect(inked('a b\n█c')).toBe('abc');
  });
});
