// Label, pin and delete, among the actions on a message.
import { Pin, PinOff, Trash2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { MessageView } from '../../../../shared/model/talkView';
import { setPinned } from '../../../state/markActs';
import { useIsPinned } from '../../../state/talkSlice';
import { askToDelete } from '../../../state/trashSlice';
import { IconButton } from '../../../ui/IconButton';
import { LabelButton } from './LabelButton';

export function MarkActions({ message: { id, conversationId } }: { message: MessageView }) {
  const { t } = useTranslation('marks');
  const pinned = useIsPinned(id);
  return (
    <>
      <LabelButton messageId={id} />
      <IconButton
        label={t('pin.act')}
        tooltip={t(pinned ? 'pin.remove' : 'pin.hint')}
        size="small"
        aria-pressed={pinned}
        onClick={() => void setPinned(id, !pinned)}
      >
        {pinned ? <PinOff aria-hidden="true" /> : <Pin aria-hidden="true" />}
      </IconButton>
      <IconButton
        label={t('delete.act')}
        tooltip={t('delete.hint')}
        size="small"
        aria-haspopup="dialog"
        onClick={() => askToDelete({ conversationId, messageId: id })}
      >
        <Trash2 aria-hidden="true" />
      </IconButton>
    </>
  );
}
