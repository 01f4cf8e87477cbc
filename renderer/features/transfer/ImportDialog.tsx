// Conversations of other programs into this workspace: what to import, how far it is, and what came of it (I3, I4, R4).
import { useTranslation } from 'react-i18next';
import {
  cancelImport,
  confirmImport,
  importMore,
  leaveImport,
  openImported,
  useImportCancelling,
  useImportOpen,
  useImportPaths,
  useImportReport,
  useImportRunning,
  useImportStarting,
} from '../../state/importSlice';
import { Button } from '../../ui/Button';
import { Dialog } from '../../ui/Dialog';
import { ImportChoice } from './ImportChoice';
import { ImportProgress } from './ImportProgress';
import { ImportReport } from './ImportReport';

export function ImportDialog() {
  const open = useImportOpen();
  const running = useImportRunning();
  const report = useImportReport();
  if (!open) return null;
  if (running) return <Runs />;
  return report ? <Ended /> : <Choice />;
}

function Choice() {
  const { t } = useTranslation('import');
  const paths = useImportPaths();
  const starting = useImportStarting();
  return (
    <Dialog
      title={t('title')}
      description={t('text')}
      onClose={leaveImport}
      footer={
        <>
          <Button onClick={leaveImport}>{t('close')}</Button>
          <Button look="primary" busy={starting} disabled={paths.length === 0} onClick={() => void confirmImport()}>
            {t('start')}
          </Button>
        </>
      }
    >
      <ImportChoice />
    </Dialog>
  );
}

function Runs() {
  const { t } = useTranslation('import');
  const cancelling = useImportCancelling();
  return (
    <Dialog
      title={t('title')}
      description={t('runs')}
      onClose={leaveImport}
      footer={
        <>
          <Button busy={cancelling} onClick={() => void cancelImport()}>
            {t('cancel')}
          </Button>
          <Button look="primary" onClick={leaveImport}>
            {t('leave')}
          </Button>
        </>
      }
    >
      <ImportProgress />
    </Dialog>
  );
}

function Ended() {
  const { t } = useTranslation('import');
  const first = useImportReport()?.first;
  return (
    <Dialog
      title={t('title')}
      onClose={leaveImport}
      footer={
        <>
          <Button onClick={importMore}>{t('more')}</Button>
          <Button look={first ? 'quiet' : 'primary'} onClick={leaveImport}>
            {t('close')}
          </Button>
          {first ? (
            <Button look="primary" onClick={openImported}>
              {t('openFirst')}
            </Button>
          ) : null}
        </>
      }
    >
      <ImportReport />
    </Dialog>
  );
}
