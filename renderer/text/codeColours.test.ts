// Every colour of code on the ground it stands on, in both designs, against WCAG AA.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const code = readFileSync(join(import.meta.dirname, 'codeColours.css'), 'utf8');
const tokens = readFileSync(join(import.meta.dirname, '../ui/tokens.css'), 'utf8');

function coloursOf(css: string, theme: string): Map<string, string> {
  const block = css.split(`[data-theme='${theme}']`)[1]?.split('}')[0] ?? '';
  return new Map([...block.matchAll(/--([\w-]+):\s*(#[0-9a-f]{6})/gi)].map((match) => [match[1] ?? '', match[2] ?? '']));
}

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

describe.each(['light', 'dark'])('code in the %s design', (theme) => {
  it('U7: every colour has at least 4.5:1', () => {
    const colours = coloursOf(code, theme);
    const ground = coloursOf(tokens, theme).get('code') ?? '#808080';
    const texts = [...colours].filter(([name]) => name.startsWith('code-') && !name.endsWith('-bg'));
    expect(texts.length).toBeGreaterThan(8);
    const weak = texts
      .map(([name, colour]) => ({ name, ratio: contrast(colour, colours.get(`${name}-bg`) ?? ground) }))
      .filter(({ ratio }) => ratio < 4.5);
    expect(weak.map(({ name, ratio }) => `${name}: ${ratio.toFixed(2)}`)).toEqual([]);
  });
});
