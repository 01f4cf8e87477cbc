// Where a conversation stood in its source: what its pointer names, else the newest end of a branch.
import type { GrownTree, SourceTree } from './importedTree';
import type { Place } from './place';

type End = { tip: Place | null; pathBy: GrownTree['pathBy'] };

export function endOfPath(places: readonly Place[], messages: readonly Place[], tree: SourceTree): End {
  const pointed = tree.pointer === null ? undefined : places.find(({ node }) => node.id === tree.pointer);
  if (pointed?.anchor) return { tip: pointed.anchor, pathBy: 'pointer' };
  if (tree.fallback === 'sibling') return { tip: newestSiblings(messages), pathBy: 'fallback:sibling' };
  return { tip: newestLeaf(messages), pathBy: 'fallback:leaf' };
}

/** Later in the file wins a tie. */
const isNewer = (a: Place, b: Place | null): boolean => b === null || a.time > b.time || (a.time === b.time && a.index > b.index);

function newestLeaf(messages: readonly Place[]): Place | null {
  const parents = new Set(messages.map(({ parent }) => parent?.anchor ?? null));
  let newest: Place | null = null;
  for (const place of messages) if (!parents.has(place) && isNewer(place, newest)) newest = place;
  return newest;
}

function newestSiblings(messages: readonly Place[]): Place | null {
  const newest = new Map<Place | null, Place>();
  for (const place of messages) {
    const above = place.parent?.anchor ?? null;
    if (isNewer(place, newest.get(above) ?? null)) newest.set(above, place);
  }
  let tip: Place | null = null;
  for (let next = newest.get(null); next !== undefined; next = newest.get(next)) tip = next;
  return tip;
}
