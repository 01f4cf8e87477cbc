// The workspace's name and folder, and the way to another one.
import { ChevronsUpDown, ExternalLink, FileInput, FolderOpen, FolderSearch } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { RecentWorkspace } from '../../../shared/model/workspace';
import { showFailure, useWorkspace } from '../../state/appSlice';
import { client } from '../../state/client';
import { askToImport } from '../../state/importSlice';
import { chooseFolder, openFolder, revealFolder } from '../../state/workspaceActs';
import { Logo } from '../../ui/Logo';
import { Menu, type MenuItem } from '../../ui/Menu';
import styles from './Sidebar.module.css';

export function WorkspaceMenu() {
  const { t } = useTranslation('sidebar');
  const workspace = useWorkspace();
  const [recent, setRecent] = useState<RecentWorkspace[]>([]);
  if (!workspace) return null;
  const load = (open: boolean) => {
    if (open) void client().workspace.recent().then(setRecent).catch(showFailure);
  };
  const others = recent.filter((entry) => entry.folder !== workspace.folder).slice(0, 8);
  const items: MenuItem[] = [
    ...(others.length > 0 ? [{ kind: 'heading' as const, id: 'recent', label: t('workspace.recent') }] : []),
    ...others.map((entry) => ({
      id: entry.folder,
      label: entry.name,
      hint: entry.exists ? shortFolder(entry.folder) : t('workspace.missing'),
      disabled: !entry.exists,
      onSelect: () => openFolder(entry.folder),
    })),
    ...(others.length > 0 ? [{ kind: 'line' as const, id: 'line' }] : []),
    { id: 'open', label: t('workspace.open'), icon: <FolderOpen aria-hidden="true" />, onSelect: () => chooseFolder(false) },
    { id: 'newWindow', label: t('workspace.newWindow'), icon: <ExternalLink aria-hidden="true" />, onSelect: () => chooseFolder(true) },
    {
      id: 'reveal',
      label: t('workspace.reveal'),
      icon: <FolderSearch aria-hidden="true" />,
      onSelect: revealFolder,
    },
    { kind: 'line', id: 'importLine' },
    {
      id: 'import',
      label: t('workspace.import'),
      icon: <FileInput aria-hidden="true" />,
      disabled: workspace.status === 'readOnly',
      onSelect: () => askToImport(),
    },
  ];
  return (
    <Menu items={items} onOpenChange={load}>
      <button type="button" className={styles.workspace} aria-label={t('workspace.menu', { name: workspace.name })}>
        <Logo />
        <span className={styles.name} dir="auto" data-tooltip={workspace.folder}>
          {workspace.name}
        </span>
        <span className={styles.folder}>{shortFolder(parentOf(workspace.folder))}</span>
        <ChevronsUpDown className={styles.chevron} aria-hidden="true" />
      </button>
    </Menu>
  );
}

const parentOf = (folder: string) => folder.replace(/[\\/][^\\/]*$/, '') || folder;

/** The home folder as `~`, and the last two parts of what is longer. */
function shortFolder(folder: string): string {
  const home = folder.replace(/^(\/home\/[^/]+|\/Users\/[^/]+|\/root|[A-Z]:\\Users\\[^\\]+)/, '~');
  const parts = home.split(/[\\/]/);
  return parts.length > 3 ? `…/${parts.slice(-2).join('/')}` : home;
}
