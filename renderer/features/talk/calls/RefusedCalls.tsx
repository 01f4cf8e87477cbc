// Calls that did not run for one reason, as one line with their number (A5); unfolds to the line of each.
import { Ban, ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useUnfolded } from '../../../state/unfolded';
import { cx } from '../../../ui/cx';
import { formatNumber } from '../../../ui/format';
import { noteOf } from './callLook';
import styles from './calls.module.css';

type RefusedProps = { place: string; count: number; summary: string; children: ReactNode };

export function RefusedCalls({ place, count, summary, children }: RefusedProps) {
  const { t, i18n } = useTranslation('talk');
  const [open, setOpen] = useUnfolded(place);
  return (
    <div className={styles.call} data-status="refused">
      <details open={open} onToggle={(event) => event.target === event.currentTarget && setOpen(event.currentTarget.open)}>
        <summary className={styles.line}>
          <span className={styles.icon}>
            <Ban aria-hidden="true" />
          </span>
          <span className={styles.verb}>{t('calls.several', { count, shown: formatNumber(count, i18n.language) })}</span>
          <span className={styles.note} dir="auto">
            {noteOf(summary, '')}
          </span>
          <span className={styles.time} />
          <ChevronRight aria-hidden="true" className={cx(styles.chevron, open && styles.open)} />
        </summary>
        {open ? <div className={cx(styles.details, styles.several)}>{children}</div> : null}
      </details>
    </div>
  );
}
