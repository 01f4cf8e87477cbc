// What a running step is doing while it has no words to show yet (P3, P5): calm, with the time and a way out.
import { useTranslation } from 'react-i18next';
import { assertNever } from '../../../shared/model/assertNever';
import type { LiveStep } from '../../../shared/model/live';
import { waitsForWord } from '../../state/conversationsSlice';
import { useRunningPass } from '../../state/passSlice';
import { stopTurn } from '../../state/talkActs';
import { cx } from '../../ui/cx';
import { useFailureTitle } from '../../ui/FailureText';
import { formatDuration } from './formatDuration';
import styles from './Phase.module.css';
import { useModelNames } from './useAgentName';
import { useSeconds } from './useSeconds';

export function LivePhase({ step }: { step: LiveStep }) {
  if (step.phase === 'tools') return step.calls.some(waitsForWord) ? <WaitsForWord /> : null;
  return step.phase === 'streaming' ? null : <Waiting step={step} />;
}

/** What runs is seen in the calls' own lines; that nothing goes on until the user speaks is said. */
function WaitsForWord() {
  const { t } = useTranslation('talk');
  return (
    <div className={styles.phase}>
      <span className={cx(styles.pulse, styles.needsYou)} aria-hidden="true" />
      <span>{t('phase.needsYou')}</span>
    </div>
  );
}

function Waiting({ step }: { step: LiveStep }) {
  const { t } = useTranslation('talk');
  const now = useSeconds();
  const elapsed = Math.max(0, now - step.startedAt);
  const { words, failure } = useWords(step, now);
  return (
    <div className={styles.phase}>
      <span className={styles.pulse} aria-hidden="true" />
      <span className={styles.phaseWords}>
        {failure ? <span className={styles.phaseFailure}>{failure}</span> : null}
        <span>{words}</span>
      </span>
      {elapsed >= 2000 && step.phase !== 'retrying' ? <span className={styles.elapsed}>{formatDuration(elapsed, t)}</span> : null}
      {elapsed >= 2000 || step.phase === 'retrying' ? (
        <button type="button" className={styles.textButton} onClick={() => void stopTurn(step.id)}>
          {t('phase.end')}
        </button>
      ) : null}
    </div>
  );
}

function useWords(step: LiveStep, now: number): { words: string; failure: string | null } {
  const { t } = useTranslation('talk');
  const title = useFailureTitle();
  const names = useModelNames(step.model);
  const pass = useRunningPass(step);
  switch (step.phase) {
    case 'connecting':
      if (pass) return { words: t('memory:running'), failure: null };
      // Local servers take the connection at once and answer nothing, not even a status, until the prompt is read.
      if (step.local && now - step.startedAt >= 2000) return { words: t('phase.reading'), failure: null };
      return { words: t('phase.connecting', { provider: names?.provider ?? t('phase.theProvider') }), failure: null };
    case 'waiting':
      return { words: t(step.local ? 'phase.reading' : 'phase.waiting'), failure: null };
    case 'retrying': {
      const seconds = step.retry ? Math.ceil((step.retry.at - now) / 1000) : 0;
      const when = seconds > 0 ? t('phase.retrying', { count: seconds }) : t('phase.retryingNow');
      const words = step.retry ? `${when} · ${t('phase.attempt', { attempt: step.retry.attempt + 1 })}` : when;
      return { words, failure: step.retry ? title(step.retry.failure) : null };
    }
    case 'streaming':
    case 'tools':
      return { words: '', failure: null };
    default:
      return assertNever(step.phase);
  }
}
