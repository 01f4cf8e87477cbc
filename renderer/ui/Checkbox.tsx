// On or off among several, saved with the rest of a form; what it means stands under its name.
import { type ReactNode, useId } from 'react';
import styles from './Checkbox.module.css';

type CheckboxProps = { label: ReactNode; hint?: ReactNode; checked: boolean; onChange(checked: boolean): void };

export function Checkbox({ label, hint, checked, onChange }: CheckboxProps) {
  const id = useId();
  return (
    <div className={styles.row}>
      <input
        id={id}
        type="checkbox"
        className={styles.mark}
        checked={checked}
        aria-describedby={hint ? `${id}-hint` : undefined}
        onChange={(event) => onChange(event.target.checked)}
      />
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
    </div>
  );
}
