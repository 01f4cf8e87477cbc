// A choice from a long list, narrowed by typing: the button shows the choice, the list opens under a search line.
import { Check, ChevronsUpDown } from 'lucide-react';
import * as Radix from 'radix-ui/popover';
import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './Combobox.module.css';
import { cx } from './cx';
import { Field, type FieldProps } from './Field';
import fieldStyles from './Field.module.css';
import menuStyles from './Menu.module.css';

export type ComboOption = { value: string; label: string; group?: string | undefined; hint?: string | undefined };
type ComboboxProps = FieldProps & {
  value: string | null;
  options: readonly ComboOption[];
  onChange(value: string): void;
  /** On the button while nothing is chosen. */
  placeholder: string;
  searchLabel: string;
  noMatch: string;
  /** Offers the typed words as a value of their own. */
  typed?: ((query: string) => ComboOption | null) | undefined;
  /** Another button than the usual one. */
  trigger?: ReactNode;
};

const shownAtMost = 200;

function matches(option: ComboOption, query: string): boolean {
  const text = `${option.label} ${option.value} ${option.group ?? ''}`.toLocaleLowerCase();
  return query
    .toLocaleLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

export function Combobox({ label, hint, error, hideLabel, value, options, onChange, placeholder, trigger, ...list }: ComboboxProps) {
  const { t } = useTranslation('ui');
  const [open, setOpen] = useState(false);
  const chosen = options.find((option) => option.value === value)?.label ?? value;
  const choose = (next: string) => {
    setOpen(false);
    if (next !== value) onChange(next);
  };
  return (
    <Field label={label} hint={hint} error={error} hideLabel={hideLabel}>
      {(control) => (
        <Radix.Root open={open} onOpenChange={setOpen}>
          <Radix.Trigger asChild>
            {trigger ?? (
              <button
                type="button"
                {...control}
                aria-label={chosen ? t('named', { name: label, value: chosen }) : label}
                className={cx(fieldStyles.control, menuStyles.select)}
              >
                <span className={cx(menuStyles.selected, !chosen && styles.placeholder)}>{chosen ?? placeholder}</span>
                <ChevronsUpDown aria-hidden="true" />
              </button>
            )}
          </Radix.Trigger>
          <Radix.Portal>
            <Radix.Content
              aria-label={label}
              align="start"
              sideOffset={4}
              collisionPadding={8}
              className={cx(menuStyles.content, styles.content)}
            >
              <ComboList label={label} value={value} options={options} onChoose={choose} {...list} />
            </Radix.Content>
          </Radix.Portal>
        </Radix.Root>
      )}
    </Field>
  );
}

type ComboListProps = Pick<ComboboxProps, 'label' | 'value' | 'options' | 'searchLabel' | 'noMatch' | 'typed'> & {
  onChoose(value: string): void;
};

function ComboList({ label, value, options, searchLabel, noMatch, typed, onChoose }: ComboListProps) {
  const id = useId();
  const [query, setQuery] = useState('');
  const found = query.trim() ? options.filter((option) => matches(option, query.trim())) : options;
  const extra = query.trim() && !options.some((option) => option.value === query.trim()) ? (typed?.(query.trim()) ?? null) : null;
  const shown = [...found.slice(0, shownAtMost), ...(extra ? [extra] : [])];
  const [active, setActive] = useState(() =>
    Math.max(
      0,
      options.findIndex((option) => option.value === value),
    ),
  );
  const listRef = useRef<HTMLDivElement>(null);
  const at = Math.min(active, shown.length - 1);
  const move = (to: number) => {
    const next = Math.max(0, Math.min(to, shown.length - 1));
    setActive(next);
    listRef.current?.querySelector(`[data-index="${next}"]`)?.scrollIntoView({ block: 'nearest' });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const steps: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, PageDown: at + 8, PageUp: at - 8 };
    const next = steps[event.key];
    if (next !== undefined) move(next);
    else if (event.key === 'Enter' && shown[at]) onChoose(shown[at].value);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <input
        role="combobox"
        aria-label={searchLabel}
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-activedescendant={shown[at] ? `${id}-${at}` : undefined}
        aria-autocomplete="list"
        autoComplete="off"
        spellCheck={false}
        placeholder={searchLabel}
        value={query}
        onChange={(event) => {
          setQuery(event.target.value);
          setActive(0);
        }}
        onKeyDown={onKeyDown}
        className={styles.search}
      />
      <div ref={listRef} id={`${id}-list`} role="listbox" aria-label={label} tabIndex={-1} className={styles.list}>
        {shown.map((option, index) => (
          <div key={option.value} role="presentation">
            {option.group && option.group !== shown[index - 1]?.group ? <div className={menuStyles.heading}>{option.group}</div> : null}
            {/* biome-ignore lint/a11y/useKeyWithClickEvents: the search line above holds focus and takes the keys for the list */}
            <div
              id={`${id}-${index}`}
              data-index={index}
              role="option"
              tabIndex={-1}
              aria-selected={option.value === value}
              data-active={index === at}
              className={menuStyles.item}
              onClick={() => onChoose(option.value)}
              onPointerMove={() => setActive(index)}
            >
              <span className={menuStyles.mark}>{option.value === value ? <Check aria-hidden="true" /> : null}</span>
              <span className={menuStyles.itemLabel}>{option.label}</span>
              {option.hint ? <span className={menuStyles.detail}>{option.hint}</span> : null}
            </div>
          </div>
        ))}
      </div>
      {shown.length === 0 ? (
        <p role="status" className={styles.none}>
          {noMatch}
        </p>
      ) : null}
    </>
  );
}
