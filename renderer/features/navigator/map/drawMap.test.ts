import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { OutlineIndex } from '../../../../shared/tree/outline';
import { outlineOf } from '../../../../shared/tree/outlineArbitrary';
import { outlineMap } from '../../../../shared/tree/outlineMap';
import { drawMap, type Scene } from './drawMap';
import { spaceOf } from './mapSpace';
import type { Pen } from './pen';

let lines: number;
beforeEach(() => {
  lines = 0;
  vi.stubGlobal(
    'Path2D',
    class {
      moveTo() {
        lines++;
      }
      lineTo = vi.fn();
      quadraticCurveTo = vi.fn();
    },
  );
});
afterEach(() => vi.unstubAllGlobals());

/** A path that is left once by each of its turns. */
function comb(size: number) {
  const bones = Array.from({ length: size }, (_, at) => [
    { seq: at * 2 + 1, id: `m${at}`, parentId: at === 0 ? null : `m${at - 1}`, role: 'user' as const, turnId: null },
    { seq: at * 2 + 2, id: `s${at}`, parentId: at === 0 ? null : `m${at - 1}`, role: 'user' as const, turnId: null },
  ]).flat();
  return outlineMap(outlineOf(OutlineIndex.of(bones), `m${size - 1}`));
}

function draw(change: Partial<Scene> & { zoom?: number } = {}) {
  const map = change.map ?? comb(2_000);
  const view = { width: 348, height: 700 };
  const said: string[] = [];
  let dots = 0;
  const pen: Pen = {
    begin: vi.fn(),
    fade: vi.fn(),
    stroke: vi.fn(),
    flag: vi.fn(),
    dot() {
      dots++;
    },
    text(text) {
      said.push(text);
      return text.length * 6;
    },
  };
  const space = spaceOf(map, view, change.zoom ?? 1, 1);
  drawMap(pen, { map, space, view, scroll: { x: 0, y: 0 }, hovered: -1, found: null, text: (node) => node.key, count: String, ...change });
  return { said, dots, lines };
}

describe('drawing the map', () => {
  it('U5, N6: draws what is in view, and nothing of the rest', () => {
    const top = draw();
    expect(top.said.slice(0, 2)).toEqual(['s0', 's1']);
    expect(top.dots).toBeLessThan(150);
    expect(top.lines).toBeLessThan(80);
    const below = draw({ scroll: { x: 0, y: 28_000 } });
    expect(below.said).toContain('s1000');
    expect(below.said).not.toContain('s0');
    expect(below.dots).toBeLessThan(150);
    // Of each row the last node, whose words may reach in.
    expect(draw({ scroll: { x: 5_000, y: 0 } }).said).not.toContain('m0');
  });

  it('U5: with all of it in view there are lines, the tip, and what is marked', () => {
    const all = draw({ zoom: 0 });
    expect(all.lines).toBe(3_998);
    expect(all.dots).toBeLessThan(5);
    expect(all.said).toEqual([]);
  });

  it('U5, Q1: while something is searched for, only that is named', () => {
    expect(draw({ found: new Set(['s3']) }).said).toEqual(['s3']);
  });
});
