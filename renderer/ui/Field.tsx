// A labelled place for one value, with its hint and its error where the value is.
import { type ReactNode, useId } from 'react';
import styles from './Field.module.css';

export type FieldProps = {
  label: string;
  hint?: ReactNode;
  /** What is wrong with the value; read out with the control. */
  error?: string | null | undefined;
  /** Keeps the label for screen readers only. */
  hideLabel?: boolean | undefined;
};
export type ControlIds = { id: string; 'aria-describedby': string | undefined; 'aria-invalid': true | undefined };

export function Field({ label, hint, error, hideLabel, children }: FieldProps & { children: (control: ControlIds) => ReactNode }) {
  const id = useId();
  const described = [hint ? `${id}-hint` : '', error ? `${id}-error` : ''].filter(Boolean).join(' ');
  return (
    <div className={styles.field}>
      <label className={hideLabel ? styles.hidden : styles.label} htmlFor={id}>
        {label}
      </label>
      {children({ id, 'aria-describedby': described || undefined, 'aria-invalid': error ? true : undefined })}
      {error ? (
        <p id={`${id}-error`} className={styles.error} role="alert">
          {error}
        </p>
      ) : null}
      {hint ? (
        <div id={`${id}-hint`} className={styles.hint}>
          {hint}
        </div>
      ) : null}
    </div>
  );
}
