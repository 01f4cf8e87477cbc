// On or off, at once.
import * as Radix from 'radix-ui/switch';
import { type ReactNode, useId } from 'react';
import styles from './Switch.module.css';

type SwitchProps = { label: string; hint?: ReactNode; checked: boolean; onChange(checked: boolean): void; disabled?: boolean | undefined };

export function Switch({ label, hint, checked, onChange, disabled = false }: SwitchProps) {
  const id = useId();
  return (
    <div className={styles.row}>
      <div className={styles.words}>
        <label htmlFor={id} className={styles.label}>
          {label}
        </label>
        {hint ? (
          <div id={`${id}-hint`} className={styles.hint}>
            {hint}
          </div>
        ) : null}
      </div>
      <Radix.Root
        id={id}
        className={styles.track}
        checked={checked}
        onCheckedChange={onChange}
        disabled={disabled}
        aria-describedby={hint ? `${id}-hint` : undefined}
      >
        <Radix.Thumb className={styles.thumb} />
      </Radix.Root>
    </div>
  );
}
