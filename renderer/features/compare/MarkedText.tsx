// One side's text with what only it has marked: by colour, by a line under or through it, and as inserted or deleted text.
import { createContext, useContext, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { SideName } from '../../../shared/model/comparison';
import type { Difference } from '../../text/difference';
import { cx } from '../../ui/cx';
import { formatNumber } from '../../ui/format';
import styles from './CompareCell.module.css';

type MarkedTextProps = {
  side: SideName;
  text: string;
  difference: Difference | null;
  /** The change the reader stands at, if it is in this text. */
  at: number | null;
};
/** `change` counts the changes of the row; null for what both have. */
type Stretch = { text: string; change: number | null };

/** Told of the mark the reader stands at, each time it comes on the page. */
export const CurrentMark = createContext<(mark: HTMLElement) => void>(() => undefined);

/** Characters shown before the reader asks for more. */
const atFirst = 20_000;

export function MarkedText({ side, text, difference, at }: MarkedTextProps) {
  const { t, i18n } = useTranslation('compare');
  const [unfolded, setUnfolded] = useState(false);
  const all = unfolded || at !== null || text.length <= atFirst;
  const stretches = stretchesOf(side, text, difference);
  const shown = all ? stretches : firstOf(stretches);
  return (
    <>
      <div className={styles.text} dir="auto">
        {shown.map(({ text: words, change }, place) =>
          change === null ? (
            words
          ) : (
            // biome-ignore lint/suspicious/noArrayIndexKey: the stretches of a difference never change their place
            <Mark key={place} side={side} text={words} isCurrent={change === at} />
          ),
        )}
      </div>
      {all ? null : (
        <button type="button" className={styles.more} onClick={() => setUnfolded(true)}>
          {t('showAll', { shown: formatNumber(text.length, i18n.language) })}
        </button>
      )}
    </>
  );
}

function stretchesOf(side: SideName, text: string, difference: Difference | null): Stretch[] {
  if (!difference || difference === 'tooLong') return [{ text, change: null }];
  let change = -1;
  return difference.pieces.flatMap((piece): Stretch[] => {
    if (typeof piece === 'string') return [{ text: piece, change: null }];
    change++;
    return piece[side] === '' ? [] : [{ text: piece[side], change }];
  });
}

function firstOf(stretches: readonly Stretch[]): Stretch[] {
  const first: Stretch[] = [];
  let left = atFirst;
  for (const stretch of stretches) {
    if (left <= 0) break;
    // Never half of a character that takes two places.
    first.push({ ...stretch, text: stretch.text.slice(0, left).replace(/[\ud800-\udbff]$/, '') });
    left -= stretch.text.length;
  }
  return first;
}

function Mark({ side, text, isCurrent }: { side: SideName; text: string; isCurrent: boolean }) {
  const element = useRef<HTMLModElement>(null);
  const tell = useContext(CurrentMark);
  useLayoutEffect(() => {
    if (isCurrent && element.current) tell(element.current);
  }, [isCurrent, tell]);
  const Tag = side === 'left' ? 'del' : 'ins';
  return (
    <Tag ref={element} className={cx(styles.mark, isCurrent && styles.current)} data-current={isCurrent || undefined}>
      {text}
    </Tag>
  );
}
