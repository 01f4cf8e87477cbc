// The settings dialog: its sections, and the guard that asks before unsaved changes are dropped.
import { Bot, FolderTree, Gauge, Keyboard, PlugZap, SlidersHorizontal, Waypoints } from 'lucide-react';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { closePanel, loadModels, openSettings, type SettingsSection, useSettingsSection } from '../../state/appSlice';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { Dialog } from '../../ui/Dialog';
import { Tabs } from '../../ui/Tabs';
import { Agents } from './Agents';
import { Context } from './Context';
import { General } from './General';
import { type Guard, GuardContext } from './guard';
import { Providers } from './Providers';
import { Roles } from './Roles';
import { Shortcuts } from './Shortcuts';
import { Workspace } from './Workspace';

const icons: Record<SettingsSection, ReactNode> = {
  general: <SlidersHorizontal aria-hidden="true" />,
  providers: <PlugZap aria-hidden="true" />,
  agents: <Bot aria-hidden="true" />,
  roles: <Waypoints aria-hidden="true" />,
  context: <Gauge aria-hidden="true" />,
  workspace: <FolderTree aria-hidden="true" />,
  shortcuts: <Keyboard aria-hidden="true" />,
};
const sections: [SettingsSection, () => ReactNode][] = [
  ['general', () => <General />],
  ['providers', () => <Providers />],
  ['agents', () => <Agents />],
  ['roles', () => <Roles />],
  ['context', () => <Context />],
  ['workspace', () => <Workspace />],
  ['shortcuts', () => <Shortcuts />],
];

export function Settings() {
  const { t } = useTranslation('settings');
  const section = useSettingsSection();
  const dirty = useRef(false);
  const [waiting, setWaiting] = useState<(() => void) | null>(null);
  useEffect(() => void loadModels(), []);
  const guard = useMemo<Guard>(
    () => ({
      setDirty: (now) => {
        dirty.current = now;
      },
      leave: (act) => {
        if (dirty.current) setWaiting(() => act);
        else act();
      },
    }),
    [],
  );
  return (
    <GuardContext value={guard}>
      <Dialog
        title={t('title')}
        closeLabel={t('close')}
        size="large"
        bare
        focusFirst="[role=tab][data-state=active]"
        onClose={() => guard.leave(closePanel)}
      >
        <Tabs
          vertical
          manual
          label={t('sections')}
          value={section}
          onChange={(next) => guard.leave(() => openSettings(next))}
          tabs={sections.map(([value, draw]) => ({
            value,
            label: t(`section.${value}`),
            icon: icons[value],
            content: value === section ? draw() : null,
          }))}
        />
      </Dialog>
      {waiting ? (
        <ConfirmDialog
          title={t('unsaved.title')}
          description={t('unsaved.text')}
          confirmLabel={t('unsaved.discard')}
          cancelLabel={t('unsaved.keep')}
          onCancel={() => setWaiting(null)}
          onConfirm={() => {
            dirty.current = false;
            setWaiting(null);
            waiting();
          }}
        />
      ) : null}
    </GuardContext>
  );
}
