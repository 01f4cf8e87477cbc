// A button with an icon alone: always named, its name shown as a tooltip.
import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react';
import { cx } from './cx';
import styles from './IconButton.module.css';

export type IconButtonProps = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'aria-label' | 'title'> & {
  /** The name for screen readers and, unless `tooltip` says more, the tooltip. */
  label: string;
  tooltip?: string | undefined;
  /** Keys to show in the tooltip, like `Mod+B`. */
  keys?: string | undefined;
  size?: 'normal' | 'small' | undefined;
  children: ReactNode;
  ref?: Ref<HTMLButtonElement> | undefined;
};

export function IconButton({ label, tooltip, keys, size = 'normal', className, type = 'button', ...rest }: IconButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      aria-label={label}
      data-tooltip={tooltip ?? label}
      data-tooltip-keys={keys}
      className={cx(styles.button, size === 'small' && styles.small, className)}
    />
  );
}
