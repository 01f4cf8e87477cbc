// What can be completed, over the message box: it floats, so that nothing moves, and never lies on the text that is being typed.
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { cx } from '../../ui/cx';
import { VisuallyHidden } from '../../ui/VisuallyHidden';
import styles from './Completion.module.css';
import type { Option, Trigger } from './completion';
import type { Completion } from './useCompletion';

const names = {
  command: 'commands',
  mention: 'agents',
  agent: 'agents',
  model: 'models',
  label: 'checkpoints',
  rung: 'rungs',
  leftOut: 'leftOut',
} as const satisfies Record<Trigger['kind'], string>;

export function CompletionList({ completion }: { completion: Completion }) {
  const { t } = useTranslation('commands');
  const { trigger, options, active, listId } = completion;
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.querySelector(`[data-index="${active}"]`)?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  if (!trigger) return null;
  return (
    <div className={styles.popover}>
      <VisuallyHidden>
        <span role="status">{t('list.count', { count: options.length })}</span>
      </VisuallyHidden>
      {/* Focus stays in the box: a press on the list must not take it. A long list scrolls, which only something that could take it may do. */}
      <div
        ref={list}
        id={listId}
        role="listbox"
        aria-label={t(`list.${names[trigger.kind]}`)}
        tabIndex={0}
        className={styles.list}
        onPointerDown={(event) => event.preventDefault()}
        onMouseDown={(event) => event.preventDefault()}
      >
        {options.map((option, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the box holds focus and takes the keys for the list
          <div
            key={option.id}
            id={`${listId}-${index}`}
            data-index={index}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            className={cx(styles.option, index === active && styles.active)}
            onClick={() => completion.accept(index)}
            onPointerMove={() => index !== active && completion.setActive(index)}
          >
            <OptionText option={option} />
          </div>
        ))}
      </div>
    </div>
  );
}

function OptionText({ option }: { option: Option }) {
  const { t } = useTranslation('commands');
  return (
    <>
      <span className={styles.name} dir="auto">
        {option.label}
        {option.pattern ? <span className={styles.pattern}> {option.pattern}</span> : null}
      </span>
      {option.command ? <span className={styles.help}>{t(`help.${option.command}`)}</span> : null}
      {option.rung ? <span className={styles.help}>{t(`rung.${option.rung}`)}</span> : null}
      {option.detail ? <span className={styles.help}>{option.detail}</span> : null}
    </>
  );
}
