// The panel beside the talk: for now its files alone.
import { PanelRight } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { setAreaOpen } from '../../state/layoutSlice';
import { IconButton } from '../../ui/IconButton';
import { Tabs } from '../../ui/Tabs';
import { Files } from './Files';

export function SidePanel() {
  const { t } = useTranslation('app');
  return (
    <Tabs
      label={t('files.panel')}
      value="files"
      onChange={() => undefined}
      tabs={[{ value: 'files', label: t('files.tab'), content: <Files /> }]}
      aside={
        <IconButton label={t('files.hide')} keys="Mod+Shift+B" onClick={() => setAreaOpen('panel', false)}>
          <PanelRight aria-hidden="true" />
        </IconButton>
      }
    />
  );
}
