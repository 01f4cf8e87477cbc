// A digest of a branch that was left is being made (T11, R4): said under the messages, with the time and a way out.
import { useTranslation } from 'react-i18next';
import type { Carry } from '../../../shared/model/carry';
import { stopCarry, useCarries } from '../../state/leavingSlice';
import { Button } from '../../ui/Button';
import styles from './Carry.module.css';
import { formatDuration } from './formatDuration';
import phase from './Phase.module.css';
import { useSeconds } from './useSeconds';

export function CarryRows() {
  const carries = useCarries();
  return carries.map((carry) => <Row key={`${carry.leftId} ${carry.targetId}`} carry={carry} />);
}

function Row({ carry: { targetId, startedAt } }: { carry: Carry }) {
  const { t } = useTranslation('talk');
  const elapsed = Math.max(0, useSeconds() - startedAt);
  return (
    <div className={styles.row}>
      <span className={phase.pulse} aria-hidden="true" />
      <span className={styles.words} role="status">
        {t('carry.making')}
      </span>
      {elapsed >= 2000 ? <span className={styles.elapsed}>{formatDuration(elapsed, t)}</span> : null}
      <Button size="small" aria-label={t('carry.stopLabel')} onClick={() => stopCarry(targetId)}>
        {t('carry.stop')}
      </Button>
    </div>
  );
}
