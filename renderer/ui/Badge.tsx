// One or two words about a thing.
import type { ReactNode } from 'react';
import styles from './Badge.module.css';
import { cx } from './cx';

export type Tone = 'neutral' | 'accent' | 'amber' | 'red';

export function Badge({ tone = 'neutral', children }: { tone?: Tone | undefined; children: ReactNode }) {
  return <span className={cx(styles.badge, styles[tone])}>{children}</span>;
}
