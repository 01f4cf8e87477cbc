import { describe, expect, it } from 'vitest';
import { fitScale, nextZoom, type PageZoom } from './pageZoom';

describe('how large a page is drawn', () => {
  it('M7: a page that is larger than its room fits whole, a smaller one is not enlarged', () => {
    expect(fitScale({ width: 1932, height: 1932 }, { width: 966, height: 2000 })).toBe(0.5);
    expect(fitScale({ width: 768, height: 2048 }, { width: 2000, height: 512 })).toBe(0.25);
    expect(fitScale({ width: 400, height: 300 }, { width: 2000, height: 2000 })).toBe(1);
    expect(fitScale({ width: 400, height: 300 }, { width: 0, height: 0 })).toBe(1);
  });

  it('M7: steps go over 1:1 to four times, and back to the whole page', () => {
    const walk = (from: PageZoom, way: 'in' | 'out', fit: number) => {
      const seen: PageZoom[] = [];
      for (let zoom = from; seen.length < 10; ) {
        const next = nextZoom(zoom, fit, way);
        if (next === zoom) break;
        seen.push(next);
        zoom = next;
      }
      return seen;
    };
    expect(walk('fit', 'in', 0.36)).toEqual([0.5, 0.75, 1, 2, 3, 4]);
    expect(walk(4, 'out', 0.36)).toEqual([3, 2, 1, 0.75, 0.5, 'fit']);
    expect(walk('fit', 'in', 1)).toEqual([2, 3, 4]);
    expect(walk(2, 'out', 1)).toEqual(['fit']);
  });
});
