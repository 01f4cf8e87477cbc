// A whole conversation's tree in memory, derived from its parents alone: for a read-only database that needs repair, and as the plain model tests compare with.
import { type Bone, type Derived, derive } from './derive';
import type { Link } from './links';
import type { RememberedTip, SwitchingTree } from './switching';

export type MemoryBone = Bone & { turnId?: string | undefined };
export type MemoryFacts = {
  /** Messages with a running or failed answer under them. */
  endings?: ReadonlySet<string>;
  runningHeads?: readonly string[];
  /** By child, in the order in which the branches were left. */
  remembered?: ReadonlyMap<string, RememberedTip>;
};

export type MemoryTree = SwitchingTree & { derived: ReadonlyMap<string, Derived>; children(parentId: string | null): readonly string[] };

export function memoryTree(bones: readonly MemoryBone[], facts: MemoryFacts = {}): MemoryTree {
  const derived = derive(bones);
  const turnOf = new Map(bones.map((bone) => [bone.id, bone.turnId]));
  const seqOf = new Map(bones.map((bone) => [bone.id, bone.seq]));
  const children = new Map<string | null, string[]>();
  for (const node of derived.values()) {
    const siblings = children.get(node.underId);
    if (siblings) siblings.push(node.id);
    else children.set(node.underId, [node.id]);
  }
  const childrenOf = (parentId: string | null): readonly string[] => children.get(parentId) ?? [];
  return {
    derived,
    children: childrenOf,
    link: (id): Link | undefined => derived.get(id),
    ordinal: (id) => derived.get(id)?.ordinal,
    childAt: (parentId, ordinal) => childrenOf(parentId)[ordinal - 1],
    childCount: (parentId) => childrenOf(parentId).length,
    newestChildOfTurn: (parentId, turnId) => childrenOf(parentId).findLast((id) => turnOf.get(id) === turnId),
    isNewer: (id, than) => (seqOf.get(id) ?? 0) > (seqOf.get(than) ?? 0),
    hasEnding: (parentId) => facts.endings?.has(parentId) ?? false,
    runningHeads: () => [...(facts.runningHeads ?? [])],
    remembered: (childId) => facts.remembered?.get(childId),
    lastLeftChild: (parentId) => [...(facts.remembered?.keys() ?? [])].findLast((id) => derived.get(id)?.underId === parentId),
  };
}
