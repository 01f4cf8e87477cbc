// From the records of a source to messages in a tree: parents decide, rings and orphans become roots, folded records go where they belong (T7).
// Walks are loops over lists ordered by depth: a chain of 100,000 records must not fill the stack.
import { derive } from '../../shared/tree/derive';
import { endOfPath } from './endOfPath';
import { foldParts } from './foldParts';
import { count, type GrownTree, type ImportedMessage, type SourceNode, type SourceTree } from './importedTree';
import { joinResults } from './joinResults';
import { noTime, type Place } from './place';

export function growTree(source: SourceTree, format: string): GrownTree {
  const tree = withoutAliases(source);
  const places = placesOf(withOwnIds(tree.nodes));
  const byDepth = [...places].sort((a, b) => a.depth - b.depth || a.index - b.index);
  lookBelow(byDepth);
  for (const place of byDepth) settle(place);
  const leftOut = new Map<string, number>();
  const partsOf = foldParts(byDepth, leftOut);
  const messages = inOrder(
    byDepth.filter((place) => place.isMessage),
    tree.order,
  );
  const hidden = places.filter(({ node, isMessage }) => !isMessage && node.kind === 'hidden');
  for (const { node } of hidden) count(leftOut, node.what ?? 'hidden');
  const end = endOfPath(places, messages, tree);
  return {
    messages: messages.map((place) => toMessage(place, joinResults(partsOf.get(place) ?? [], format))),
    tipId: end.tip?.node.id ?? null,
    pathBy: end.pathBy,
    folded: places.length - messages.length - hidden.length,
    hidden: hidden.length,
    leftOut,
  };
}

/** Parents and the pointer name ids alone. */
function withoutAliases(tree: SourceTree): SourceTree {
  const ids = new Set(tree.nodes.map(({ id }) => id));
  const idOf = new Map<string, string>();
  for (const { id, alias } of tree.nodes) if (alias !== undefined && !ids.has(alias) && !idOf.has(alias)) idOf.set(alias, id);
  if (idOf.size === 0) return tree;
  const meant = (name: string | null) => (name === null ? null : (idOf.get(name) ?? name));
  return { ...tree, nodes: tree.nodes.map((node) => ({ ...node, parentId: meant(node.parentId) })), pointer: meant(tree.pointer) };
}

/** The first record of an id keeps it and is the one that parents mean; a second one is no reason to drop it. */
function withOwnIds(nodes: readonly SourceNode[]): SourceNode[] {
  const known = new Set<string>();
  const numbers = new Map<string, number>();
  return nodes.map((node) => {
    let id = node.id;
    let number = numbers.get(node.id) ?? 1;
    while (known.has(id)) id = `${node.id}#${++number}`;
    numbers.set(node.id, number);
    known.add(id);
    return id === node.id ? node : { ...node, id };
  });
}

function placesOf(nodes: readonly SourceNode[]): Place[] {
  const derived = derive(nodes.map((node, seq) => ({ seq, id: node.id, parentId: node.parentId })));
  const places = nodes.map((node, index): Place => {
    const { depth = 0, recovered = false } = derived.get(node.id) ?? {};
    return {
      node,
      index,
      parent: null,
      depth,
      recovered,
      isMessage: node.kind === 'message',
      anchor: null,
      time: node.time ?? noTime,
      hasMessageBelow: false,
      takenInBy: null,
    };
  });
  const byId = new Map(places.map((place) => [place.node.id, place]));
  for (const place of places) {
    const underId = derived.get(place.node.id)?.underId ?? null;
    place.parent = underId === null ? null : (byId.get(underId) ?? null);
  }
  return places;
}

function lookBelow(byDepth: readonly Place[]): void {
  for (let at = byDepth.length - 1; at >= 0; at--) {
    const place = byDepth[at];
    if (place?.parent && (place.isMessage || place.hasMessageBelow)) place.parent.hasMessageBelow = true;
  }
}

/** Parents are settled before their children. */
function settle(place: Place): void {
  const { parent, node } = place;
  if (place.time === noTime && parent) place.time = parent.time;
  if (!place.isMessage && !place.hasMessageBelow) {
    place.takenInBy = parent?.takenInBy ?? null;
    if (place.takenInBy === null && node.kind === 'foldDown' && node.standsAlone === true) {
      place.isMessage = true;
      place.takenInBy = place;
    }
  }
  if (parent && !parent.isMessage && parent.recovered) place.recovered = true;
  place.anchor = place.isMessage ? place : (parent?.anchor ?? null);
}

/** Order of creation: after the parent, siblings by time, then as in the file. */
function inOrder(messages: readonly Place[], order: SourceTree['order']): Place[] {
  if (order === 'file') return [...messages].sort((a, b) => a.depth - b.depth || a.index - b.index);
  const since = new Map<Place, number>();
  for (const place of messages) {
    const above = place.parent?.anchor;
    since.set(place, Math.max(place.time, above ? (since.get(above) ?? noTime) : noTime));
  }
  const sinceOf = (place: Place) => since.get(place) ?? noTime;
  return [...messages].sort((a, b) => compare(sinceOf(a), sinceOf(b)) || a.depth - b.depth || compare(a.time, b.time) || a.index - b.index);
}

/** Two minus infinities have no difference. */
const compare = (a: number, b: number): number => (a === b ? 0 : a < b ? -1 : 1);

function toMessage(place: Place, parts: ImportedMessage['parts']): ImportedMessage {
  const { role, status, model, usage, finish, failure, id } = place.node;
  const above = place.parent?.anchor ?? null;
  const recovered = place.recovered && above === null;
  return {
    sourceId: id,
    parentId: above?.node.id ?? (recovered ? (place.node.parentId ?? id) : null),
    recovered,
    role,
    ...(status === undefined ? {} : { status }),
    ...(model === undefined ? {} : { model }),
    ...(usage === undefined ? {} : { usage }),
    ...(finish === undefined ? {} : { finish }),
    ...(failure === undefined ? {} : { failure }),
    parts,
    createdAt: place.time === noTime ? null : place.time,
  };
}
