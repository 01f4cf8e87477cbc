// An import whose dialog was left, in the sidebar: how far it is, then that it has ended, each with the way back to the dialog (R4).
import { X } from 'lucide-react';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { askToImport, cancelImport, dismissImport, useImportOpen, useImportReport, useImportRunning } from '../../state/importSlice';
import { Button } from '../../ui/Button';
import { IconButton } from '../../ui/IconButton';
import styles from './Import.module.css';

export function ImportRow() {
  const open = useImportOpen();
  const running = useImportRunning();
  const report = useImportReport();
  if (open) return null;
  if (running) return <Runs />;
  return report ? <Ended /> : null;
}

function Runs() {
  const { t } = useTranslation('import');
  const name = useId();
  const progress = useImportRunning()?.progress;
  const written = (progress?.counts.conversations ?? 0) + (progress?.counts.updated ?? 0);
  return (
    <div className={styles.row}>
      <button type="button" className={styles.rowText} onClick={() => askToImport()}>
        <span id={name}>{written > 0 ? t('row.runs', { count: written }) : t('row.starts')}</span>
        <progress aria-labelledby={name} {...(progress ? { value: progress.bytesRead, max: Math.max(1, progress.bytesInAll) } : {})} />
      </button>
      <Button size="small" onClick={() => void cancelImport()}>
        {t('row.cancel')}
      </Button>
    </div>
  );
}

function Ended() {
  const { t } = useTranslation('import');
  const report = useImportReport();
  return (
    <div className={styles.row} role="status">
      <span className={styles.rowText}>{t(`row.${report?.ended ?? 'done'}`)}</span>
      <Button size="small" onClick={() => askToImport()}>
        {t('row.show')}
      </Button>
      <IconButton label={t('row.dismiss')} size="small" onClick={dismissImport}>
        <X aria-hidden="true" />
      </IconButton>
    </div>
  );
}
