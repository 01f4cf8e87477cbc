// Walks by jumps against walks by parents, on random trees.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Bone, derive } from './derive';
import { ancestorAtDepth, commonAncestor, DamagedTree, isOnPath, jumpOfChild, type Link, type LookUp } from './links';
import { randomTree, tallTree } from './treeArbitrary';

const lookUpIn = (bones: readonly Bone[]): LookUp => {
  const derived = derive(bones);
  return (id) => derived.get(id);
};
const pathIn = (bones: readonly Bone[], id: string): string[] => {
  const parentOf = new Map(bones.map((bone) => [bone.id, bone.parentId]));
  const path: string[] = [];
  for (let at: string | null = id; at !== null; at = parentOf.get(at) ?? null) path.unshift(at);
  return path;
};
const link = (lookUp: LookUp, id: string): Link => {
  const found = lookUp(id);
  if (found === undefined) throw new Error(`no ${id}`);
  return found;
};
const twoOf = randomTree.chain((bones) =>
  fc.record({
    bones: fc.constant(bones),
    a: fc.nat(bones.length - 1),
    b: fc.nat(bones.length - 1),
    depth: fc.integer({ min: -2, max: bones.length + 1 }),
  }),
);

describe('walks by jumps', () => {
  it('T7: the ancestor at a depth is the one on the path by parents, in any tree', () => {
    fc.assert(
      fc.property(twoOf, ({ bones, a, depth }) => {
        const lookUp = lookUpIn(bones);
        const id = bones[a]!.id;
        expect(ancestorAtDepth(lookUp, link(lookUp, id), depth)?.id).toBe(pathIn(bones, id)[depth]);
      }),
    );
  });

  it('T6: the common ancestor is the last message that both paths share, in any tree', () => {
    fc.assert(
      fc.property(twoOf, ({ bones, a, b }) => {
        const lookUp = lookUpIn(bones);
        const [first, second] = [bones[a]!.id, bones[b]!.id];
        const path = pathIn(bones, second);
        const shared = pathIn(bones, first).filter((id) => path.includes(id));
        expect(commonAncestor(lookUp, link(lookUp, first), link(lookUp, second))?.id).toBe(shared.at(-1));
        expect(isOnPath(lookUp, link(lookUp, first), link(lookUp, second))).toBe(path.includes(first));
      }),
    );
  });

  it('T7: a path of 100,000 takes a few dozen look-ups', () => {
    const bones = tallTree(100_000);
    const lookUp = lookUpIn(bones);
    for (const depth of [0, 1, 12_345, 65_535, 65_536, 99_998]) {
      let count = 0;
      const counted: LookUp = (id) => {
        count += 1;
        return lookUp(id);
      };
      expect(ancestorAtDepth(counted, link(lookUp, 'm99999'), depth)?.id).toBe(`m${depth}`);
      expect(count).toBeLessThan(80);
    }
  });

  it('T7: numbers that contradict the parents end the walk', () => {
    const good: Link[] = [
      { id: 'a', underId: null, depth: 0, jumpId: 'a' },
      { id: 'b', underId: 'a', depth: 1, jumpId: 'a' },
      { id: 'c', underId: 'b', depth: 2, jumpId: 'b' },
      { id: 'd', underId: 'c', depth: 3, jumpId: 'a' },
    ];
    const walk = (change: Partial<Link> & { id: string }) => () => {
      const nodes = new Map(good.map((node) => [node.id, node.id === change.id ? { ...node, ...change } : node]));
      return ancestorAtDepth((id) => nodes.get(id), nodes.get('d')!, 1);
    };
    expect(walk({ id: 'a' })()?.id).toBe('b');
    expect(walk({ id: 'd', jumpId: 'd' })).toThrow(DamagedTree);
    expect(walk({ id: 'd', jumpId: 'gone' })).toThrow(DamagedTree);
    expect(walk({ id: 'd', underId: 'gone' })).toThrow(DamagedTree);
    expect(walk({ id: 'd', underId: null })).toThrow(DamagedTree);
    expect(walk({ id: 'c', depth: 7 })).toThrow(DamagedTree);
    expect(walk({ id: 'c', underId: 'd', jumpId: 'd' })).toThrow(DamagedTree);
  });

  it('T7: the jump rule gives the distances of skew-binary numbers', () => {
    const depths = [0];
    const jumps = [0];
    for (let depth = 1; depth <= 15; depth += 1) {
      const parent = { id: String(depth - 1), depth: depth - 1 };
      const jump = { id: String(jumps[depth - 1]), depth: jumps[depth - 1]! };
      const second = { id: String(jumps[jump.depth]), depth: jumps[jump.depth]! };
      jumps.push(Number(jumpOfChild(parent, jump, second)));
      depths.push(depth);
    }
    expect(jumps).toEqual([0, 0, 1, 0, 3, 4, 3, 0, 7, 8, 7, 10, 11, 10, 7, 0]);
  });
});
