// Messages that wait for the turn that runs, or that its end left behind (A6): each can be edited, changed to the other mode, sent or removed.
import { ArrowUp, CornerDownRight, ListEnd, PauseCircle, Pencil, X } from 'lucide-react';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { QueuedMessage } from '../../../shared/model/queue';
import { editQueued, removeQueued, sendQueued, setQueueMode } from '../../state/queueSlice';
import { useQueue } from '../../state/talkSlice';
import { Button } from '../../ui/Button';
import { cx } from '../../ui/cx';
import { IconButton } from '../../ui/IconButton';
import styles from './QueuedMessages.module.css';

type QueuedProps = { readOnly: boolean; onEdited(): void };

export function QueuedMessages({ readOnly, onEdited }: QueuedProps) {
  const { t } = useTranslation('composer');
  const queue = useQueue();
  if (queue.length === 0) return null;
  return (
    <ul className={styles.list} aria-label={t('queue.list')}>
      {queue.map((queued) => (
        <Queued key={queued.id} queued={queued} readOnly={readOnly} onEdited={onEdited} />
      ))}
    </ul>
  );
}

function Queued({ queued, readOnly, onEdited }: QueuedProps & { queued: QueuedMessage }) {
  const { t } = useTranslation('composer');
  const id = useId();
  const { held, mode, text, attachments } = queued;
  const files = attachments.length > 0 ? t('queue.files', { count: attachments.length }) : '';
  const ModeIcon = held ? PauseCircle : mode === 'steer' ? CornerDownRight : ListEnd;
  // A line of a megabyte is laid out in full even where one line of it is seen.
  const line = text.trim().slice(0, 300).replace(/\s+/g, ' ');
  return (
    <li className={cx(styles.row, held && styles.held)}>
      <ModeIcon aria-hidden="true" className={styles.icon} />
      <span id={id} className={styles.words}>
        <span className={styles.mode}>
          {held ? t('queue.held') : t(`queue.${mode}`)}
          {files ? ` · ${files}` : ''}
        </span>
        <span className={styles.text} dir="auto">
          {line}
        </span>
      </span>
      {readOnly ? null : (
        <span className={styles.acts}>
          {held ? (
            <Button size="small" icon={<ArrowUp aria-hidden="true" />} aria-describedby={id} onClick={() => void sendQueued(queued)}>
              {t('queue.sendNow')}
            </Button>
          ) : (
            <SwitchMode queued={queued} describedBy={id} />
          )}
          <IconButton
            label={t('queue.edit')}
            tooltip={t('queue.editHint')}
            size="small"
            aria-describedby={id}
            onClick={() => void editQueued(queued).then((taken) => taken && onEdited())}
          >
            <Pencil aria-hidden="true" />
          </IconButton>
          <IconButton label={t('queue.remove')} size="small" aria-describedby={id} onClick={() => void removeQueued(queued)}>
            <X aria-hidden="true" />
          </IconButton>
        </span>
      )}
    </li>
  );
}

function SwitchMode({ queued, describedBy }: { queued: QueuedMessage; describedBy: string }) {
  const { t } = useTranslation('composer');
  const other = queued.mode === 'steer' ? 'queue' : 'steer';
  return (
    <IconButton
      label={t(`queue.to.${other}`)}
      tooltip={t(`queue.toHint.${other}`)}
      size="small"
      aria-describedby={describedBy}
      onClick={() => void setQueueMode(queued, other)}
    >
      {other === 'steer' ? <CornerDownRight aria-hidden="true" /> : <ListEnd aria-hidden="true" />}
    </IconButton>
  );
}
