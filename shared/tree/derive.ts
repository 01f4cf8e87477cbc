// Rebuilds what the tree derives from the parents alone: depth, jump, place among siblings, and the roots that damage made (T2, T7).
import { jumpOfChild } from './links';

/** A message as the parents state it; `seq` is the order of creation. */
export type Bone = { seq: number; id: string; parentId: string | null };

export type Derived = {
  id: string;
  /** The parent that counts: null for a root and for a recovered message. */
  underId: string | null;
  /** Its parent is missing or closes a ring: it stands as a root (T7). */
  recovered: boolean;
  depth: number;
  jumpId: string;
  /** 1-based place among its siblings in order of creation; roots, recovered ones among them, are siblings. */
  ordinal: number;
};

/** Derives the whole conversation in linear time. In a ring the message created first becomes the recovered root. */
export function derive(skeleton: readonly Bone[]): Map<string, Derived> {
  const bones = [...skeleton].sort((a, b) => a.seq - b.seq);
  const byId = new Map(bones.map((bone) => [bone.id, bone]));
  const recovered = recoveredRoots(bones, byId);
  const derived = new Map<string, Derived>();
  const placed = new Map<string | null, number>();
  for (const bone of bones) {
    const underId = recovered.has(bone.id) ? null : bone.parentId;
    const ordinal = (placed.get(underId) ?? 0) + 1;
    placed.set(underId, ordinal);
    derived.set(bone.id, { id: bone.id, underId, recovered: recovered.has(bone.id), depth: -1, jumpId: '', ordinal });
  }
  for (const bone of bones) measure(bone.id, derived);
  return derived;
}

/** Messages that become roots: their parent is missing, or they came first in a ring. */
function recoveredRoots(bones: readonly Bone[], byId: ReadonlyMap<string, Bone>): Set<string> {
  const recovered = new Set<string>();
  const walkOf = new Map<string, number>();
  bones.forEach((start, walk) => {
    const trail: Bone[] = [];
    let bone: Bone | undefined = start;
    while (bone !== undefined && !walkOf.has(bone.id)) {
      walkOf.set(bone.id, walk);
      trail.push(bone);
      if (bone.parentId !== null && !byId.has(bone.parentId)) recovered.add(bone.id);
      bone = bone.parentId === null ? undefined : byId.get(bone.parentId);
    }
    // Met again within this walk: what was passed from there on is a ring.
    if (bone === undefined || walkOf.get(bone.id) !== walk) return;
    const ring = trail.slice(trail.indexOf(bone));
    recovered.add(ring.reduce((first, next) => (next.seq < first.seq ? next : first)).id);
  });
  return recovered;
}

/** Sets depth and jump of a message and of those above it that have none yet. */
function measure(id: string, derived: ReadonlyMap<string, Derived>): void {
  const trail: Derived[] = [];
  let node = derived.get(id);
  while (node !== undefined && node.depth < 0) {
    trail.push(node);
    node = node.underId === null ? undefined : derived.get(node.underId);
  }
  for (const child of trail.reverse()) {
    const parent = child.underId === null ? undefined : derived.get(child.underId);
    const jump = parent && derived.get(parent.jumpId);
    const jumpOfJump = jump && derived.get(jump.jumpId);
    child.depth = parent ? parent.depth + 1 : 0;
    child.jumpId = parent && jump && jumpOfJump ? jumpOfChild(parent, jump, jumpOfJump) : child.id;
  }
}
