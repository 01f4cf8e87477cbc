// Every text and background that meet in the window, in both designs, against WCAG AA.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const css = readFileSync(join(import.meta.dirname, 'tokens.css'), 'utf8');

function tokensOf(selector: string): Map<string, string> {
  const block = css.split(selector)[1]?.split('}')[0] ?? '';
  return new Map([...block.matchAll(/--([\w-]+):\s*(#[0-9a-f]{6})/gi)].map((match) => [match[1]!, match[2]!]));
}

function luminance(hex: string): number {
  const channels = [1, 3, 5].map((at) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * channels[0]! + 0.7152 * channels[1]! + 0.0722 * channels[2]!;
}
function contrast(one: string, other: string): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light! + 0.05) / (dark! + 0.05);
}

const grounds = ['bg', 'panel', 'paper', 'raised', 'tint', 'hover', 'sel', 'code'];
const pairs: [string, string[]][] = [
  ['text', [...grounds, 'accent-soft', 'amber-soft', 'red-soft', 'added', 'removed']],
  ['soft', [...grounds, 'accent-soft', 'amber-soft', 'red-soft']],
  ['faint', [...grounds, 'added', 'removed']],
  ['accent', ['bg', 'panel', 'paper', 'raised', 'tint', 'hover', 'code', 'accent-soft', 'added']],
  ['amber', ['bg', 'panel', 'paper', 'raised', 'tint', 'hover', 'amber-soft']],
  ['red', ['bg', 'panel', 'paper', 'raised', 'tint', 'hover', 'red-soft', 'removed']],
  ['on-accent', ['accent', 'accent-hover']],
  ['on-red', ['red', 'red-hover']],
];

describe.each(["[data-theme='light']", "[data-theme='dark']"])('U7: %s', (selector) => {
  const tokens = tokensOf(selector);
  const ratio = (one: string, other: string) => contrast(tokens.get(one) ?? '#808080', tokens.get(other) ?? '#808080');

  it('U7: text has at least 4.5:1 on every ground it stands on', () => {
    const weak = pairs
      .flatMap(([text, on]) => on.map((ground) => ({ text, ground, ratio: ratio(text, ground) })))
      .filter((pair) => pair.ratio < 4.5);
    expect(weak.map((pair) => `${pair.text} on ${pair.ground}: ${pair.ratio.toFixed(2)}`)).toEqual([]);
  });

  it('U7: the focus ring and the state dots have at least 3:1', () => {
    const weak = ['focus', 'accent', 'amber', 'red']
      .flatMap((mark) => grounds.map((ground) => ({ mark, ground, ratio: ratio(mark, ground) })))
      .filter((pair) => pair.ratio < 3);
    expect(weak.map((pair) => `${pair.mark} on ${pair.ground}: ${pair.ratio.toFixed(2)}`)).toEqual([]);
  });
});
