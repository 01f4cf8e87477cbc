// A button with words on it: a verb, in sentence case.
import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react';
import styles from './Button.module.css';
import { cx } from './cx';

export type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & {
  /** One primary a view; `danger` only for loss; `plain` has no border until it is pointed at. */
  look?: 'primary' | 'quiet' | 'danger' | 'plain' | undefined;
  size?: 'normal' | 'small' | undefined;
  icon?: ReactNode;
  /** What is being done right now: disables the button and shows progress in its place, without moving the layout. */
  busy?: boolean | undefined;
  ref?: Ref<HTMLButtonElement> | undefined;
};

export function Button({
  look = 'quiet',
  size = 'normal',
  icon,
  busy = false,
  className,
  children,
  disabled,
  type = 'button',
  ...rest
}: ButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      aria-busy={busy || undefined}
      aria-disabled={busy || undefined}
      disabled={disabled}
      onClick={busy ? undefined : rest.onClick}
      className={cx(styles.button, styles[look], size === 'small' && styles.small, busy && styles.busy, className)}
    >
      {icon}
      {children === undefined ? null : <span className={styles.label}>{children}</span>}
    </button>
  );
}
