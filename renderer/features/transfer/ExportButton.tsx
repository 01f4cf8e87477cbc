// Export of the open conversation, in the bar over the talk.
import { FileOutput } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { askToExport } from '../../state/exportSlice';
import { useConversationId } from '../../state/talkSlice';
import { IconButton } from '../../ui/IconButton';

export function ExportButton() {
  const { t } = useTranslation('transfer');
  const conversationId = useConversationId();
  if (conversationId === null) return null;
  return (
    <IconButton label={t('button')} onClick={() => askToExport({ conversationId, messageId: null })}>
      <FileOutput aria-hidden="true" />
    </IconButton>
  );
}
