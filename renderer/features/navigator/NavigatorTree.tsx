// The tree itself: its rows, its one tab stop, and what floats beside them.
import { useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';
import type { OutlineRow } from '../../../shared/tree/outlineRows';
import { labelTurn } from '../../state/outlineSlice';
import styles from './Navigator.module.css';
import { NavigatorRow, type RowActs, rowId } from './NavigatorRow';
import { PreviewCard } from './PreviewCard';
import { turnText, type Words } from './rowWords';
import { TurnMenu, type TurnMenuPlace } from './TurnMenu';
import { useFollowTip } from './useFollowTip';
import { useFresh } from './useFresh';
import { useLineWindow } from './useLineWindow';
import { usePreview } from './usePreview';
import { useTreeKeys } from './useTreeKeys';
import { type TurnActs, useTurnActs } from './useTurnActs';
import { useWantedFocus } from './useWantedFocus';

const elementOf = (row: Pick<OutlineRow, 'key'>) => document.getElementById(rowId(row.key));

export function NavigatorTree({ rows, words, now }: { rows: readonly OutlineRow[]; words: Words; now: number }) {
  const { t } = useTranslation('navigator');
  const [scroller, setScroller] = useState<HTMLDivElement | null>(null);
  const [active, setActive] = useState<string | null>(null);
  const [menu, setMenu] = useState<TurnMenuPlace | null>(null);
  const tip = rows.findIndex((row) => row.kind === 'turn' && row.isTip);
  const found = rows.findIndex((row) => row.key === active);
  const tabStop = found >= 0 ? found : Math.max(0, tip);
  const view = useLineWindow(rows, tabStop, scroller);
  const fresh = useFresh(rows, rows[tip]?.key);
  const { preview, show, hide } = usePreview();
  const turnActs = useTurnActs();
  useFollowTip(rows[tip]?.key, tip, view, scroller);
  useWantedFocus(scroller);
  const focusAt = (at: number) => {
    const row = rows[at];
    if (!row) return;
    // The row that is the tab stop is always drawn. It has the focus before the next key, which is meant for it.
    flushSync(() => setActive(row.key));
    view.show(at);
    const element = elementOf(row);
    element?.focus({ preventScroll: true });
    // For keys within the tree alone: where the focus only comes in, the talk stays uncovered.
    if (row.kind === 'turn' && element) show(row.turn, element);
  };
  const onEscape = () => {
    if (preview) hide();
    return preview !== null;
  };
  const onKeyDown = useTreeKeys({ rows, words, turnActs, focusAt, onEscape });
  const acts = useRowActs({ turnActs, show, hide, setActive, setMenu });
  return (
    <>
      <div ref={setScroller} className={styles.scroller} onScroll={hide}>
        <div
          role="tree"
          aria-label={t('tree')}
          className={styles.tree}
          style={view.height === null ? undefined : { height: view.height }}
          onKeyDown={onKeyDown}
          onBlur={hide}
        >
          {view.shown.map(({ row, top }) => (
            <NavigatorRow
              key={row.key}
              row={row}
              top={top}
              isTabStop={rows[tabStop] === row}
              isLabelling={turnActs.labelling === row.key}
              isFresh={fresh.has(row.key)}
              now={now}
              words={words}
              acts={acts}
            />
          ))}
        </div>
      </div>
      {/* Outside what scrolls: it is the frame of what is placed in it. */}
      {menu ? (
        <TurnMenu
          place={menu}
          name={turnText(menu.row.turn, words)}
          onAct={turnActs.act}
          onClose={() => setMenu(null)}
          returnFocus={() => elementOf(menu.row)?.focus()}
        />
      ) : null}
      {preview ? <PreviewCard preview={preview} words={words} /> : null}
    </>
  );
}

type Around = Pick<ReturnType<typeof usePreview>, 'show' | 'hide'> & {
  turnActs: TurnActs;
  setActive(key: string): void;
  setMenu(place: TurnMenuPlace): void;
};

/** The same for all draws, so that a row is drawn again only when something about it changed. */
function useRowActs(around: Around): RowActs {
  const latest = useRef(around);
  latest.current = around;
  return useMemo<RowActs>(
    () => ({
      go: (row) => {
        if (row.kind === 'turn') latest.current.turnActs.act('go', row);
      },
      toggle: (row) => {
        if (row.kind === 'turn' && row.fold === 'open') latest.current.turnActs.fold(row);
        else latest.current.turnActs.unfold(row);
      },
      focus: (row) => latest.current.setActive(row.key),
      hover: (row, element) => {
        if (row?.kind === 'turn' && element) latest.current.show(row.turn, element);
        else latest.current.hide();
      },
      menu: (row, at) => {
        latest.current.hide();
        latest.current.setMenu({ row, at });
      },
      label: (row, label) => {
        latest.current.turnActs.setLabelling(null);
        if (label === null) return;
        void labelTurn(row.turn, label);
        elementOf(row)?.focus();
      },
    }),
    [],
  );
}
