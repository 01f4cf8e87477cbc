import { describe, expect, it } from 'vitest';
import { numberIn } from './numberIn';

describe('numberIn', () => {
  it('P2: reads whole numbers as people write them', () => {
    const tokens = (text: string) => numberIn(text, { min: 1, whole: true });
    expect(tokens('128000')).toEqual({ ok: true, value: 128_000 });
    for (const text of ['128,000', '128.000', '128 000', '128_000', '128\u00a0000'])
      expect(tokens(text)).toEqual({ ok: true, value: 128_000 });
    expect(tokens('')).toEqual({ ok: true, value: undefined });
    for (const text of ['0', '-5', '1.5', '128k', 'many']) expect(tokens(text).ok).toBe(false);
  });
  it('A1: reads a temperature with a point or a comma', () => {
    const heat = (text: string) => numberIn(text, { min: 0, max: 2 });
    expect(heat('0.7').value).toBe(0.7);
    expect(heat('0,7').value).toBe(0.7);
    expect(heat('.5').value).toBe(0.5);
    expect(heat('2.1').ok).toBe(false);
  });
});
