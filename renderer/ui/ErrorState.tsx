// Something could not be shown: the cause, what was kept, what to do. In place, never a lone alert.
import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { cx } from './cx';
import styles from './ErrorState.module.css';

type ErrorStateProps = {
  title: string;
  /** What was kept. */
  kept?: string | undefined;
  /** Cause and next step. */
  children?: ReactNode;
  actions?: ReactNode;
  /** `warning` where nothing is lost or broken. */
  tone?: 'error' | 'warning' | undefined;
  /** A heading of the page rather than a line in a panel. */
  heading?: boolean | undefined;
};

export function ErrorState({ title, kept, children, actions, tone = 'error', heading = false }: ErrorStateProps) {
  const Title = heading ? 'h1' : 'p';
  return (
    <div role="alert" className={cx(styles.state, heading && styles.page, tone === 'warning' && styles.warning)}>
      <CircleAlert className={styles.icon} aria-hidden="true" />
      <div className={styles.words}>
        <Title className={styles.title}>{title}</Title>
        {children}
        {kept ? <p className={styles.kept}>{kept}</p> : null}
        {actions ? <div className={styles.actions}>{actions}</div> : null}
      </div>
    </div>
  );
}
