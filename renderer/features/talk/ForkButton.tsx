// Copies the conversation up to a message, or more of it, into a new one (T9): opens the question.
import { GitFork } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { MessageId } from '../../../shared/model/ids';
import { askToFork } from '../../state/forkSlice';
import { IconButton } from '../../ui/IconButton';

export function ForkButton({ messageId }: { messageId: MessageId }) {
  const { t } = useTranslation('fork');
  return (
    <IconButton label={t('action')} tooltip={t('actionHint')} size="small" onClick={() => askToFork(messageId)}>
      <GitFork aria-hidden="true" />
    </IconButton>
  );
}
