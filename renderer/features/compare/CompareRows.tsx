// The rows of both branches, message beside message; only those near the view are in the page.
import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, type Ref, useCallback, useEffect, useLayoutEffect, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { SideName } from '../../../shared/model/comparison';
import type { ComparedRow } from '../../../shared/tree/alignBranches';
import { loadRows, useComparedMessage, useComparedRows } from '../../state/compareSlice';
import { useDifference } from '../../text/differences';
import { cx } from '../../ui/cx';
import styles from './Compare.module.css';
import { CompareCell, type RowState } from './CompareCell';
import cell from './CompareCell.module.css';
import { type AnswerView, comparedIn, type Step } from './findStep';
import { CurrentMark } from './MarkedText';
import { sides } from './words';

/** Rows loaded beyond those in the page. */
const ahead = 10;
const usualHeight = 120;

export function CompareRows({ view, at }: { view: AnswerView; at: Step | null }) {
  const { t } = useTranslation('compare');
  const rows = useComparedRows();
  const ends = useMemo(() => endsOf(rows), [rows]);
  const scroller = useRef<HTMLDivElement>(null);
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    getItemKey: (index) => rows[index]?.key ?? index,
    estimateSize: () => usualHeight,
    overscan: 3,
    paddingEnd: 16,
  });
  const drawn = list.getVirtualItems();
  const [first, last] = [drawn[0]?.index ?? 0, drawn.at(-1)?.index ?? 0];
  // biome-ignore lint/correctness/useExhaustiveDependencies: other rows are other messages
  useEffect(() => void loadRows(first - ahead, last + 1 + ahead), [first, last, rows]);
  const tell = useShownOnce(at, (row) => list.scrollToIndex(row, { align: 'start' }));
  return (
    <CurrentMark value={tell}>
      <div className={styles.rows}>
        {/* biome-ignore lint/a11y/useSemanticElements: a section would be a landmark */}
        <div
          ref={scroller}
          className={styles.scroller}
          role="group"
          aria-label={t('rows')}
          data-compare=""
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box must be reachable by keyboard
          tabIndex={0}
        >
          <div className={styles.sizer} style={{ height: list.getTotalSize() }}>
            {drawn.map((item) => {
              const row = rows[item.index];
              return row ? (
                <Row
                  key={item.key}
                  ref={list.measureElement}
                  row={row}
                  index={item.index}
                  top={item.start}
                  ends={sides.find((side) => ends[side] === item.index) ?? null}
                  view={view}
                  at={at?.row === item.index ? at.change : null}
                />
              ) : null;
            })}
          </div>
        </div>
      </div>
    </CurrentMark>
  );
}

/** Brings each step into view once, however often its row comes and goes: its mark, or its row until that is there. */
function useShownOnce(at: Step | null, showRow: (row: number) => void): (mark: HTMLElement) => void {
  const step = useRef(at);
  const shown = useRef<Step | null>(null);
  step.current = at;
  const tell = useCallback((mark: HTMLElement) => {
    // Of the two marks of a change the first one that is there.
    if (step.current === shown.current) return;
    shown.current = step.current;
    mark.scrollIntoView({ block: 'nearest' });
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once a step
  useLayoutEffect(() => {
    // A mark that is on the page has told of itself by now.
    if (at && at !== shown.current) showRow(at.row);
  }, [at]);
  return tell;
}

/** The row at which each side has ended. */
function endsOf(rows: readonly ComparedRow[]): Record<SideName, number> {
  const after = (side: SideName) => rows.findLastIndex((row) => row[side] !== null) + 1;
  return { left: after('left'), right: after('right') };
}

type RowProps = {
  row: ComparedRow;
  index: number;
  top: number;
  ends: SideName | null;
  view: AnswerView;
  at: number | null;
  ref: Ref<HTMLDivElement>;
};

const Row = memo(function Row({ row, index, top, ends, view, at, ref }: RowProps) {
  const { t } = useTranslation('compare');
  const messages = { left: useComparedMessage('left', row.left), right: useComparedMessage('right', row.right) };
  const compared = comparedIn(messages.left, messages.right);
  const difference = useDifference(compared);
  const waiting = sides.some((side) => row[side] !== null && messages[side] === null);
  const alone = row.left === null || row.right === null;
  const state: RowState = waiting ? 'waiting' : alone ? 'alone' : compared ? 'differs' : 'same';
  const isCurrent = at !== null;
  return (
    <div
      ref={ref}
      data-index={index}
      data-current={(isCurrent && view === 'asShown') || undefined}
      className={cx(
        styles.row,
        row.kind === 'prompt' && index > 0 && styles.turn,
        isCurrent && styles.currentRow,
        waiting && styles.waiting,
      )}
      style={{ transform: `translateY(${top}px)` }}
    >
      {sides.map((side) =>
        ends === side ? (
          <p key={side} className={cx(cell.cell, cell.ends)}>
            {t('ends', { side: t(`side.${side}`) })}
          </p>
        ) : (
          <CompareCell
            key={side}
            side={side}
            message={waiting ? null : messages[side]}
            state={state}
            difference={difference}
            view={view}
            at={at}
          />
        ),
      )}
    </div>
  );
});
