// Fast walks over a tree of messages: each carries its depth and a jump to an ancestor far above, so that the ancestor at a depth and the
// common ancestor of two messages take about 2·log2(depth) look-ups instead of one per level (skew-binary jump pointers, Myers 1983).

/** What a walk needs of one message. A root has depth 0, no parent (`underId` null) and jumps to itself. */
export type Link = { id: string; underId: string | null; depth: number; jumpId: string };
export type LookUp = (id: string) => Link | undefined;

/** The derived numbers contradict the parents: rebuild them and walk again (T7). */
export class DamagedTree extends Error {
  readonly messageId: string;
  constructor(messageId: string, what: string) {
    super(`${messageId}: ${what}`);
    this.name = 'DamagedTree';
    this.messageId = messageId;
  }
}

type Place = { id: string; depth: number };

/** The jump of a new child of `parent`. `jump` is where the parent jumps to, `jumpOfJump` where that one jumps to. */
export function jumpOfChild(parent: Place, jump: Place, jumpOfJump: Place): string {
  return parent.depth - jump.depth === jump.depth - jumpOfJump.depth ? jumpOfJump.id : parent.id;
}

function must(lookUp: LookUp, id: string): Link {
  const link = lookUp(id);
  if (link === undefined) throw new DamagedTree(id, 'is missing');
  return link;
}

function parentOf(lookUp: LookUp, link: Link): Link {
  if (link.underId === null) throw new DamagedTree(link.id, `has no parent at depth ${link.depth}`);
  const parent = must(lookUp, link.underId);
  if (parent.depth !== link.depth - 1) throw new DamagedTree(link.id, `has depth ${link.depth} under depth ${parent.depth}`);
  return parent;
}

function jumpFrom(lookUp: LookUp, link: Link): Link {
  const jump = must(lookUp, link.jumpId);
  // Each move must go up: this bounds the walk whatever the numbers say.
  if (jump.depth >= link.depth) throw new DamagedTree(link.id, `jumps from depth ${link.depth} to ${jump.depth}`);
  return jump;
}

/** The ancestor of `from` at `depth`, `from` itself included; undefined when `from` is not that deep. */
export function ancestorAtDepth(lookUp: LookUp, from: Link, depth: number): Link | undefined {
  if (depth > from.depth || depth < 0) return undefined;
  let link = from;
  while (link.depth > depth) {
    const jump = jumpFrom(lookUp, link);
    link = jump.depth >= depth ? jump : parentOf(lookUp, link);
  }
  return link;
}

/** The lowest message on both paths, either of them included; undefined when they hang under different roots. */
export function commonAncestor(lookUp: LookUp, first: Link, second: Link): Link | undefined {
  const depth = Math.min(first.depth, second.depth);
  let a = ancestorAtDepth(lookUp, first, depth);
  let b = ancestorAtDepth(lookUp, second, depth);
  while (a !== undefined && b !== undefined && a.id !== b.id) {
    if (a.depth === 0) return undefined;
    // Messages of one depth jump to one depth: where the jumps differ, the common ancestor lies above both.
    const jumpA = jumpFrom(lookUp, a);
    const jumpB = jumpFrom(lookUp, b);
    const both = jumpA.id !== jumpB.id && jumpA.depth === jumpB.depth;
    a = both ? jumpA : parentOf(lookUp, a);
    b = both ? jumpB : parentOf(lookUp, b);
  }
  return a;
}

/** Whether `ancestor` is on the path from the root to `link`, `link` itself included. */
export function isOnPath(lookUp: LookUp, ancestor: Link, link: Link): boolean {
  return ancestorAtDepth(lookUp, link, ancestor.depth)?.id === ancestor.id;
}
