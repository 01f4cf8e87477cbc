// One of a few choices that each need a sentence, so all of them are in sight.
import { useId } from 'react';
import styles from './Checkbox.module.css';

type Choice<T extends string> = { value: T; label: string; hint: string };
type RadioListProps<T extends string> = { label: string; value: T; options: readonly Choice<T>[]; onChange(value: T): void };

export function RadioList<T extends string>({ label, value, options, onChange }: RadioListProps<T>) {
  const id = useId();
  return (
    <fieldset className={styles.group}>
      <legend className={styles.legend}>{label}</legend>
      {options.map((option) => (
        <div key={option.value} className={styles.row}>
          <input
            id={`${id}-${option.value}`}
            type="radio"
            name={id}
            className={styles.mark}
            checked={option.value === value}
            aria-describedby={`${id}-${option.value}-hint`}
            onChange={() => onChange(option.value)}
          />
          <div className={styles.words}>
            <label htmlFor={`${id}-${option.value}`} className={styles.label}>
              {option.label}
            </label>
            <div id={`${id}-${option.value}-hint`} className={styles.hint}>
              {option.hint}
            </div>
          </div>
        </div>
      ))}
    </fieldset>
  );
}
