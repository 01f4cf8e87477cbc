// Asks before something is deleted for good, and says what still has it (T8).
import { useTranslation } from 'react-i18next';
import { cancelEmpty, confirmEmpty, useEmptyQuestion } from '../../state/trashSlice';
import { ConfirmDialog } from '../../ui/ConfirmDialog';

export function EmptyDialog() {
  const { t } = useTranslation('trash');
  const question = useEmptyQuestion();
  if (question === undefined) return null;
  return (
    <ConfirmDialog
      title={t(question === null ? 'good.all' : 'good.one')}
      description={t('good.text')}
      confirmLabel={t('good.button')}
      cancelLabel={t('ask.cancel')}
      onConfirm={() => void confirmEmpty()}
      onCancel={cancelEmpty}
    />
  );
}
