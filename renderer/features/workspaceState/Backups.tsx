// The daily backups of a damaged database, newest first, each with its Restore.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { WorkspaceState } from '../../../shared/model/workspace';
import { Button } from '../../ui/Button';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { formatBytes } from '../../ui/format';
import styles from './WorkspaceFailed.module.css';

type BackupsProps = { backups: WorkspaceState['backups']; busy: boolean; onRestore(name: string): void };

export function Backups({ backups, busy, onRestore }: BackupsProps) {
  const { t, i18n } = useTranslation('workspace');
  const [chosen, setChosen] = useState<string | null>(null);
  const when = new Intl.DateTimeFormat(i18n.language, { dateStyle: 'long', timeStyle: 'short' });
  if (backups.length === 0) return <p className={styles.none}>{t('backups.none')}</p>;
  return (
    <section className={styles.backups} aria-labelledby="backups-title">
      <h2 id="backups-title">{t('backups.title')}</h2>
      <ul>
        {backups.map((backup, index) => (
          <li key={backup.name}>
            <span className={styles.when}>{when.format(backup.createdAt)}</span>
            <span className={styles.size}>{formatBytes(backup.size, i18n.language)}</span>
            <Button
              size="small"
              look={index === 0 ? 'primary' : 'quiet'}
              busy={busy && chosen === backup.name}
              aria-label={t('backups.restoreOf', { date: when.format(backup.createdAt) })}
              onClick={() => setChosen(backup.name)}
            >
              {t('backups.restore')}
            </Button>
          </li>
        ))}
      </ul>
      {chosen && !busy ? (
        <ConfirmDialog
          danger={false}
          title={t('backups.confirmTitle')}
          description={t('backups.confirmText')}
          confirmLabel={t('backups.confirm')}
          cancelLabel={t('backups.cancel')}
          onCancel={() => setChosen(null)}
          onConfirm={() => {
            onRestore(chosen);
            setChosen(null);
          }}
        />
      ) : null}
    </section>
  );
}
