// Where moves lead and what they remember.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Bone } from './derive';
import { type MemoryBone, type MemoryFacts, memoryTree } from './memoryTree';
import { branchTip, forwardOf, leftBranch, type RememberedTip, siblingOf } from './switching';
import { randomTree } from './treeArbitrary';

/** `name`, `name<parent` or `name<parent#turn`, in order of creation. */
function bones(...texts: string[]): MemoryBone[] {
  return texts.map((text, index) => {
    const [rest = '', turnId] = text.split('#');
    const [id = '', parentId] = rest.split('<');
    return { seq: index + 1, id, parentId: parentId ?? null, ...(turnId === undefined ? {} : { turnId }) };
  });
}
const tree = (texts: string[], facts: MemoryFacts = {}) => memoryTree(bones(...texts), facts);
const left = (entries: [string, RememberedTip][]) => ({ remembered: new Map(entries) });

//     a ─ b ─ c ─ d
//      └ e ─ f
const forked = ['a', 'b<a', 'c<b', 'd<c', 'e<a', 'f<e'];

describe('what a move remembers', () => {
  const { link } = tree([...forked, 'r']);
  const row = (from: string, to: string | null) => leftBranch(link, link(from), to === null ? undefined : link(to));
  it('T6: the child of the common ancestor on the path left, and the tip left', () => {
    expect(row('d', 'f')).toEqual({ childId: 'b', tipId: 'd' });
    expect(row('f', 'c')).toEqual({ childId: 'e', tipId: 'f' });
  });
  it('T6: up the same path, the child below the target', () => {
    expect(row('d', 'b')).toEqual({ childId: 'c', tipId: 'd' });
  });
  it('T6: down the same path leaves nothing behind', () => {
    expect(row('b', 'd')).toBeNull();
    expect(row('d', 'd')).toBeNull();
  });
  it('T6: to another root, or before the first message, the root of the path left', () => {
    expect(row('d', 'r')).toEqual({ childId: 'a', tipId: 'd' });
    expect(row('d', null)).toEqual({ childId: 'a', tipId: 'd' });
    expect(leftBranch(link, undefined, link('a'))).toBeNull();
  });
});

describe('siblings', () => {
  const to = (facts: MemoryFacts, parentId: string | null, from: string | null, direction: 'previous' | 'next') =>
    siblingOf(tree(forked, facts), { parentId, from, direction });
  it('T6: along the newest child at each level where nothing is remembered', () => {
    expect(to({}, 'a', 'e', 'previous')).toEqual({ to: 'd', slot: 'message' });
    expect(to({}, 'a', 'b', 'next')).toEqual({ to: 'f', slot: 'message' });
    expect(siblingOf(tree([...forked, 'g<b']), { parentId: 'a', from: 'e', direction: 'previous' })?.to).toBe('g');
  });
  it('T6: to the remembered tip, when it still is below', () => {
    expect(to(left([['b', { tipId: 'c' }]]), 'a', 'e', 'previous')?.to).toBe('c');
    expect(to(left([['b', { tipId: 'gone' }]]), 'a', 'e', 'previous')?.to).toBe('d');
    expect(to(left([['b', { tipId: 'f' }]]), 'a', 'e', 'previous')?.to).toBe('d');
  });
  it('T6: no version that way', () => {
    expect(to({}, 'a', 'b', 'previous')).toBeUndefined();
    expect(to({}, 'a', 'e', 'next')).toBeUndefined();
    expect(to({}, 'a', 'nobody', 'next')).toBeUndefined();
    expect(to({}, 'a', null, 'next')).toBeUndefined();
  });
  it('T6: roots are versions of each other', () => {
    const roots = tree([...forked, 'r', 's<r']);
    expect(siblingOf(roots, { parentId: null, from: 'a', direction: 'next' })?.to).toBe('s');
    expect(siblingOf(roots, { parentId: null, from: 'r', direction: 'previous' })?.to).toBe('f');
  });
  it('T12: a running or failed answer counts as the last version, and its place is its parent', () => {
    const facts = { endings: new Set(['a']) };
    expect(to(facts, 'a', 'e', 'next')).toEqual({ to: 'a', slot: 'ending' });
    expect(to(facts, 'a', null, 'previous')).toEqual({ to: 'f', slot: 'message' });
    expect(to(facts, 'a', 'b', 'next')).toEqual({ to: 'f', slot: 'message' });
    expect(to({ endings: new Set(['c']) }, 'a', 'e', 'previous')?.to).toBe('c');
  });
});

