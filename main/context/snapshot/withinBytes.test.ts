// Tests of pages within a limit of bytes.
import { describe, expect, it } from 'vitest';
import type { Page } from './layout';
import { sizeOfAll, withinBytes } from './withinBytes';

const page = (at: number, dense: boolean): Page => ({
  ...{ advance: 8, pitch: 16, columns: 10, rows: 2, width: 80, height: 32 },
  ...{ from: at * 20, to: at * 20 + 20, dense },
});
/** `r` readable, `d` dense; each weighs 400 bytes in base64. */
const drawn = (form: string, gapBefore: number) => ({
  layout: { pages: [...form].map((one, at) => page(at, one === 'd')), dropped: 7, gapBefore },
  pngs: [...form].map(() => new Uint8Array(300)),
});
const kept = (form: string, gapBefore: number, most: number, mayGo = ({ dense }: Page) => dense) => {
  const within = withinBytes(drawn(form, gapBefore), most, mayGo);
  if (!within) return null;
  const { layout, pngs } = within;
  expect(pngs).toHaveLength(layout.pages.length);
  expect(sizeOfAll(pngs)).toBeLessThanOrEqual(most);
  return [layout.pages.map(({ from }) => from / 20).join(''), layout.dropped, layout.gapBefore];
};

describe('pages within a limit of bytes', () => {
  it('S4: leaves the oldest dense ones out and counts them, and what fits as it is', () => {
    expect(kept('rrdddrr', 2, 2800)).toEqual(['0123456', 7, 2]);
    expect(kept('rrdddrr', 2, 2799)).toEqual(['013456', 27, 2]);
    expect(kept('rrdddrr', 2, 2000)).toEqual(['01456', 47, 2]);
    expect(kept('dddd', 0, 900)).toEqual(['23', 47, 0]);
  });

  it('S4: says so where what may go is not enough', () => {
    expect(kept('rrdddrr', 2, 1500)).toBeNull();
    expect(kept('rrr', 0, 1000)).toBeNull();
    expect(kept('rrr', 0, 1000, () => true)).toEqual(['12', 27, 0]);
    expect(kept('d', 0, 100)).toBeNull();
  });
});
