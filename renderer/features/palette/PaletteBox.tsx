// The line that is typed into and the list below it: focus stays in the line, arrows move through the list, Enter chooses.
import { type KeyboardEvent, type ReactNode, type Ref, useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { cx } from '../../ui/cx';
import { Kbd } from '../../ui/Kbd';
import { useComposition } from '../../ui/useComposition';
import { VisuallyHidden } from '../../ui/VisuallyHidden';
import type { Entry, Group, Shown } from './entries';
import styles from './Palette.module.css';

type PaletteBoxProps = {
  label: string;
  placeholder: string;
  query: string;
  maxLength: number;
  onQuery(query: string): void;
  groups: readonly Group[];
  onChoose(entry: Entry): void;
  /** Enter where nothing is listed. */
  onEnter?: (() => void) | undefined;
  /** Backspace in an empty line. */
  onBack?: (() => void) | undefined;
  /** Before the line. */
  lead?: ReactNode;
  /** In the place of a list that is empty, or below the line. */
  children?: ReactNode;
};

export function PaletteBox({
  label,
  placeholder,
  query,
  maxLength,
  onQuery,
  groups,
  onChoose,
  onEnter,
  onBack,
  lead,
  children,
}: PaletteBoxProps) {
  const id = useId();
  const line = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const composition = useComposition();
  const [active, setActive] = useState(0);
  const items = groups.flatMap((group) => group.items);
  const at = Math.min(active, items.length - 1);
  useEffect(() => list.current?.querySelector(`[data-index="${at}"]`)?.scrollIntoView({ block: 'nearest' }), [at]);
  // One line takes the place of another while the dialog stays; at its opening the dialog sees to the focus, and notes where it was.
  useEffect(() => {
    const { activeElement } = document;
    const isHere = activeElement === document.body || line.current?.closest('[role="dialog"]')?.contains(activeElement);
    if (!isHere) return;
    line.current?.focus();
    line.current?.select();
  }, []);
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (composition.owns(event) || event.ctrlKey || event.metaKey || event.altKey) return;
    const steps: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, PageDown: at + 8, PageUp: at - 8 };
    const step = steps[event.key];
    if (step !== undefined) setActive(stepTo(step, items.length, event.key.startsWith('Arrow')));
    else if (event.key === 'Enter' && items[at]) onChoose(items[at].entry);
    else if (event.key === 'Enter') onEnter?.();
    else if (event.key === 'Backspace' && query === '' && onBack) onBack();
    else return;
    event.preventDefault();
  };
  return (
    <>
      <div className={styles.line}>
        {lead}
        <input
          ref={line}
          role="combobox"
          aria-label={label}
          aria-expanded={items.length > 0}
          aria-controls={`${id}-list`}
          aria-activedescendant={items[at] ? `${id}-${at}` : undefined}
          aria-autocomplete="list"
          autoComplete="off"
          spellCheck={false}
          dir="auto"
          maxLength={maxLength}
          placeholder={placeholder}
          value={query}
          onChange={(event) => {
            onQuery(event.target.value);
            setActive(0);
            list.current?.scrollTo?.({ top: 0 });
          }}
          onKeyDown={onKeyDown}
          {...composition.handlers}
          className={styles.box}
        />
      </div>
      <PaletteList ref={list} id={id} groups={groups} at={at} onPoint={setActive} onChoose={onChoose} />
      {children}
    </>
  );
}

type PaletteListProps = Pick<PaletteBoxProps, 'groups' | 'onChoose'> & {
  ref: Ref<HTMLDivElement>;
  id: string;
  at: number;
  onPoint(index: number): void;
};

function PaletteList({ ref, id, groups, at, onPoint, onChoose }: PaletteListProps) {
  const { t } = useTranslation('palette');
  const count = groups.reduce((sum, group) => sum + group.items.length, 0);
  let index = -1;
  return (
    <>
      <VisuallyHidden>
        <span role="status">{t('count', { count })}</span>
      </VisuallyHidden>
      <div ref={ref} id={`${id}-list`} role="listbox" aria-label={t('list')} tabIndex={-1} className={styles.list}>
        {groups.map((group, place) => (
          // biome-ignore lint/a11y/useSemanticElements: a group of options, which no element stands for
          <div key={group.title} role="group" aria-labelledby={`${id}-group-${place}`} className={styles.group}>
            <div id={`${id}-group-${place}`} role="presentation" className={styles.heading}>
              {group.title}
            </div>
            {group.items.map((shown) => {
              index += 1;
              const here = index;
              return (
                <Option
                  key={shown.entry.key}
                  id={`${id}-${here}`}
                  index={here}
                  shown={shown}
                  active={here === at}
                  onPoint={() => here !== at && onPoint(here)}
                  onChoose={() => onChoose(shown.entry)}
                />
              );
            })}
          </div>
        ))}
      </div>
    </>
  );
}

/** Arrows go round, pages stop at the ends. */
function stepTo(to: number, count: number, round: boolean): number {
  return round ? (to + count) % Math.max(1, count) : Math.max(0, Math.min(to, count - 1));
}

type OptionProps = { id: string; index: number; shown: Shown; active: boolean; onPoint(): void; onChoose(): void };

function Option({ id, index, shown: { entry, places }, active, onPoint, onChoose }: OptionProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the line above holds focus and takes the keys for the list
    <div
      id={id}
      data-index={index}
      role="option"
      tabIndex={-1}
      aria-selected={active}
      aria-disabled={entry.why !== undefined || undefined}
      className={cx(styles.option, active && styles.active, entry.why !== undefined && styles.blocked)}
      onClick={onChoose}
      onPointerMove={onPoint}
      onPointerDown={(event) => event.preventDefault()}
    >
      <span className={styles.title} dir="auto">
        <Marked text={entry.title} places={places} />
        {entry.slash && !entry.title.startsWith('/') ? <span className={styles.slash}>/{entry.slash}</span> : null}
      </span>
      {(entry.why ?? entry.detail) ? <span className={styles.detail}>{entry.why ?? entry.detail}</span> : null}
      {entry.keys && entry.why === undefined ? <Kbd keys={entry.keys} quiet /> : null}
    </div>
  );
}

/** The letters that fit stand out. */
function Marked({ text, places }: { text: string; places: readonly number[] }) {
  if (places.length === 0) return text;
  const isIn = new Set(places);
  const pieces: { from: number; text: string; fits: boolean }[] = [];
  for (let at = 0; at < text.length; at++) {
    const last = pieces.at(-1);
    if (last?.fits === isIn.has(at)) last.text += text.charAt(at);
    else pieces.push({ from: at, text: text.charAt(at), fits: isIn.has(at) });
  }
  return pieces.map((piece) => (piece.fits ? <b key={piece.from}>{piece.text}</b> : <span key={piece.from}>{piece.text}</span>));
}
