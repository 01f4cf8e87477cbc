// The open workspace: where it is, its backups, and the ones opened before.
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { RecentWorkspace } from '../../../shared/model/workspace';
import { showFailure, takeWorkspace, useWorkspace } from '../../state/appSlice';
import { client } from '../../state/client';
import { Button } from '../../ui/Button';
import { formatBytes } from '../../ui/format';
import { Group, Section } from './Section';
import styles from './Section.module.css';

export function Workspace() {
  const { t, i18n } = useTranslation('settings');
  const workspace = useWorkspace();
  const [recent, setRecent] = useState<RecentWorkspace[]>([]);
  useEffect(() => void client().workspace.recent().then(setRecent).catch(showFailure), []);
  if (!workspace) return null;
  const when = new Intl.DateTimeFormat(i18n.language, { dateStyle: 'medium', timeStyle: 'short' });
  const open = (folder: string) => void client().workspace.open({ folder }).then(takeWorkspace).catch(showFailure);
  const others = recent.filter((entry) => entry.folder !== workspace.folder);
  return (
    <Section title={t('section.workspace')} text={t('workspace.text')}>
      <Group title={t('workspace.folder')}>
        <p className={styles.path}>{workspace.folder}</p>
        <div className={styles.acts}>
          <Button onClick={() => void client().workspace.reveal().catch(showFailure)}>{t('workspace.reveal')}</Button>
          <Button
            onClick={() =>
              void client()
                .workspace.choose({ newWindow: false })
                .then((chosen) => chosen && takeWorkspace(chosen))
                .catch(showFailure)
            }
          >
            {t('workspace.open')}
          </Button>
        </div>
      </Group>
      <Group title={t('workspace.backups')}>
        {workspace.backups.length === 0 ? (
          <p className={styles.detail}>{t('workspace.noBackups')}</p>
        ) : (
          <ul className={styles.list}>
            {workspace.backups.map((backup) => (
              <li key={backup.name} className={styles.item}>
                <span className={styles.itemWords}>{when.format(backup.createdAt)}</span>
                <span className={styles.detail}>{formatBytes(backup.size, i18n.language)}</span>
              </li>
            ))}
          </ul>
        )}
      </Group>
      {others.length > 0 ? (
        <Group title={t('workspace.recent')}>
          <ul className={styles.list}>
            {others.map((entry) => (
              <li key={entry.folder} className={styles.item}>
                <span className={styles.itemWords}>
                  <span className={styles.itemTitle}>{entry.name}</span>
                  <span className={styles.detail}>{entry.exists ? entry.folder : t('workspace.missing', { folder: entry.folder })}</span>
                </span>
                <Button
                  size="small"
                  disabled={!entry.exists}
                  aria-label={t('workspace.openOf', { name: entry.name })}
                  onClick={() => open(entry.folder)}
                >
                  {t('workspace.openIt')}
                </Button>
              </li>
            ))}
          </ul>
        </Group>
      ) : null}
    </Section>
  );
}
