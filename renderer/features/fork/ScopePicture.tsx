// A small tree that shows what a fork takes along: filled is copied, dashed stays behind.
import type { ForkScope } from '../../../shared/model/fork';
import { cx } from '../../ui/cx';
import styles from './Fork.module.css';

/** How far a message is from the path: on it, beside it, or neither. */
type Ring = 'path' | 'siblings' | 'all';
type Node = { x: number; y: number; ring: Ring; parent?: number };
const nodes: readonly Node[] = [
  { x: 40, y: 8, ring: 'path' },
  { x: 16, y: 26, ring: 'siblings', parent: 0 },
  { x: 40, y: 26, ring: 'path', parent: 0 },
  { x: 64, y: 26, ring: 'siblings', parent: 0 },
  { x: 8, y: 44, ring: 'all', parent: 1 },
  { x: 24, y: 44, ring: 'all', parent: 1 },
  { x: 40, y: 44, ring: 'path', parent: 2 },
  { x: 56, y: 44, ring: 'siblings', parent: 2 },
  { x: 72, y: 44, ring: 'all', parent: 3 },
  { x: 40, y: 62, ring: 'all', parent: 6 },
];
const chosen = 6;
const order: readonly Ring[] = ['path', 'siblings', 'all'];

export function ScopePicture({ scope }: { scope: ForkScope }) {
  const isIn = ({ ring }: Node) => order.indexOf(ring) <= order.indexOf(scope);
  return (
    <svg className={styles.picture} viewBox="0 0 80 70" aria-hidden="true" focusable="false">
      {nodes.map((node) => {
        const parent = node.parent === undefined ? undefined : nodes[node.parent];
        if (!parent) return null;
        return (
          <path
            key={`${node.x} ${node.y}`}
            className={cx(styles.edge, isIn(node) && styles.in)}
            d={`M${parent.x} ${parent.y}L${node.x} ${node.y}`}
          />
        );
      })}
      {nodes.map((node, at) => (
        <g key={`${node.x} ${node.y}`}>
          {at === chosen ? <circle className={styles.halo} cx={node.x} cy={node.y} r={7} /> : null}
          <circle className={cx(styles.node, isIn(node) && styles.in)} cx={node.x} cy={node.y} r={4} />
        </g>
      ))}
    </svg>
  );
}
