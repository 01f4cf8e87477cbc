// A told text as it is printed (S5, S6): every character of it has a bitmap. Line breaks are a solid cell, runs of blanks one space, what the fonts
// lack is its number. Linear. Pure.
import { cellsOf, fromUnits, type Glyphs } from './glyphs';

/** A line break. The same character in a text prints as its number. */
export const lineMark = '\u2588';

/** `unprintable` of `characters` have no bitmap. */
export type Printed = { text: string; characters: number; unprintable: number };

/** What becomes of a code unit. */
const prints = 0;
const blank = 1;
const line = 2;
const number = 3;

let known: { glyphs: Glyphs; ways: Uint8Array } | null = null;

function waysOf(glyphs: Glyphs): Uint8Array {
  if (known?.glyphs === glyphs) return known.ways;
  const ways = new Uint8Array(0x10000);
  for (let code = 0; code < ways.length; code++) ways[code] = cellsOf(glyphs, code) > 0 ? prints : number;
  for (const one of ' \t\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000')
    ways[one.charCodeAt(0)] = blank;
  ways[0x0a] = line;
  ways[lineMark.charCodeAt(0)] = number;
  known = { glyphs, ways };
  return ways;
}

export function printText(glyphs: Glyphs, told: string): Printed {
  const text = told.normalize('NFC');
  const ways = waysOf(glyphs);
  const out: Out = { units: new Uint16Array(text.length + longest), length: 0 };
  let [unprintable, pairs] = [0, 0];
  for (let at = 0; at < text.length; at++) {
    if (out.units.length - out.length < longest) grow(out, text.length - at);
    const unit = text.charCodeAt(at);
    const way = ways[unit];
    if (way === prints) out.units[out.length++] = unit;
    else if (way === blank) addBlank(out);
    else if (way === line) addLine(out);
    else {
      const code = text.codePointAt(at) ?? unit;
      addNumber(out, code);
      unprintable++;
      if (code > 0xffff) at++;
      if (code > 0xffff) pairs++;
    }
  }
  return { text: fromUnits(out.units.subarray(0, out.length)), characters: text.length - pairs, unprintable };
}

type Out = { units: Uint16Array; length: number };
const spaceUnit = 0x20;
const lineUnit = lineMark.charCodeAt(0);
/** Units that one character becomes at most: `[U+10FFFF]`. */
const longest = 10;

function grow(out: Out, left: number): void {
  const more = new Uint16Array(2 * out.length + left + longest);
  more.set(out.units.subarray(0, out.length));
  out.units = more;
}

function addBlank(out: Out): void {
  const last = out.units[out.length - 1];
  if (out.length > 0 && last !== spaceUnit && last !== lineUnit) out.units[out.length++] = spaceUnit;
}

function addLine(out: Out): void {
  if (out.length > 0 && out.units[out.length - 1] === spaceUnit) out.length--;
  if (out.length > 0 && out.units[out.length - 1] !== lineUnit) out.units[out.length++] = lineUnit;
}

function addNumber(out: Out, code: number): void {
  const said = `[U+${code.toString(16).toUpperCase().padStart(4, '0')}]`;
  for (let at = 0; at < said.length; at++) out.units[out.length++] = said.charCodeAt(at);
}
