// What a program printed, as it stands: plain text that wraps, and scrolls inside when it is long.
import { Fragment, memo, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatNumber } from './format';
import styles from './PlainOutput.module.css';

/** More is drawn only when asked for: laying out megabytes stops the window. */
const drawnAtFirst = 50_000;

export const PlainOutput = memo(function PlainOutput({ text, label }: { text: string; label: string }) {
  const { t, i18n } = useTranslation('talk');
  const [all, setAll] = useState(false);
  const cut = !all && text.length > drawnAtFirst;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a section would be a landmark
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box must be reachable by keyboard
    <pre className={styles.output} role="group" aria-label={label} tabIndex={0} dir="auto">
      {inPieces(cut ? beginning(text) : text)}
      {cut ? (
        <button type="button" className={styles.more} onClick={() => setAll(true)}>
          {t('showAll', { count: text.length, shown: formatNumber(text.length, i18n.language) })}
        </button>
      ) : null}
    </pre>
  );
});

/** Without half a character at its end. */
const beginning = (text: string) => text.slice(0, drawnAtFirst).replace(/[\ud800-\udbff]$/, '');

/** Lines longer than this are laid out in pieces: one takes time by more than its length. A copy has no break between them. */
const longLine = /[^\n]{4001,}/gu;
const piece = /[^\n]{1,4000}/gu;

function inPieces(text: string): ReactNode {
  const lines = [...text.matchAll(longLine)];
  if (lines.length === 0) return text;
  let end = 0;
  const parts = lines.map(({ index, 0: line }) => {
    const before = text.slice(end, index);
    end = index + line.length;
    return (
      <Fragment key={index}>
        {before}
        {[...line.matchAll(piece)].map((one) => (
          <span key={one.index} className={styles.piece}>
            {one[0]}
          </span>
        ))}
      </Fragment>
    );
  });
  return [...parts, text.slice(end)];
}
