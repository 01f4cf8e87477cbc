// Send; and while an answer is written: Stop, and the two ways a message can wait for it (A6).
import { ArrowUp, CornerDownRight, ListEnd, Square } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { QueueMode } from '../../../shared/model/queue';
import { useSettings } from '../../state/appSlice';
import { IconButton } from '../../ui/IconButton';
import styles from './SendButtons.module.css';
import type { SendState } from './useSendState';

export type SendProps = { state: SendState; running: boolean; onSend(mode: QueueMode): void; onStop(): void };

/** The keys that send or queue, and those that steer, as the person has set them. */
export function useSendKeys(): { send: string; steer: string } {
  const swapped = useSettings()?.preferences.sendKey === 'modEnter';
  return swapped ? { send: 'Mod+Enter', steer: 'Mod+Shift+Enter' } : { send: 'Enter', steer: 'Mod+Enter' };
}

export function SendButtons({ state, running, onSend, onStop }: SendProps) {
  const { t } = useTranslation('composer');
  const keys = useSendKeys();
  const disabled = !state.canSend || state.empty;
  if (!running) {
    return (
      <button
        type="button"
        className={styles.send}
        aria-label={t('send')}
        data-tooltip={t('send')}
        data-tooltip-keys={keys.send}
        disabled={disabled}
        onClick={() => onSend('queue')}
      >
        <ArrowUp aria-hidden="true" />
      </button>
    );
  }
  return (
    <>
      <IconButton label={t('steer')} tooltip={t('steerHint')} keys={keys.steer} disabled={disabled} onClick={() => onSend('steer')}>
        <CornerDownRight aria-hidden="true" />
      </IconButton>
      <IconButton label={t('queueIt')} tooltip={t('queueHint')} keys={keys.send} disabled={disabled} onClick={() => onSend('queue')}>
        <ListEnd aria-hidden="true" />
      </IconButton>
      <button
        type="button"
        className={styles.stop}
        aria-label={t('stop')}
        data-tooltip={t('stop')}
        data-tooltip-keys="Escape"
        onClick={onStop}
      >
        <Square aria-hidden="true" />
      </button>
    </>
  );
}
