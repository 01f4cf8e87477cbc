// What of the map a keyboard and a screen reader have: the node that has the focus and those that arrows lead to, where they are drawn.
import type { OutlineMap } from '../../../../shared/tree/outlineMap';
import { formatList } from '../../../ui/format';
import { LabelField } from '../LabelField';
import { turnMarks, turnText, type Words } from '../rowWords';
import styles from './Map.module.css';
import { nearby, siblingsOf } from './mapKeys';
import { type MapSpace, placeOf } from './mapSpace';
import { mapNodeId } from './useMapActs';

type Nodes = {
  map: OutlineMap;
  space: MapSpace;
  active: number;
  /** The node whose label is being written. */
  labelling: string | null;
  words: Words;
  onFocus(node: number): void;
  /** Null leaves the label as it was. */
  onLabel(node: number, label: string | null): void;
};

export function MapNodes({ map, space, active, labelling, words, onFocus, onLabel }: Nodes) {
  return nearby(map, active).map((at) => {
    const node = map.nodes[at];
    if (!node) return null;
    const siblings = siblingsOf(map, at);
    const { x, y } = placeOf(space, node);
    return (
      <div
        key={node.key}
        id={mapNodeId(node.key)}
        role="treeitem"
        tabIndex={at === active ? 0 : -1}
        aria-label={nodeName(map, at, words)}
        aria-level={node.row + 1}
        aria-posinset={siblings.indexOf(at) + 1}
        aria-setsize={siblings.length}
        aria-selected={node.onPath}
        data-node={at}
        className={styles.node}
        style={{ transform: `translate(${x}px, ${y}px)` }}
        onFocus={() => onFocus(at)}
      >
        {labelling === node.key ? (
          <span className={styles.labelling}>
            <LabelField label={node.turn.label ?? ''} onDone={(label) => onLabel(at, label)} />
          </span>
        ) : null}
      </div>
    );
  });
}

/** All that is drawn of it, in words. */
function nodeName({ nodes }: OutlineMap, at: number, words: Words): string {
  const node = nodes[at];
  if (!node) return '';
  const { t } = words;
  const facts = [
    turnText(node.turn, words),
    ...turnMarks(node, words),
    ...(node.hidden > 0 ? [t('map.after', { count: node.hidden })] : []),
    ...(node.children.length > 1 ? [t('map.parts', { count: node.children.length })] : []),
  ];
  return formatList(facts, words.language);
}
