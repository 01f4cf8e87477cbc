// Every command's keys, by group, and the way to other ones (U6).
import { RotateCcw, X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { commandGroups, keysInUse, type WindowCommandEntry, windowCommands } from '../../../shared/windowCommands';
import { isMac } from '../../platform';
import { useSettings } from '../../state/appSlice';
import { Button } from '../../ui/Button';
import { cx } from '../../ui/cx';
import { IconButton } from '../../ui/IconButton';
import { Kbd } from '../../ui/Kbd';
import { writeKeys } from '../../ui/keys';
import { SaveFailure } from './SaveFailure';
import { Group, Section } from './Section';
import styles from './Shortcuts.module.css';
import { type ShortcutChange, useShortcutChange } from './useShortcutChange';

export function Shortcuts() {
  const { t } = useTranslation('settings');
  const change = useShortcutChange();
  const keys = keysInUse(change.chosen, isMac);
  const some = windowCommands.some(({ id }) => change.chosen[id] !== undefined);
  return (
    <Section
      title={t('section.shortcuts')}
      text={t('shortcuts.text')}
      act={
        <Button size="small" disabled={!some} icon={<RotateCcw aria-hidden="true" />} onClick={change.resetAll}>
          {t('shortcuts.resetAll')}
        </Button>
      }
    >
      <SaveFailure failure={change.failure} />
      {commandGroups.map((group) => (
        <Group key={group} title={t(`palette:group.${group}`)}>
          <ul className={styles.list}>
            {windowCommands
              .filter((entry) => entry.group === group)
              .map((entry) => (
                <Row key={entry.id} entry={entry} keys={keys.get(entry.id) ?? null} change={change} />
              ))}
          </ul>
        </Group>
      ))}
    </Section>
  );
}

type RowProps = { entry: WindowCommandEntry; keys: string | null; change: ShortcutChange };

function Row({ entry, keys, change }: RowProps) {
  const { t } = useTranslation('settings');
  const { id } = entry;
  const what = t(`palette:what.${id}`).replace(/…$/, '');
  const asked = change.question?.id === id;
  return (
    <li className={styles.row}>
      <span className={styles.what}>{what}</span>
      {entry.fixed ? (
        <FixedKeys entry={entry} />
      ) : (
        <span className={styles.acts}>
          {change.chosen[id] === undefined ? null : (
            <IconButton
              size="small"
              label={t('shortcuts.reset', { what })}
              tooltip={t('shortcuts.resetHint')}
              onClick={() => change.reset(id)}
            >
              <RotateCcw aria-hidden="true" />
            </IconButton>
          )}
          {keys === null ? null : (
            <IconButton
              size="small"
              className={styles.remove}
              label={t('shortcuts.remove', { what })}
              tooltip={t('shortcuts.removeHint')}
              onClick={() => change.remove(id)}
            >
              <X aria-hidden="true" />
            </IconButton>
          )}
          <button
            type="button"
            aria-label={t(keys ? 'shortcuts.change' : 'shortcuts.choose', { what, keys: keys ? writeKeys(keys) : '' })}
            aria-pressed={asked}
            className={cx(styles.keys, asked && styles.asked)}
            onClick={() => (asked ? change.cancel() : change.ask(id))}
          >
            {asked ? t('shortcuts.press') : keys ? <Kbd keys={keys} /> : <span className={styles.none}>{t('shortcuts.none')}</span>}
          </button>
        </span>
      )}
      {asked ? <Answer change={change} /> : null}
    </li>
  );
}

/** Under the row: how it goes on, or why these keys cannot be. */
function Answer({ change }: { change: ShortcutChange }) {
  const { t } = useTranslation('settings');
  const { question } = change;
  if (!question) return null;
  const { keys, refusal } = question;
  if (!refusal || keys === null) {
    return (
      <p role="status" className={styles.answer}>
        {t('shortcuts.how')}
      </p>
    );
  }
  const values = { keys: writeKeys(keys), other: 'by' in refusal ? t(`palette:what.${refusal.by}`).replace(/…$/, '') : '' };
  return (
    <div role="alert" className={cx(styles.answer, styles.refused)}>
      <p>{t(`shortcuts.refused.${refusal.why}`, values)}</p>
      {refusal.why === 'taken' ? (
        <Button size="small" look="primary" onClick={change.replace}>
          {t('shortcuts.replace')}
        </Button>
      ) : null}
      <Button size="small" onClick={change.cancel}>
        {t('shortcuts.cancel')}
      </Button>
    </div>
  );
}

function FixedKeys({ entry: { id, keys } }: { entry: WindowCommandEntry }) {
  const swapped = useSettings()?.preferences.sendKey === 'modEnter';
  const usual = typeof keys === 'string' ? keys : '';
  const shown: Partial<Record<string, string>> = {
    openNth: 'Mod+1…9',
    ...(swapped ? { send: 'Mod+Enter', steer: 'Mod+Shift+Enter', newline: 'Enter' } : {}),
  };
  return (
    <span className={styles.acts}>
      <span className={styles.fixed}>
        <Kbd keys={shown[id] ?? usual} />
      </span>
    </span>
  );
}
