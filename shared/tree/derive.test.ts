// What is derived from parents, on sound trees and on any damage.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Bone, derive } from './derive';
import { randomSkeleton, randomTree, tallTree } from './treeArbitrary';

const bone = (seq: number, id: string, parentId: string | null): Bone => ({ seq, id, parentId });

describe('derive', () => {
  it('T2: places are 1, 2, 3 … in order of creation among the children of each message and among the roots', () => {
    fc.assert(
      fc.property(fc.oneof(randomTree, randomSkeleton), (bones) => {
        const derived = derive(bones);
        const families = new Map<string | null, Bone[]>();
        for (const each of [...bones].sort((a, b) => a.seq - b.seq)) {
          const under = derived.get(each.id)!.underId;
          families.set(under, [...(families.get(under) ?? []), each]);
        }
        for (const family of families.values()) {
          expect(family.map(({ id }) => derived.get(id)!.ordinal)).toEqual(family.map((_, index) => index + 1));
        }
      }),
    );
  });

  it('T7: a sound tree has no recovered message and each depth is one more than its parent’s', () => {
    fc.assert(
      fc.property(randomTree, (bones) => {
        const derived = derive(bones);
        for (const { id, parentId } of bones) {
          const node = derived.get(id)!;
          expect(node).toMatchObject({
            recovered: false,
            underId: parentId,
            depth: parentId === null ? 0 : derived.get(parentId)!.depth + 1,
          });
        }
      }),
    );
  });

  it('T7: with any damage every message is reached from a root, nothing is dropped, nothing spins', () => {
    fc.assert(
      fc.property(randomSkeleton, (bones) => {
        const derived = derive(bones);
        expect(derived.size).toBe(bones.length);
        for (const start of bones) {
          const seen = new Set<string>();
          let node = derived.get(start.id);
          while (node !== undefined && node.underId !== null) {
            expect(seen.has(node.id)).toBe(false);
            seen.add(node.id);
            node = derived.get(node.underId);
          }
          expect(node?.depth).toBe(0);
          expect(derived.get(start.id)?.depth).toBe(seen.size);
        }
      }),
    );
  });

  it('T7: only what must become a root is recovered: a missing parent, or the first of a ring', () => {
    fc.assert(
      fc.property(randomSkeleton, (bones) => {
        const byId = new Map(bones.map((each) => [each.id, each]));
        const derived = derive(bones);
        for (const start of bones) {
          const missing = start.parentId !== null && !byId.has(start.parentId);
          const ring: Bone[] = [start];
          let at = start.parentId === null ? undefined : byId.get(start.parentId);
          while (at !== undefined && at !== start && ring.length <= bones.length) {
            ring.push(at);
            at = at.parentId === null ? undefined : byId.get(at.parentId);
          }
          const first = at === start && ring.every(({ seq }) => seq >= start.seq);
          expect(derived.get(start.id)!.recovered).toBe(missing || first);
        }
      }),
    );
  });

  it('T7: jumps lead to ancestors', () => {
    fc.assert(
      fc.property(randomSkeleton, (bones) => {
        const derived = derive(bones);
        for (const node of derived.values()) {
          const jump = derived.get(node.jumpId)!;
          let above: typeof node | undefined = node;
          while (above !== undefined && above.id !== jump.id) above = above.underId === null ? undefined : derived.get(above.underId);
          expect(above?.id).toBe(node.jumpId);
          if (node.depth > 0) expect(jump.depth).toBeLessThan(node.depth);
        }
      }),
    );
  });

  it('T7: a ring of three with a tail', () => {
    const derived = derive([bone(5, 'a', 'c'), bone(2, 'b', 'a'), bone(9, 'c', 'b'), bone(1, 'tail', 'c'), bone(3, 'orphan', 'gone')]);
    expect([...derived.values()].map(({ id, underId, depth, ordinal, recovered }) => [id, underId, depth, ordinal, recovered])).toEqual([
      ['tail', 'c', 2, 1, false],
      ['b', null, 0, 1, true],
      ['orphan', null, 0, 2, true],
      ['a', 'c', 2, 2, false],
      ['c', 'b', 1, 1, false],
    ]);
  });

  it('T7: a path of 100,000 is derived without recursion', () => {
    const derived = derive(tallTree(100_000).reverse());
    expect(derived.get('m99999')).toMatchObject({ depth: 99_999, ordinal: 1, underId: 'm99998' });
  });
});
