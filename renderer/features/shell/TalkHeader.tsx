// The bar over the talk: what is open (given by the window), and the buttons of areas that are hidden.
import { PanelLeft, PanelRight, SquarePen } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { toggleArea, useAreaOpen } from '../../state/layoutSlice';
import { useKeysInUse } from '../../state/shortcutKeys';
import { newConversation } from '../../state/windowActs';
import { IconButton } from '../../ui/IconButton';
import styles from './TalkHeader.module.css';

export function TalkHeader({ children }: { children: ReactNode }) {
  const { t } = useTranslation('app');
  const sidebarOpen = useAreaOpen('sidebar');
  const panelOpen = useAreaOpen('panel');
  const keys = useKeysInUse();
  return (
    <header className={styles.bar}>
      {sidebarOpen ? null : (
        <>
          <IconButton label={t('showSidebar')} keys={keys.get('sidebar')} onClick={() => toggleArea('sidebar')}>
            <PanelLeft aria-hidden="true" />
          </IconButton>
          <IconButton label={t('newConversation')} keys={keys.get('newConversation')} onClick={newConversation}>
            <SquarePen aria-hidden="true" />
          </IconButton>
        </>
      )}
      <div className={styles.what}>{children}</div>
      {panelOpen ? null : (
        <IconButton label={t('showPanel')} keys={keys.get('panel')} onClick={() => toggleArea('panel')}>
          <PanelRight aria-hidden="true" />
        </IconButton>
      )}
    </header>
  );
}
