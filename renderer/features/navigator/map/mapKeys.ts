// Where an arrow leads on the map (U5, U7). Pure.
import type { OutlineMap } from '../../../../shared/tree/outlineMap';

/** The node that `key` leads to from the one at `at`; null where it is no such key. The node itself where nothing is in that direction. */
export function stepTo(key: string, map: OutlineMap, at: number): number | null {
  const node = map.nodes[at];
  if (!node) return null;
  if (key === 'ArrowUp') return node.parent < 0 ? at : node.parent;
  if (key === 'ArrowDown') return node.children.find((child) => map.nodes[child]?.onPath) ?? node.children[0] ?? at;
  if (key === 'ArrowLeft') return beside(map, at, -1);
  if (key === 'ArrowRight') return beside(map, at, 1);
  if (key === 'Home') return 0;
  if (key === 'End') return map.tip < 0 ? map.nodes.length - 1 : map.tip;
  return null;
}

/** The branch beside it; where none hangs from the same node, what stands next in its row. */
function beside(map: OutlineMap, at: number, by: 1 | -1): number {
  const siblings = siblingsOf(map, at);
  const sibling = siblings[siblings.indexOf(at) + by];
  if (sibling !== undefined) return sibling;
  const row = map.byRow[map.nodes[at]?.row ?? 0] ?? [];
  return row[row.indexOf(at) + by] ?? at;
}

export const siblingsOf = ({ nodes, roots }: OutlineMap, at: number): readonly number[] =>
  nodes[nodes[at]?.parent ?? -1]?.children ?? roots;

/** Most branches of one node that are in the page for a screen reader. */
const mostSiblings = 40;

/** A node and what the arrows lead to from it. */
export function nearby(map: OutlineMap, at: number): number[] {
  const siblings = siblingsOf(map, at);
  const from = Math.max(0, siblings.indexOf(at) - mostSiblings / 2);
  const steps = ['ArrowUp', 'ArrowLeft', 'ArrowRight'].map((key) => stepTo(key, map, at) ?? at);
  const children = map.nodes[at]?.children ?? [];
  const all = new Set([at, ...steps, ...siblings.slice(from, from + mostSiblings), ...children.slice(0, mostSiblings)]);
  return [...all].filter((each) => map.nodes[each] !== undefined).sort((a, b) => a - b);
}
