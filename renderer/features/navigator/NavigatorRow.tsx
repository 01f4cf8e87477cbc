// One line of the navigator: lanes, words, marks.
import { ChevronRight, Flag, Pin } from 'lucide-react';
import { memo } from 'react';
import type { OutlineRow, TurnRow } from '../../../shared/tree/outlineRows';
import { Badge } from '../../ui/Badge';
import { cx } from '../../ui/cx';
import { formatNumber } from '../../ui/format';
import { LabelField } from './LabelField';
import { Lanes } from './Lanes';
import styles from './NavigatorRow.module.css';
import { rowName, rowText, rowTime, type Words } from './rowWords';

export type RowActs = {
  go(row: OutlineRow): void;
  toggle(row: OutlineRow): void;
  focus(row: OutlineRow): void;
  hover(row: OutlineRow | null, element: HTMLElement | null): void;
  menu(row: TurnRow, at: { x: number; y: number }): void;
  /** Null leaves the label as it was. */
  label(row: TurnRow, label: string | null): void;
};
type RowProps = {
  row: OutlineRow;
  top: number | null;
  isTabStop: boolean;
  isFresh: boolean;
  isLabelling: boolean;
  now: number;
  words: Words;
  acts: RowActs;
};

export const rowId = (key: string) => `branch-row-${key}`;

export const NavigatorRow = memo(function NavigatorRow({ row, top, isTabStop, isFresh, isLabelling, now, words, acts }: RowProps) {
  const isGap = row.kind === 'gap';
  const folds = isGap ? 'folded' : row.fold;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree answers to its rows' keys
    <div
      id={rowId(row.key)}
      role="treeitem"
      tabIndex={isTabStop ? 0 : -1}
      aria-label={rowName(row, words)}
      aria-level={row.level}
      aria-posinset={row.place}
      aria-setsize={row.group.size}
      aria-selected={row.onPath}
      {...(folds === null ? {} : { 'aria-expanded': folds === 'open' })}
      data-key={row.key}
      className={cx(
        styles.row,
        top !== null && styles.placed,
        row.onPath && styles.onPath,
        isGap && styles.gap,
        row.kind === 'turn' && row.turn.role === 'assistant' && styles.answer,
        row.kind === 'turn' && row.isTip && styles.tip,
        isFresh && styles.fresh,
      )}
      style={top === null ? undefined : { transform: `translateY(${top}px)` }}
      onClick={() => (isGap ? acts.toggle(row) : acts.go(row))}
      onContextMenu={(event) => {
        if (row.kind !== 'turn') return;
        event.preventDefault();
        const box = event.currentTarget.getBoundingClientRect();
        // The menu key has no place of its own.
        acts.menu(row, event.clientX > 0 ? { x: event.clientX, y: event.clientY } : { x: box.left + 32, y: box.bottom });
      }}
      onFocus={() => acts.focus(row)}
      onPointerEnter={(event) => acts.hover(row, event.currentTarget)}
      onPointerLeave={() => acts.hover(null, null)}
    >
      <Lanes row={row} />
      {isLabelling && row.kind === 'turn' ? (
        <LabelField label={row.turn.label ?? ''} onDone={(label) => acts.label(row, label)} />
      ) : (
        <span className={styles.words} dir="auto">
          {rowText(row, words)}
        </span>
      )}
      {row.kind === 'turn' && !isLabelling ? <Marks row={row} now={now} words={words} acts={acts} /> : null}
    </div>
  );
});

function Marks({ row, now, words, acts }: { row: TurnRow; now: number; words: Words; acts: RowActs }) {
  const { turn } = row;
  const { t } = words;
  const state = turn.state ?? (row.runs ? 'running' : undefined);
  return (
    <span className={styles.marks}>
      {turn.label === undefined ? null : (
        <span className={styles.chip}>
          <Badge tone="amber">{turn.label}</Badge>
        </span>
      )}
      {turn.checkpoint === undefined ? null : (
        <span className={styles.chip}>
          <Flag aria-hidden="true" />
          <span>{turn.checkpoint}</span>
        </span>
      )}
      {turn.pinned ? <Pin aria-hidden="true" /> : null}
      {state ? <span className={cx(styles.state, styles[state])}>{state === 'running' ? null : t(`state.${state}`)}</span> : null}
      {row.fold === null ? <time className={styles.time}>{rowTime(turn.createdAt, now, words.language)}</time> : null}
      {row.fold === null ? null : (
        // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/noStaticElementInteractions: for the pointer; arrows fold and unfold by keyboard
        <span
          className={cx(styles.fold, row.fold === 'open' && styles.open)}
          onClick={(event) => {
            event.stopPropagation();
            acts.toggle(row);
          }}
        >
          {formatNumber(row.turns, words.language)}
          <ChevronRight aria-hidden="true" />
        </span>
      )}
    </span>
  );
}
