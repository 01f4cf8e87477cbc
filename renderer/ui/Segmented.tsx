// One of two to four short choices, all in sight: a radio group drawn as one control.
import * as Radix from 'radix-ui/radio-group';
import { type ReactNode, useId } from 'react';
import { cx } from './cx';
import styles from './Segmented.module.css';
import type { Option } from './Select';

type SegmentedProps<T extends string> = {
  label: string;
  hint?: ReactNode;
  /** The label before the choices rather than over them. */
  inline?: boolean | undefined;
  value: T;
  options: readonly (Option<T> & { icon?: ReactNode })[];
  onChange(value: T): void;
};

export function Segmented<T extends string>({ label, hint, inline = false, value, options, onChange }: SegmentedProps<T>) {
  const id = useId();
  const choose = (next: string) => {
    const option = options.find((candidate) => candidate.value === next);
    if (option) onChange(option.value);
  };
  return (
    <div className={cx(styles.field, inline && styles.inline)}>
      <span id={id} className={styles.label}>
        {label}
      </span>
      <Radix.Root
        value={value}
        onValueChange={choose}
        orientation="horizontal"
        aria-labelledby={id}
        aria-describedby={hint ? `${id}-hint` : undefined}
        className={styles.group}
      >
        {options.map((option) => (
          <Radix.Item key={option.value} value={option.value} className={styles.item}>
            {option.icon}
            {option.label}
          </Radix.Item>
        ))}
      </Radix.Root>
      {hint ? (
        <div id={`${id}-hint`} className={styles.hint}>
          {hint}
        </div>
      ) : null}
    </div>
  );
}
