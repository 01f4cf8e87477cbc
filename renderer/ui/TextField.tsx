// One line of text with a label.
import type { InputHTMLAttributes, Ref } from 'react';
import { cx } from './cx';
import { Field, type FieldProps } from './Field';
import styles from './Field.module.css';

export type TextFieldProps = FieldProps &
  Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange' | 'value'> & {
    value: string;
    onChange(value: string): void;
    /** Keys, addresses, ids: the mono face, no spelling help. */
    code?: boolean | undefined;
    ref?: Ref<HTMLInputElement> | undefined;
  };

export function TextField({ label, hint, error, hideLabel, value, onChange, code = false, className, ...rest }: TextFieldProps) {
  return (
    <Field label={label} hint={hint} error={error} hideLabel={hideLabel}>
      {(control) => (
        <input
          type="text"
          autoComplete="off"
          {...(code ? { spellCheck: false, autoCapitalize: 'off' } : { dir: 'auto' })}
          {...rest}
          {...control}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          className={cx(styles.control, code && styles.mono, className)}
        />
      )}
    </Field>
  );
}
