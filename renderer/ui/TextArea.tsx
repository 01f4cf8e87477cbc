// Several lines of text with a label.
import type { Ref, TextareaHTMLAttributes } from 'react';
import { cx } from './cx';
import { Field, type FieldProps } from './Field';
import styles from './Field.module.css';

export type TextAreaProps = FieldProps &
  Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'onChange' | 'value'> & {
    value: string;
    onChange(value: string): void;
    ref?: Ref<HTMLTextAreaElement> | undefined;
  };

export function TextArea({ label, hint, error, hideLabel, value, onChange, className, ...rest }: TextAreaProps) {
  return (
    <Field label={label} hint={hint} error={error} hideLabel={hideLabel}>
      {(control) => (
        <textarea
          dir="auto"
          rows={4}
          {...rest}
          {...control}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          className={cx(styles.control, styles.area, className)}
        />
      )}
    </Field>
  );
}
