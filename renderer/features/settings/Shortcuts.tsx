// Every shortcut of the window, by group.
import { useTranslation } from 'react-i18next';
import { type ShortcutGroup, shortcuts } from '../../shortcuts';
import { useSettings } from '../../state/appSlice';
import { Kbd } from '../../ui/Kbd';
import { Group, Section } from './Section';
import styles from './Section.module.css';

const groups: ShortcutGroup[] = ['general', 'conversations', 'message'];

export function Shortcuts() {
  const { t } = useTranslation('settings');
  const sendKey = useSettings()?.preferences.sendKey ?? 'enter';
  const keysOf = (id: string, keys: string) => {
    if (id === 'send' && sendKey === 'modEnter') return 'Mod+Enter';
    return id === 'newline' && sendKey === 'modEnter' ? 'Enter' : keys;
  };
  return (
    <Section title={t('section.shortcuts')} text={t('shortcuts.text')}>
      {groups.map((group) => (
        <Group key={group} title={t(`shortcuts.groups.${group}`)}>
          <dl className={styles.keys}>
            {shortcuts
              .filter((shortcut) => shortcut.group === group)
              .map(({ id, keys }) => (
                <div key={id}>
                  <dt>{t(`shortcuts.what.${id}`)}</dt>
                  <dd>
                    <Kbd keys={keysOf(id, keys)} />
                  </dd>
                </div>
              ))}
          </dl>
        </Group>
      ))}
    </Section>
  );
}
