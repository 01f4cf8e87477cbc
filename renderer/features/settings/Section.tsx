// The frame every section shares: a heading, what it is for, and its groups.
import { ArrowLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../ui/IconButton';
import styles from './Section.module.css';

type SectionProps = {
  title: string;
  text?: string | undefined;
  /** Beside the title. */
  mark?: ReactNode;
  act?: ReactNode;
  /** Back to the list this was opened from. */
  onBack?: (() => void) | undefined;
  children: ReactNode;
};

export function Section({ title, text, mark, act, onBack, children }: SectionProps) {
  const { t } = useTranslation('settings');
  return (
    <div className={styles.section}>
      <div className={styles.head}>
        {onBack ? (
          <IconButton label={t('back')} size="small" onClick={onBack}>
            <ArrowLeft aria-hidden="true" />
          </IconButton>
        ) : null}
        <div className={styles.words}>
          <div className={styles.titleRow}>
            <h3>{title}</h3>
            {mark}
          </div>
          {text ? <p>{text}</p> : null}
        </div>
        {act}
      </div>
      {children}
    </div>
  );
}

export function Group({ title, children }: { title?: string | undefined; children: ReactNode }) {
  return (
    <section className={styles.group} aria-label={title}>
      {title ? <h4>{title}</h4> : null}
      {children}
    </section>
  );
}
