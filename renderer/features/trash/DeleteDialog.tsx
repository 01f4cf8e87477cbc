// Asks before messages go into the trash: how many, on how many branches, and what stays for a while (T8).
import { useTranslation } from 'react-i18next';
import type { DeleteCounts } from '../../../shared/model/trash';
import { cancelDelete, confirmDelete, useDeleteCounts, useDeleteFailure, useDeleteQuestion, useDeleting } from '../../state/trashSlice';
import { Button } from '../../ui/Button';
import { Dialog } from '../../ui/Dialog';
import { FailureText } from '../../ui/FailureText';
import styles from './Trash.module.css';

export function DeleteDialog() {
  const { t } = useTranslation('trash');
  const asking = useDeleteQuestion();
  const counts = useDeleteCounts();
  const failure = useDeleteFailure();
  const busy = useDeleting();
  if (!asking) return null;
  const whole = asking.messageId === null;
  return (
    <Dialog
      title={t(whole ? 'ask.conversation' : 'ask.messages')}
      size="small"
      onClose={cancelDelete}
      footer={
        <>
          <Button onClick={cancelDelete} autoFocus>
            {t('ask.cancel')}
          </Button>
          <Button look="danger" busy={busy} disabled={counts === null} onClick={() => void confirmDelete()}>
            {t('ask.delete')}
          </Button>
        </>
      }
    >
      <div className={styles.question}>
        <p aria-live="polite">{counts ? <Counted counts={counts} whole={whole} /> : failure ? null : t('ask.counting')}</p>
        <p className={styles.quiet}>{t('ask.later')}</p>
        {failure ? <FailureText failure={failure} /> : null}
      </div>
    </Dialog>
  );
}

function Counted({ counts: { messages, branches, hidden }, whole }: { counts: DeleteCounts; whole: boolean }) {
  const { t } = useTranslation('trash');
  const what = t('count.messages', { count: messages });
  if (whole && messages === 0) return t('count.empty');
  if (branches < 2) return hidden === 0 ? t('count.plain', { what }) : t('count.plainHidden', { what });
  const where = t('count.branches', { count: branches });
  return hidden === 0 ? t('count.on', { what, where }) : t('count.onHidden', { what, where, hidden });
}
