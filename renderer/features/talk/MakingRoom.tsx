// A pass runs in the open conversation (R4, L11): a quiet line under the messages, with the time and a way out; the turn goes on without it.
import { useTranslation } from 'react-i18next';
import type { RunningPass } from '../../../shared/model/memoryView';
import { stopPass, useRunningPassIn } from '../../state/passSlice';
import { useConversationId } from '../../state/talkSlice';
import { Button } from '../../ui/Button';
import { useRunningWords } from '../../ui/memoryWords';
import styles from './Carry.module.css';
import { formatDuration } from './formatDuration';
import phase from './Phase.module.css';
import { useSeconds } from './useSeconds';

export function MakingRoom() {
  const pass = useRunningPassIn(useConversationId());
  return pass ? <Row pass={pass} /> : null;
}

function Row({ pass }: { pass: RunningPass }) {
  const { t: ofTalk } = useTranslation('talk');
  const { t } = useTranslation('memory');
  const words = useRunningWords();
  const elapsed = Math.max(0, useSeconds() - pass.startedAt);
  return (
    <div className={styles.row}>
      <span className={phase.pulse} aria-hidden="true" />
      <span className={styles.words} role="status">
        {words(pass)}
      </span>
      {elapsed >= 2000 ? <span className={styles.elapsed}>{formatDuration(elapsed, ofTalk)}</span> : null}
      <Button size="small" aria-label={t('stopLabel')} onClick={() => void stopPass(pass)}>
        {t('stop')}
      </Button>
    </div>
  );
}
