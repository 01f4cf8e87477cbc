// How far the import that runs is: bytes of its files, and what is written.
import { useTranslation } from 'react-i18next';
import { useImportRunning } from '../../state/importSlice';
import { formatBytes } from '../../ui/format';
import styles from './Import.module.css';

export function ImportProgress() {
  const { t, i18n } = useTranslation('import');
  const progress = useImportRunning()?.progress;
  if (!progress) {
    return (
      <div className={styles.progress}>
        <progress aria-label={t('progress')} />
        <p>{t('looking')}</p>
      </div>
    );
  }
  const { file, bytesRead, bytesInAll, counts } = progress;
  const values = { done: formatBytes(bytesRead, i18n.language), total: formatBytes(bytesInAll, i18n.language) };
  return (
    <div className={styles.progress}>
      <progress aria-label={t('progress')} value={bytesRead} max={Math.max(1, bytesInAll)} />
      <p className={styles.line}>
        <span className={styles.path}>
          <bdi>{file}</bdi>
        </span>
        <span>{t('bytes', values)}</span>
      </p>
      <p className={styles.quiet}>
        {t('written', {
          conversations: t('conversations', { count: counts.conversations + counts.updated }),
          messages: t('messages', { count: counts.messages }),
        })}
      </p>
    </div>
  );
}
