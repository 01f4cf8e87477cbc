import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OutlineIndex } from '../../../../shared/tree/outline';
import { outlineOf, randomTurns } from '../../../../shared/tree/outlineArbitrary';
import { type OutlineMap, outlineMap } from '../../../../shared/tree/outlineMap';
import { nodeAt, placeOf, spaceOf } from './mapSpace';

const view = { width: 348, height: 700 };
const maps = randomTurns.map((bones): OutlineMap => outlineMap(outlineOf(OutlineIndex.of(bones), bones.at(-1)?.id ?? null)));

describe('the map in pixels', () => {
  it('U5: all of it fits into the view at its least zoom, and never beyond the usual size', () => {
    fc.assert(
      fc.property(maps, fc.double({ min: 0.5, max: 2, noNaN: true }), (map, unit) => {
        const space = spaceOf(map, view, 0, unit);
        expect(space.zoom).toBeLessThanOrEqual(1);
        for (const node of map.nodes) {
          const { x, y } = placeOf(space, node);
          expect(x).toBeLessThan(view.width);
          expect(y).toBeLessThan(view.height);
        }
      }),
    );
  });

  it('U5: at every zoom a node is found where it stands', () => {
    fc.assert(
      fc.property(maps, fc.double({ min: 0.6, max: 2.5, noNaN: true }), (map, zoom) => {
        const space = spaceOf(map, view, zoom, 1);
        for (const [at, node] of map.nodes.entries()) {
          const { x, y } = placeOf(space, node);
          expect(nodeAt(map, space, { x, y })).toBe(at);
          expect(nodeAt(map, space, { x: x + 5, y: y - 5 })).toBe(at);
        }
        expect(nodeAt(map, space, { x: -100, y: -100 })).toBe(-1);
      }),
    );
  });
});
