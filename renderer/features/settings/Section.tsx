// The frame every section shares: a heading, what it is for, its groups, and under them what saves it.
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
  /** Buttons that stay in sight while the rest scrolls, where there is room for both. */
  foot?: ReactNode;
  children: ReactNode;
};

export function Section({ title, text, mark, act, onBack, foot, children }: SectionProps) {
  const { t } = useTranslation('settings');
  const section = (
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
  if (!foot) return section;
  return (
    <div className={styles.footed}>
      <div className={styles.column}>
        {section}
        <div className={styles.bar}>{foot}</div>
      </div>
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
