import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { derive } from './derive';
import { type OutlineBone, OutlineIndex, type Run } from './outline';
import { randomTurns } from './outlineArbitrary';
import { randomSkeleton, tallTree } from './treeArbitrary';

const bone = (id: string, parentId: string | null, seq: number, role: OutlineBone['role'] = 'user', turnId: string | null = null) => ({
  seq,
  id,
  parentId,
  role,
  turnId,
});
const messagesOf = (index: OutlineIndex, run: Run): string[] => {
  const ids: string[] = [];
  for (let at: number | undefined = run.first; at !== undefined; at = index.next(at)) ids.push(index.bones[at]?.id ?? '');
  return ids;
};
/** All that can be seen of an index, in an order that does not tell how it came to be. */
const seenOf = (index: OutlineIndex) =>
  index.runs
    .map((run) => {
      const parent = index.parentRun(run);
      return {
        ids: messagesOf(index, run),
        starts: run.starts.map((at) => index.bones[at]?.id),
        messages: run.messages,
        under: parent ? index.bones[parent.last]?.id : null,
        depth: index.depthAt(run.first),
        children: run.children,
      };
    })
    .sort((a, b) => (a.ids[0] ?? '').localeCompare(b.ids[0] ?? ''));

describe('OutlineIndex', () => {
  it('U5: a turn is a prompt with its answers; one that was steered in begins none, a digest begins one', () => {
    const index = OutlineIndex.of([
      bone('a', null, 1, 'user', 't1'),
      bone('b', 'a', 2, 'assistant', 't1'),
      bone('c', 'b', 3, 'user', 't1'),
      bone('d', 'c', 4, 'assistant', 't1'),
      bone('e', 'd', 5, 'user', 't2'),
      bone('f', 'e', 6, 'digest', 't2'),
    ]);
    expect(seenOf(index)).toMatchObject([{ ids: ['a', 'b', 'c', 'd', 'e', 'f'], starts: ['a', 'e', 'f'], children: 0 }]);
    expect(index.spot('d')?.at).toBe(0);
    expect(index.spot('f')?.at).toBe(2);
    expect(index.spot('nobody')).toBeUndefined();
  });

  it('U5, T2: every message of any tree is in exactly one straight run, between branchings', () => {
    fc.assert(
      fc.property(randomTurns, (bones) => {
        const index = OutlineIndex.of(bones);
        const children = (id: string | null) => bones.filter((each) => each.parentId === id).length;
        expect(index.runs.flatMap((run) => messagesOf(index, run)).sort()).toEqual(bones.map(({ id }) => id).sort());
        for (const run of index.runs) {
          const ids = messagesOf(index, run);
          expect(ids).toHaveLength(run.messages);
          const [first] = ids;
          const parentId = bones.find(({ id }) => id === first)?.parentId ?? null;
          if (parentId !== null) expect(children(parentId)).toBeGreaterThan(1);
          for (const id of ids.slice(0, -1)) expect(children(id)).toBe(1);
          expect(children(ids.at(-1) ?? null)).not.toBe(1);
          expect(run.children).toBe(children(ids.at(-1) ?? null));
        }
      }),
    );
  });

  it('N6: message by message comes to the same as all at once', () => {
    fc.assert(
      fc.property(randomTurns, fc.nat(60), (bones, cut) => {
        const grown = OutlineIndex.of(bones.slice(0, cut));
        for (const each of bones.slice(cut)) expect(grown.add(each)).toBe(true);
        expect(seenOf(grown)).toEqual(seenOf(OutlineIndex.of(bones)));
        for (const { id } of bones) expect(grown.spot(id)?.at).toBe(OutlineIndex.of(bones).spot(id)?.at);
      }),
    );
  });

  it('T7: with any damage, as the repair of the tree says', () => {
    fc.assert(
      fc.property(randomSkeleton, (skeleton) => {
        const bones = skeleton.map((each): OutlineBone => ({ ...each, role: 'user', turnId: null }));
        const derived = derive(bones);
        const index = OutlineIndex.of(bones);
        expect(index.runs.reduce((sum, run) => sum + run.messages, 0)).toBe(bones.length);
        for (const { id } of bones) expect(index.depthAt(index.placeOf(id))).toBe(derived.get(id)?.depth);
      }),
    );
  });

  it('T7: one whose parent is not here, and one that is here, are not added', () => {
    const index = OutlineIndex.of([bone('a', null, 1)]);
    expect(index.add(bone('b', 'nobody', 2))).toBe(false);
    expect(index.add(bone('a', null, 3))).toBe(false);
    expect(index.size).toBe(1);
  });

  it('N6: 100,000 deep is one run, parted where a branch leaves it', () => {
    const index = OutlineIndex.of(tallTree(100_000).map((each): OutlineBone => ({ ...each, role: 'user', turnId: null })));
    expect(index.runs).toHaveLength(1);
    expect(index.add(bone('x', 'm50000', 100_001))).toBe(true);
    expect(index.runs.map((run) => run.messages)).toEqual([50_001, 49_999, 1]);
  });
});
