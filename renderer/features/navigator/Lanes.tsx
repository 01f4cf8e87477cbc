// The lines and the dot before a row. Units are sixteenths of a rem, so that they grow with the text.
import type { OutlineRow } from '../../../shared/tree/outlineRows';
import { cx } from '../../ui/cx';
import styles from './Lanes.module.css';

const height = 28;
const middle = height / 2;
const step = 12;
const dot = 4;
/** Deeper lanes are drawn in the last one. */
const deepest = 9;
const x = (lane: number) => 10 + step * Math.min(lane, deepest);
/** Rows of the path and of the branches beside it begin at the same place. */
const least = 1;

type LineKind = 'path' | 'side' | null;
const classOf = (kind: LineKind) => cx(styles.line, kind === 'path' && styles.pathLine);

function Straight({ at, from, to, kind, dotted = false }: { at: number; from: number; to: number; kind: LineKind; dotted?: boolean }) {
  if (kind === null) return null;
  return <path d={`M${at} ${from}V${to}`} className={cx(classOf(kind), dotted && styles.dotted)} />;
}

export function Lanes({ row }: { row: OutlineRow }) {
  const { lane, passes, line, meets, isHead } = row;
  const width = x(Math.max(lane, least)) + step;
  const own = x(lane);
  return (
    <svg
      aria-hidden="true"
      className={styles.lanes}
      viewBox={`0 0 ${width} ${height}`}
      style={{ width: `${width / 16}rem`, height: `${height / 16}rem` }}
    >
      {passes.map((kind, each) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a lane is its place
        <Straight key={each} at={x(each)} from={0} to={height} kind={kind} />
      ))}
      {isHead ? (
        <path
          d={`M${x(lane - 1)} ${meets === null ? middle / 2 : 0}Q${x(lane - 1)} ${middle} ${own - dot} ${middle}`}
          className={classOf('side')}
        />
      ) : null}
      {row.kind === 'gap' ? (
        <Straight at={own} from={0} to={height} kind={line.below ?? line.above} dotted />
      ) : (
        <>
          <Straight at={own} from={0} to={middle - dot} kind={line.above} />
          <Straight at={own} from={middle + dot} to={height} kind={line.below} />
          <circle
            cx={own}
            cy={middle}
            r={row.isTip ? dot + 1 : dot}
            className={cx(styles.dot, row.onPath && styles.pathDot, row.isTip && styles.tipDot)}
          />
        </>
      )}
    </svg>
  );
}
