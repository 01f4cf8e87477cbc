// Gives the content of folded records to the messages they belong to, so that one step is one message, as everywhere in Bough.
import { count, type SourcePart } from './importedTree';
import type { Place } from './place';
import { jsonOf } from './values';

/** Records that several answers share are copied to each of them, as long as all copies stay below so many times the records themselves. */
const mostCopies = 4;

/** All parts of each message, in the order in which they came about. */
export function foldParts(byDepth: readonly Place[], leftOut: Map<string, number>): Map<Place, SourcePart[]> {
  const partsOf = new Map<Place, SourcePart[]>();
  const claimed = new Set<Place>();
  const room = { left: byDepth.length * mostCopies };
  for (const place of byDepth) {
    if (!place.isMessage) continue;
    const before = place.node.role === 'assistant' ? foldedAbove(place, claimed, room) : [];
    for (const one of before) claimed.add(one);
    partsOf.set(place, [...before.flatMap(({ node }) => node.parts), ...place.node.parts]);
  }
  for (const place of byDepth) {
    if (!place.isMessage && place.node.kind !== 'hidden' && !claimed.has(place)) giveToNearest(place, partsOf, leftOut);
  }
  return partsOf;
}

/** What no answer took: to the message that took in its run, or to the one above. */
function giveToNearest(place: Place, partsOf: ReadonlyMap<Place, SourcePart[]>, leftOut: Map<string, number>): void {
  const home = place.takenInBy ?? place.anchor;
  const parts = home === null ? undefined : partsOf.get(home);
  if (home === null || parts === undefined) {
    count(leftOut, place.node.what ?? 'folded');
    return;
  }
  for (const part of place.node.parts) parts.push(home.node.role === 'user' ? asRaw(part) : part);
}

/** The folded records between an answer and the message above it, topmost first. */
function foldedAbove(answer: Place, claimed: ReadonlySet<Place>, room: { left: number }): Place[] {
  const found: Place[] = [];
  for (let above = answer.parent; above !== null && !above.isMessage; above = above.parent) {
    room.left -= 1;
    if (room.left < 0 && claimed.has(above)) break;
    if (above.node.kind === 'foldDown' && above.takenInBy === null) found.push(above);
  }
  return found.reverse();
}

/** A person's message holds no thoughts, calls or results of a model. */
function asRaw(part: SourcePart): SourcePart {
  return part.type === 'raw' || part.type === 'attachment' ? part : { type: 'raw', source: part.type, json: jsonOf(part) };
}
