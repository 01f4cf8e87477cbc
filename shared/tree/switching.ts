// Where a move leads and what it remembers (T6, T12), as pure functions over a tree that can be asked.
import { ancestorAtDepth, commonAncestor, DamagedTree, isOnPath, type Link, type LookUp } from './links';

/** The tip a branch was left at. `turnId` names the turn that was running there, which may have gone on since. */
export type RememberedTip = { tipId: string; turnId?: string | undefined };

/** What the moves ask of a tree; the store answers from SQL, tests from memory. */
export type SwitchingTree = {
  link: LookUp;
  ordinal(id: string): number | undefined;
  /** The child at a 1-based place; null stands for the roots. */
  childAt(parentId: string | null, ordinal: number): string | undefined;
  /** Number of complete children; null stands for the roots. */
  childCount(parentId: string | null): number;
  newestChildOfTurn(parentId: string, turnId: string): string | undefined;
  /** Whether a message was made after another one. */
  isNewer(id: string, than: string): boolean;
  /** Whether a running or failed answer stands under it: it counts as the last version (T12). */
  hasEnding(parentId: string): boolean;
  /** Parents of the steps now running, newest first. */
  runningHeads(): string[];
  remembered(childId: string): RememberedTip | undefined;
  /** Of the children of `parentId`, the one whose branch was left last. */
  lastLeftChild(parentId: string): string | undefined;
};

/** T6's row for a move from `left` to `to`: the child of their common ancestor on the path left. Null when nothing is left behind. */
export function leftBranch(lookUp: LookUp, left: Link | undefined, to: Link | undefined): { childId: string; tipId: string } | null {
  if (left === undefined) return null;
  const shared = to && commonAncestor(lookUp, left, to);
  if (shared?.id === left.id) return null;
  const child = ancestorAtDepth(lookUp, left, shared === undefined ? 0 : shared.depth + 1);
  return child ? { childId: child.id, tipId: left.id } : null;
}

function must(tree: SwitchingTree, id: string): Link {
  const link = tree.link(id);
  if (link === undefined) throw new DamagedTree(id, 'is missing');
  return link;
}

/** A child must be one deeper than its parent: this bounds every walk down. */
function stepDown(tree: SwitchingTree, from: Link, childId: string): Link {
  const child = must(tree, childId);
  if (child.depth !== from.depth + 1) throw new DamagedTree(childId, `has depth ${child.depth} under depth ${from.depth}`);
  return child;
}

/** Along the newest child at each level; a running or failed answer is the newest where there is one, so the walk ends at its parent. */
function newestEnd(tree: SwitchingTree, start: Link): Link {
  let link = start;
  for (;;) {
    const newest = tree.hasEnding(link.id) ? undefined : tree.childAt(link.id, tree.childCount(link.id));
    if (newest === undefined) return link;
    link = stepDown(tree, link, newest);
  }
}

/**
 * Where the turn went on from, on the way up from `from` and not above `top`: its agent may have gone back to a checkpoint after the branch
 * was left. A branch of the turn that is older than `from` was there before.
 */
function turnStart(tree: SwitchingTree, from: Link, top: Link, turnId: string): Link {
  let start = from;
  for (let link = from; link.depth > top.depth; ) {
    link = must(tree, link.underId ?? '');
    const child = tree.newestChildOfTurn(link.id, turnId);
    if (child === undefined) break;
    if (tree.isNewer(child, from.id)) start = link;
  }
  return start;
}

/** Along the messages of one turn to its end. */
function turnEnd(tree: SwitchingTree, start: Link, turnId: string): Link {
  let link = start;
  for (;;) {
    const next = tree.newestChildOfTurn(link.id, turnId);
    if (next === undefined) return link;
    link = stepDown(tree, link, next);
  }
}

/** The tip of the branch that begins with `childId`: the remembered one and on to the end of its turn, else the newest end; a turn that runs below it wins. */
export function branchTip(tree: SwitchingTree, childId: string): string {
  const child = must(tree, childId);
  const memory = tree.remembered(childId);
  const kept = memory && tree.link(memory.tipId);
  let end: Link;
  if (memory !== undefined && kept !== undefined && isOnPath(tree.link, child, kept)) {
    end = memory.turnId === undefined ? kept : turnEnd(tree, turnStart(tree, kept, child, memory.turnId), memory.turnId);
  } else {
    end = newestEnd(tree, child);
  }
  for (const id of tree.runningHeads()) {
    const head = tree.link(id);
    if (head !== undefined && isOnPath(tree.link, end, head)) return head.id;
  }
  return end.id;
}

/** `from` null: from the running or failed answer. */
export type SiblingMove = { parentId: string | null; from: string | null; direction: 'previous' | 'next' };
/** `ending`: the running or failed answer under the parent, which is then the tip. */
export type SiblingTarget = { to: string; slot: 'message' | 'ending' };

/** The previous or next version of a child; undefined when there is none that way. */
export function siblingOf(tree: SwitchingTree, move: SiblingMove): SiblingTarget | undefined {
  // A message whose parent is missing stands among the roots, whatever parent its row names.
  const parentId = move.from === null ? move.parentId : (tree.link(move.from)?.underId ?? null);
  const count = tree.childCount(parentId);
  const place = move.from === null ? count + 1 : tree.ordinal(move.from);
  if (place === undefined) return undefined;
  const wanted = move.direction === 'previous' ? place - 1 : place + 1;
  if (wanted === count + 1 && parentId !== null && tree.hasEnding(parentId)) return { to: parentId, slot: 'ending' };
  const sibling = tree.childAt(parentId, wanted);
  return sibling === undefined ? undefined : { to: branchTip(tree, sibling), slot: 'message' };
}

/** From a tip with children: the end of the branch left last, else of the newest; undefined when nothing goes on from here. */
export function forwardOf(tree: SwitchingTree, tipId: string): string | undefined {
  const child = tree.lastLeftChild(tipId) ?? tree.childAt(tipId, tree.childCount(tipId));
  return child === undefined ? undefined : branchTip(tree, child);
}
