// Tests of the glyphs that ship.
import { readFileSync, statSync } from 'node:fs';
import { deflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { asSeen, cellsOf, type Glyphs, glyphRows, readGlyphs } from './glyphs';
import { glyphFile, shippedGlyphs } from './glyphsFixture';

const glyphs = shippedGlyphs();
const codeOf = (character: string) => character.codePointAt(0) ?? 0;

function rowsOf({ places, bits }: Glyphs, character: string): string[] {
  const place = places[codeOf(character)] ?? 0;
  return [...bits.subarray(place * glyphRows, (place + 1) * glyphRows)].map((row) => row.toString(2).padStart(16, '0'));
}

/** Pixels in which two differ. */
function distance(a: string, b: string): number {
  const [one, other] = [rowsOf(glyphs, a).join(''), rowsOf(glyphs, b).join('')];
  return [...one].filter((bit, at) => bit !== other[at]).length;
}

describe('glyphs', () => {
  it('S5: prints Latin, Greek, Cyrillic, boxes, arrows and currency in one cell, CJK in two', () => {
    for (const character of 'azAZ09~éßŁžœαΩжЯїґ┌─┐│█→⇒≤∞€₽₹₴₿✓✗…“”«»—') expect(cellsOf(glyphs, codeOf(character)), character).toBe(1);
    for (const character of '日本語漢字简体中文ひらカナ、。「」한글ＡＢ') expect(cellsOf(glyphs, codeOf(character)), character).toBe(2);
    expect(cellsOf(glyphs, codeOf(' '))).toBe(1);
  });

  it('S5: has nothing for characters that join, stack, run from right to left, or are not there', () => {
    for (const character of ['\u0301', 'א', 'م', 'ก', '\n', '\u0000', '\u200d', '\ud83d', '🔥'])
      expect(cellsOf(glyphs, codeOf(character))).toBe(0);
  });

  it('S5: has a zero with a slash, and no two of O 0 o l 1 I | that are near each other', () => {
    const confusable = ['O', '0', 'o', 'Q', 'D', 'l', '1', 'I', '|', '!', 'i', 'j', '7'];
    for (const [at, one] of confusable.entries())
      for (const other of confusable.slice(at + 1)) expect(distance(one, other), `${one} and ${other}`).toBeGreaterThanOrEqual(3);
    expect(distance('O', '0')).toBeGreaterThanOrEqual(6);
    expect(rowsOf(glyphs, '0')[6]).toMatch(/^01001010/);
  });

  it('S7: the list of characters that look the same is what the bitmaps say', () => {
    const classes = new Map<string, string>();
    for (let code = 0; code < 0x10000; code++) {
      const cells = cellsOf(glyphs, code);
      if (cells === 0 || code === 0x20) continue;
      const character = String.fromCharCode(code);
      const look = `${cells} ${rowsOf(glyphs, character).join()}`;
      classes.set(look, `${classes.get(look) ?? ''}${character}`);
    }
    const alike = [...classes.values()].filter((characters) => characters.length > 1).sort();
    expect(JSON.parse(readFileSync(glyphFile('alike.json'), 'utf8'))).toHaveLength(alike.length);
    expect([...JSON.parse(readFileSync(glyphFile('alike.json'), 'utf8'))].sort()).toEqual(alike);
    for (const characters of alike) expect(new Set([...characters].map((one) => asSeen(glyphs, one))).size).toBe(1);
    expect(asSeen(glyphs, 'Аbc О')).toBe('Abc O');
  });

  it('S7: no two digits or letters of ASCII look the same', () => {
    const ascii = Array.from({ length: 94 }, (_, at) => String.fromCharCode(33 + at));
    expect(new Set(ascii.map((one) => asSeen(glyphs, one))).size).toBe(94);
  });

  it('S5: is small, and refuses data of another form', () => {
    expect(statSync(glyphFile('narrow.bin')).size + statSync(glyphFile('wide.bin')).size).toBeLessThan(420_000);
    const wide = readFileSync(glyphFile('wide.bin'));
    expect(() => readGlyphs({ narrow: deflateRawSync(new Uint8Array([2, 8, 13, 0, 0])), wide })).toThrow(/form/);
  });
});
