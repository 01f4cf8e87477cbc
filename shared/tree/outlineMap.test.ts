import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OutlineIndex } from './outline';
import { outlineOf, randomTurns } from './outlineArbitrary';
import { type OutlineMap, outlineMap } from './outlineMap';
import { tallTree } from './treeArbitrary';

const bonesOf = (spec: string) =>
  spec.split(' ').map((each, at) => {
    const [id = '', parentId = null] = each.split('<');
    return { seq: at + 1, id, parentId, role: 'user' as const, turnId: null };
  });
const mapOf = (spec: string, tip = '') => outlineMap(outlineOf(OutlineIndex.of(bonesOf(spec)), tip || null));
/** Names by row and column. */
const drawn = (map: OutlineMap) =>
  map.byRow.map((row) =>
    row.reduce((line, at) => {
      const { column, key } = map.nodes[at] ?? { column: 0, key: '' };
      return line.padEnd(column, '.') + key;
    }, ''),
  );
const placesOf = ({ nodes }: OutlineMap) => nodes.map(({ key, row, column }) => `${key} ${row} ${column}`);

const withTip = randomTurns.chain((bones) => fc.tuple(fc.constant(bones), fc.nat(bones.length - 1)));

describe('the map of a tree', () => {
  it('U5: the longest branch goes straight on, the others stand to its right', () => {
    expect(drawn(mapOf('a b<a c<b d<b e<a f<e h<a'))).toEqual(['a', 'b.eh', 'cdf']);
    expect(drawn(mapOf('a b<a c<a d<b e<b f<e'))).toEqual(['a', 'bc', 'ed', 'f']);
  });

  it('U5: turns that have no node are counted on the line to the next one', () => {
    const { nodes } = mapOf('a b<a c<b d<c e<d f<e g<f h<b', 'e');
    expect(nodes.map(({ key, hidden, onPath, isTip, isHead }) => [key, hidden, onPath, isTip, isHead])).toEqual([
      ['a', 0, true, false, false],
      ['b', 0, true, false, false],
      ['c', 0, true, false, true],
      ['e', 1, true, true, false],
      ['g', 1, false, false, false],
      ['h', 0, false, false, true],
    ]);
  });

  it('U5, Q1: what a search found has a node', () => {
    const index = OutlineIndex.of(bonesOf('a b<a c<b d<c e<d f<e'));
    const outline = outlineOf(index, null);
    const [first] = outline.runs[0]?.shown ?? [];
    if (!first) throw new Error('no turn');
    const found = { ...first, id: 'd' as typeof first.id, at: 3 };
    expect(outlineMap(outline, new Map([[0, [found]]])).nodes.map(({ key, hidden }) => [key, hidden])).toEqual([
      ['a', 0],
      ['d', 2],
      ['f', 1],
    ]);
  });

  it('U5: no two nodes in one place, children below and not left of their parents, no line across another', () => {
    fc.assert(
      fc.property(withTip, ([bones, tip]) => {
        const { nodes, byRow, columns, roots } = outlineMap(outlineOf(OutlineIndex.of(bones), bones[tip]?.id ?? null));
        expect(new Set(nodes.map(({ row, column }) => `${row}:${column}`)).size).toBe(nodes.length);
        for (const [at, node] of nodes.entries()) {
          const above = nodes[node.parent];
          expect((above?.children ?? roots).includes(at)).toBe(true);
          expect(node.row).toBe(above ? above.row + 1 : 0);
          expect(node.column).toBeGreaterThanOrEqual(above?.column ?? 0);
          expect(node.column).toBeLessThan(columns);
        }
        for (const row of byRow) {
          const line = row.map((at) => nodes[at]);
          for (const [at, right] of line.entries()) {
            const left = line[at - 1];
            if (!left || !right) continue;
            expect(left.room).toBe(right.column - left.column - 1);
            // What hangs from one node stands together, so lines of different nodes never meet.
            const from = nodes[right.parent]?.column ?? 0;
            expect(left.parent === right.parent || left.column < from).toBe(true);
          }
        }
      }),
    );
  });

  it('U5: the same tree has the same map, wherever the tip is', () => {
    fc.assert(
      fc.property(withTip, ([bones, tip]) => {
        const index = OutlineIndex.of(bones);
        const all = () => true;
        const map = outlineMap(outlineOf(index, bones[tip]?.id ?? null, all));
        expect(placesOf(map)).toEqual(placesOf(outlineMap(outlineOf(index, bones[0]?.id ?? null, all))));
        expect(map.nodes[map.tip]?.isTip).toBe(true);
      }),
    );
  });

  it('N6, U5: a tree of any depth, and of any width, without a stack of calls', () => {
    const deep = tallTree(30_000).map((bone) => ({ ...bone, role: 'user' as const, turnId: null }));
    // Every message of the path is left once.
    const comb = deep.flatMap((bone, at) => [
      { ...bone, seq: at * 2 + 1 },
      { ...bone, id: `s${at}`, parentId: bone.parentId, seq: at * 2 + 2 },
    ]);
    const map = outlineMap(outlineOf(OutlineIndex.of(comb), 'm29999'));
    expect([map.columns, map.byRow.length, map.nodes.length]).toEqual([2, 30_000, 60_000]);
    const wide = Array.from({ length: 30_000 }, (_, at) => ({
      seq: at + 1,
      id: `m${at}`,
      parentId: at === 0 ? null : 'm0',
      role: 'user' as const,
      turnId: null,
    }));
    expect(outlineMap(outlineOf(OutlineIndex.of(wide), null)).columns).toBe(29_999);
  });
});
