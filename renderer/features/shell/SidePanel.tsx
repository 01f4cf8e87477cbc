// The panel beside the talk: its tabs, and the button that hides it. What they show is handed in.
import { PanelRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { setAreaOpen, setPanelTab, usePanelTab } from '../../state/layoutSlice';
import { useBranchCount } from '../../state/outlineSlice';
import { useKeysOf } from '../../state/shortcutKeys';
import { formatNumber } from '../../ui/format';
import { IconButton } from '../../ui/IconButton';
import { Tabs } from '../../ui/Tabs';
import styles from './SidePanel.module.css';

export function SidePanel({ branches, memory, files }: { branches: ReactNode; memory: ReactNode; files: ReactNode }) {
  const { t } = useTranslation('app');
  const tab = usePanelTab();
  const keys = useKeysOf('panel');
  return (
    <Tabs
      label={t('files.panel')}
      value={tab}
      onChange={setPanelTab}
      tabs={[
        { value: 'branches', label: t('branches.tab'), content: branches },
        { value: 'memory', label: t('memory:tab'), content: memory },
        { value: 'files', label: t('files.tab'), content: files },
      ]}
      aside={
        <>
          {tab === 'branches' ? <BranchCount /> : null}
          <IconButton label={t('files.hide')} keys={keys} onClick={() => setAreaOpen('panel', false)}>
            <PanelRight aria-hidden="true" />
          </IconButton>
        </>
      }
    />
  );
}

function BranchCount() {
  const { t, i18n } = useTranslation('app');
  const count = useBranchCount();
  if (!count) return null;
  return <span className={styles.count}>{t('branches.count', { count, shown: formatNumber(count, i18n.language) })}</span>;
}
