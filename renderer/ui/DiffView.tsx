// A difference between two texts: added and removed lines by colour and by their marks, each with its place in the file.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { cx } from './cx';
import styles from './DiffView.module.css';
import type { DiffHunk, DiffLine, FileDiff } from './diffHunks';
import { formatNumber } from './format';

type DiffViewProps = {
  diff: FileDiff;
  /** Names the scrolling box. */
  label: string;
  /** Line numbers; without them where only a piece of the file is known. */
  numbered?: boolean | undefined;
  /** With the name of the file over it. */
  named?: boolean | undefined;
};

/** More lines are drawn only when asked for. */
const drawnAtFirst = 500;

export function DiffView({ diff, label, numbered = true, named = true }: DiffViewProps) {
  const { t, i18n } = useTranslation('talk');
  const [all, setAll] = useState(false);
  const total = diff.hunks.reduce((sum, hunk) => sum + hunk.lines.length, 0);
  const hunks = all ? diff.hunks : firstLines(diff.hunks, drawnAtFirst);
  return (
    <figure className={styles.diff}>
      {diff.file && named ? (
        <figcaption className={styles.file} dir="ltr">
          {diff.file}
        </figcaption>
      ) : null}
      {/* biome-ignore lint/a11y/useSemanticElements: a section would be a landmark */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box must be reachable by keyboard */}
      <div className={styles.box} role="group" aria-label={label} tabIndex={0} dir="ltr">
        <div className={styles.lines}>
          {hunks.map((hunk, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a difference never changes, a hunk's place is its identity
            <Hunk key={index} hunk={hunk} numbered={numbered} first={index === 0} />
          ))}
        </div>
        {all || total <= drawnAtFirst ? null : (
          <button type="button" className={styles.more} onClick={() => setAll(true)}>
            {t('diff.showAll', { count: total, shown: formatNumber(total, i18n.language) })}
          </button>
        )}
      </div>
    </figure>
  );
}

function firstLines(hunks: readonly DiffHunk[], most: number): DiffHunk[] {
  const shown: DiffHunk[] = [];
  let left = most;
  for (const hunk of hunks) {
    if (left <= 0) break;
    shown.push({ ...hunk, lines: hunk.lines.slice(0, left) });
    left -= hunk.lines.length;
  }
  return shown;
}

function Hunk({ hunk, numbered, first }: { hunk: DiffHunk; numbered: boolean; first: boolean }) {
  return (
    <>
      {numbered && hunk.header ? <div className={styles.header}>{hunk.header}</div> : first ? null : <div className={styles.gap}>⋯</div>}
      {hunk.lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <Line key={index} line={line} numbered={numbered} />
      ))}
    </>
  );
}

const marks = { same: ' ', added: '+', removed: '-', note: '\\' } as const;

function Line({ line, numbered }: { line: DiffLine; numbered: boolean }) {
  const words = (
    <>
      <span className={styles.mark}>{marks[line.kind]}</span>
      <span className={styles.text}>{line.text}</span>
    </>
  );
  return (
    <div className={cx(styles.line, styles[line.kind])}>
      {numbered ? (
        <>
          <span className={styles.number} aria-hidden="true">
            {line.before ?? ''}
          </span>
          <span className={styles.number} aria-hidden="true">
            {line.after ?? ''}
          </span>
        </>
      ) : null}
      {line.kind === 'added' ? <ins>{words}</ins> : line.kind === 'removed' ? <del>{words}</del> : <span>{words}</span>}
    </div>
  );
}
