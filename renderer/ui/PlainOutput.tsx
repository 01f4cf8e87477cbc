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
      {breakable(cut ? beginning(text) : text)}
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

/** A run without a blank takes time by the square of its length to be laid out: it may break every so often, which copying does not show. */
const endlessRun = /\S{1000}(?=\S)/gu;

function breakable(text: string): ReactNode {
  const ends = [...text.matchAll(endlessRun)].map(({ index, 0: run }) => index + run.length);
  if (ends.length === 0) return text;
  return [...ends, text.length].map((end, at) => (
    <Fragment key={end}>
      {at === 0 ? null : <wbr />}
      {text.slice(ends[at - 1] ?? 0, end)}
    </Fragment>
  ));
}
