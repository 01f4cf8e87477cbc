// A choice of a few; for long lists with search use Combobox.
import { Check, ChevronsUpDown } from 'lucide-react';
import * as Radix from 'radix-ui/select';
import { cx } from './cx';
import { Field, type FieldProps } from './Field';
import fieldStyles from './Field.module.css';
import styles from './Menu.module.css';
import { useHost } from './useHost';

export type Option<T extends string> = { value: T; label: string; hint?: string | undefined };
type SelectProps<T extends string> = FieldProps & {
  value: T;
  options: readonly Option<T>[];
  onChange(value: T): void;
  disabled?: boolean | undefined;
};

export function Select<T extends string>({ label, hint, error, hideLabel, value, options, onChange, disabled = false }: SelectProps<T>) {
  const { trigger, host, find } = useHost<HTMLButtonElement>();
  const choose = (next: string) => {
    const option = options.find((candidate) => candidate.value === next);
    if (option) onChange(option.value);
  };
  return (
    <Field label={label} hint={hint} error={error} hideLabel={hideLabel}>
      {(control) => (
        <Radix.Root value={value} onValueChange={choose} disabled={disabled} onOpenChange={(open) => open && find()}>
          <Radix.Trigger ref={trigger} {...control} aria-label={label} className={cx(fieldStyles.control, styles.select)}>
            <span className={styles.selected}>
              <Radix.Value />
            </span>
            <Radix.Icon asChild>
              <ChevronsUpDown aria-hidden="true" />
            </Radix.Icon>
          </Radix.Trigger>
          <Radix.Portal container={host}>
            <Radix.Content position="popper" sideOffset={4} className={cx(styles.content, styles.selectContent)}>
              <Radix.Viewport>
                {options.map((option) => (
                  <Radix.Item key={option.value} value={option.value} className={styles.item}>
                    <span className={styles.mark}>
                      <Radix.ItemIndicator>
                        <Check aria-hidden="true" />
                      </Radix.ItemIndicator>
                    </span>
                    <Radix.ItemText>{option.label}</Radix.ItemText>
                    {option.hint ? <span className={styles.detail}>{option.hint}</span> : null}
                  </Radix.Item>
                ))}
              </Radix.Viewport>
            </Radix.Content>
          </Radix.Portal>
        </Radix.Root>
      )}
    </Field>
  );
}
