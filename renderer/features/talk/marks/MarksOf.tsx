// What a person has marked a message with, always in sight: its label, and that it is pinned.
import { Bookmark, Pin } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { MessageId } from '../../../../shared/model/ids';
import { useIsPinned, useLabelOf } from '../../../state/talkSlice';
import styles from './Marks.module.css';

export function MarksOf({ messageId }: { messageId: MessageId }) {
  const { t } = useTranslation('marks');
  const label = useLabelOf(messageId);
  const pinned = useIsPinned(messageId);
  return (
    <>
      {label === null ? null : (
        <span className={styles.label} data-tooltip={t('label.mark')}>
          <Bookmark aria-hidden="true" />
          <bdi>{label}</bdi>
        </span>
      )}
      {pinned ? (
        <span className={styles.pin} data-tooltip={t('pin.markHint')}>
          <Pin aria-hidden="true" />
          {t('pin.mark')}
        </span>
      ) : null}
    </>
  );
}