describe('a turn that ran on', () => {
  const turn = ['a', 'b<a#t0', 'q<b#t1', 's1<q#t1', 's2<s1#t1', 'z<s2#t2', 'e<a'];
  it('T12: going back goes on to the end of the turn that ran when the branch was left, and no further', () => {
    expect(branchTip(tree(turn, left([['b', { tipId: 'q', turnId: 't1' }]])), 'b')).toBe('s2');
    expect(branchTip(tree(turn, left([['b', { tipId: 'q' }]])), 'b')).toBe('q');
  });
  it('T12, C3: also where its agent went back to a checkpoint after the branch was left, but to no older branch of the turn', () => {
    // s1 ─ x1 ─ x2 (explored, left at x1), then the digest d under s1.
    const back = ['a', 'b<a', 'q<b#t1', 's1<q#t1', 'x1<s1#t1', 'x2<x1#t1', 'd<s1#t1', 's3<d#t1', 'e<a'];
    expect(branchTip(tree(back, left([['b', { tipId: 'x1', turnId: 't1' }]])), 'b')).toBe('s3');
    const older = ['a', 'b<a', 'q<b#t1', 's1<q#t1', 's2<q#t1', 'o<s2#t1', 'x<s1#t1', 'y<x#t1', 'e<a'];
    expect(branchTip(tree(older, left([['b', { tipId: 'x', turnId: 't1' }]])), 'b')).toBe('y');
  });
  it('T12: a turn that runs now below the tip: its head', () => {
    expect(branchTip(tree(turn, { ...left([['b', { tipId: 'q' }]]), runningHeads: ['e', 's2'] }), 'b')).toBe('s2');
    expect(branchTip(tree(turn, { ...left([['b', { tipId: 'z' }]]), runningHeads: ['s1', 'nobody'] }), 'b')).toBe('z');
  });
});

describe('forward', () => {
  it('T6: along the branch left last, else the newest, to its end', () => {
    expect(forwardOf(tree(forked), 'a')).toBe('f');
    expect(forwardOf(tree(forked, left([['b', { tipId: 'c' }]])), 'a')).toBe('c');
    expect(
      forwardOf(
        tree(
          forked,
          left([
            ['b', { tipId: 'c' }],
            ['e', { tipId: 'e' }],
          ]),
        ),
        'a',
      ),
    ).toBe('e');
    expect(forwardOf(tree(forked), 'f')).toBeUndefined();
  });
});

describe('there and back', () => {
  it('T6: switching to a sibling of any message on the path and back comes to the same tip, in any tree', () => {
    const move = randomTree.chain((shape) =>
      fc.record({ shape: fc.constant(shape), tip: fc.nat(shape.length - 1), level: fc.nat(60), next: fc.boolean() }),
    );
    fc.assert(
      fc.property(move, ({ shape, tip, level, next }) => {
        const remembered = new Map<string, RememberedTip>();
        const asked = memoryTree(shape, { remembered });
        const go = (from: string, to: string) => {
          const row = leftBranch(asked.link, asked.link(from), asked.link(to));
          if (row) remembered.set(row.childId, { tipId: row.tipId });
        };
        const path = pathOf(shape, shape[tip]!.id);
        const child = path[level % path.length]!;
        const parentId = asked.link(child)!.underId;
        const there = siblingOf(asked, { parentId, from: child, direction: next ? 'next' : 'previous' });
        if (there === undefined) return;
        go(shape[tip]!.id, there.to);
        const other = pathOf(shape, there.to)[asked.link(child)!.depth]!;
        const back = siblingOf(asked, { parentId, from: other, direction: next ? 'previous' : 'next' });
        expect(back).toEqual({ to: shape[tip]!.id, slot: 'message' });
      }),
    );
  });
});

function pathOf(shape: readonly Bone[], id: string): string[] {
  const parentOf = new Map(shape.map((bone) => [bone.id, bone.parentId]));
  const path: string[] = [];
  for (let at: string | null = id; at !== null; at = parentOf.get(at) ?? null) path.unshift(at);
  return path;
}
