// The conversations of this workspace: find one, start one, keep them in order.
import { Archive, ArrowLeft, PanelLeft, Settings as SettingsIcon, SquarePen, Trash2 } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { openSettings, useSettings } from '../../state/appSlice';
import { setShowsArchived, useShowsArchived } from '../../state/conversationsSlice';
import { setAreaOpen } from '../../state/layoutSlice';
import { useSearchOpen } from '../../state/searchSlice';
import { useKeysInUse, useKeysOf } from '../../state/shortcutKeys';
import { openTrash } from '../../state/trashSlice';
import { IconButton } from '../../ui/IconButton';
import { Kbd } from '../../ui/Kbd';
import { ConversationList } from './ConversationList';
import { SearchBox } from './SearchBox';
import styles from './Sidebar.module.css';
import { WorkspaceMenu } from './WorkspaceMenu';
import { whereMessagesGo } from './whereMessagesGo';

type SidebarProps = {
  onNew(): void;
  /** What the search found in messages, below the titles it found. */
  found?: ReactNode;
  /** What goes on in the background. */
  tasks?: ReactNode;
};

export function Sidebar({ onNew, found = null, tasks = null }: SidebarProps) {
  const { t } = useTranslation('sidebar');
  const archived = useShowsArchived();
  const list = useRef<HTMLElement>(null);
  const sidebar = useRef<HTMLDivElement>(null);
  const searching = useSearchOpen();
  const keys = useKeysInUse();
  const newKeys = keys.get('newConversation');
  const enterFound = () => focusIn(sidebar.current, '[data-hit][tabindex="0"]');
  const enterList = () => focusIn(list.current, 'a[tabindex="0"]') || enterFound();
  // Down from the last title, on to what was found in messages.
  const onKeyDown = (event: KeyboardEvent) => {
    const last = [...(list.current?.querySelectorAll('a[data-id]') ?? [])].at(-1);
    if (event.key !== 'ArrowDown' || event.target !== last || !enterFound()) return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div ref={sidebar} className={styles.sidebar} data-drop="import" data-searching={searching || undefined} onKeyDownCapture={onKeyDown}>
      <header className={styles.head}>
        <WorkspaceMenu />
        <IconButton label={t('hide')} keys={keys.get('sidebar')} onClick={() => setAreaOpen('sidebar', false)}>
          <PanelLeft aria-hidden="true" />
        </IconButton>
      </header>
      <div className={styles.top}>
        <button type="button" aria-label={t('new')} className={styles.new} onClick={onNew}>
          <SquarePen aria-hidden="true" />
          <span>{t('new')}</span>
          {newKeys ? <Kbd keys={newKeys} quiet /> : null}
        </button>
        <SearchBox onEnterList={enterList} />
      </div>
      {archived ? (
        <div className={styles.archived}>
          <IconButton label={t('archived.back')} size="small" onClick={() => setShowsArchived(false)}>
            <ArrowLeft aria-hidden="true" />
          </IconButton>
          <h2>{t('archived.title')}</h2>
        </div>
      ) : null}
      <ConversationList ref={list} />
      {found}
      {tasks}
      <Foot archived={archived} />
    </div>
  );
}

function focusIn(place: HTMLElement | null, what: string): boolean {
  const found = place?.querySelector<HTMLElement>(what);
  found?.focus();
  return found !== undefined && found !== null;
}

function Foot({ archived }: { archived: boolean }) {
  const { t } = useTranslation('sidebar');
  const providers = useSettings()?.providers ?? [];
  const keys = useKeysOf('settings');
  const where = whereMessagesGo(providers);
  return (
    <footer className={styles.foot}>
      <button
        type="button"
        aria-label={t('settings')}
        className={styles.settings}
        data-tooltip={t('settings')}
        data-tooltip-keys={keys}
        onClick={() => openSettings()}
      >
        <SettingsIcon aria-hidden="true" />
        <span>{t('settings')}</span>
      </button>
      <button type="button" className={styles.where} data-tooltip={t(`where.${where.kind}.hint`)} onClick={() => openSettings('providers')}>
        {t(`where.${where.kind}.text`, { name: where.name, count: where.count })}
      </button>
      <IconButton label={t('archived.show')} size="small" aria-pressed={archived} onClick={() => setShowsArchived(!archived)}>
        <Archive aria-hidden="true" />
      </IconButton>
      <IconButton label={t('trash')} size="small" aria-haspopup="dialog" onClick={openTrash}>
        <Trash2 aria-hidden="true" />
      </IconButton>
    </footer>
  );
}
