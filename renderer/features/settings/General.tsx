// How the window looks and behaves; each choice holds at once.
import { Monitor, Moon, Sun } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { leavingChoices } from '../../../shared/model/carry';
import type { Preferences } from '../../../shared/model/settings';
import { bundledLanguages } from '../../i18n';
import { useSettings } from '../../state/appSlice';
import { client } from '../../state/client';
import { textSizes } from '../../state/preferenceActs';
import { useSave } from '../../state/useSave';
import { formatNumber } from '../../ui/format';
import { writeKeys } from '../../ui/keys';
import { Segmented } from '../../ui/Segmented';
import { Select } from '../../ui/Select';
import { Switch } from '../../ui/Switch';
import { SaveFailure } from './SaveFailure';
import { Group, Section } from './Section';
import styles from './Section.module.css';

const pasteSizes = [0, 2000, 5000, 10_000, 20_000];

/** The usual steps, and the present value where it is none of them. */
const withPresent = (steps: readonly number[], present: number) => [...new Set([...steps, present])].sort((a, b) => a - b);

export function General() {
  const { t, i18n } = useTranslation('settings');
  const preferences = useSettings()?.preferences;
  const { failure, run } = useSave();
  if (!preferences) return null;
  const set = (change: Partial<Preferences>) => void run(() => client().settings.savePreferences(change));
  return (
    <Section title={t('section.general')}>
      <SaveFailure failure={failure} />
      <Group title={t('general.look')}>
        <Segmented
          label={t('general.theme')}
          value={preferences.theme}
          onChange={(theme) => set({ theme })}
          options={[
            { value: 'system', label: t('general.themes.system'), icon: <Monitor aria-hidden="true" /> },
            { value: 'light', label: t('general.themes.light'), icon: <Sun aria-hidden="true" /> },
            { value: 'dark', label: t('general.themes.dark'), icon: <Moon aria-hidden="true" /> },
          ]}
        />
        <div className={styles.pair}>
          <Select
            label={t('general.textSize')}
            value={String(preferences.textSize)}
            onChange={(size) => set({ textSize: Number(size) })}
            options={withPresent(textSizes, preferences.textSize).map((size) => ({
              value: String(size),
              label: t('general.percent', { size: formatNumber(size, i18n.language) }),
            }))}
          />
          <Select
            label={t('general.language')}
            value={preferences.language}
            onChange={(language) => set({ language })}
            options={[
              { value: 'system', label: t('general.systemLanguage') },
              ...bundledLanguages().map(({ tag, name }) => ({ value: tag, label: name })),
            ]}
          />
        </div>
        <Switch
          label={t('general.reducedMotion')}
          hint={t('general.reducedMotionHint')}
          checked={preferences.reducedMotion === 'on'}
          onChange={(on) => set({ reducedMotion: on ? 'on' : 'system' })}
        />
      </Group>
      <Writing preferences={preferences} set={set} />
    </Section>
  );
}

function Writing({ preferences, set }: { preferences: Preferences; set(change: Partial<Preferences>): void }) {
  const { t, i18n } = useTranslation('settings');
  return (
    <Group title={t('general.writing')}>
      <Segmented
        label={t('general.sendKey')}
        hint={t('general.sendKeyHint')}
        value={preferences.sendKey}
        onChange={(sendKey) => set({ sendKey })}
        options={[
          { value: 'enter', label: writeKeys('Enter') },
          { value: 'modEnter', label: writeKeys('Mod+Enter') },
        ]}
      />
      <Select
        label={t('general.longPaste')}
        hint={t('general.longPasteHint')}
        value={String(preferences.longPaste)}
        onChange={(longPaste) => set({ longPaste: Number(longPaste) })}
        options={withPresent(pasteSizes, preferences.longPaste).map((size) => ({
          value: String(size),
          label: size === 0 ? t('general.never') : t('general.characters', { count: size, number: formatNumber(size, i18n.language) }),
        }))}
      />
      <Switch
        label={t('general.autoTitle')}
        hint={t('general.autoTitleHint')}
        checked={preferences.autoTitle}
        onChange={(autoTitle) => set({ autoTitle })}
      />
      <Segmented
        label={t('general.leavingBranch')}
        hint={t('general.leavingBranchHint')}
        value={preferences.leavingBranch}
        onChange={(leavingBranch) => set({ leavingBranch })}
        options={leavingChoices.map((value) => ({ value, label: t(`general.leaving.${value}`) }))}
      />
    </Group>
  );
}
