// An agent's letter in a square.

import styles from './Avatar.module.css';
import { cx } from './cx';

export function Avatar({ name, size = 'normal' }: { name: string; size?: 'small' | 'normal' | 'large' | undefined }) {
  const letter = [...name.trim()][0]?.toLocaleUpperCase() ?? '·';
  return (
    <span aria-hidden="true" className={cx(styles.avatar, styles[size])}>
      {letter}
    </span>
  );
}
