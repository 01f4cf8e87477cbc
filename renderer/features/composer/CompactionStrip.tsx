// Over the message box: the preview of `/compact`, the pass that runs, and what came of it, with undo (K2, K3). The box stays as it is.
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { closeStrip, redoPass, type Strip, stopPassHere, undoPass, useStrip } from '../../state/compactionSlice';
import { useRunningPassIn } from '../../state/passSlice';
import { useConversationId, useTipId } from '../../state/talkSlice';
import { Button } from '../../ui/Button';
import { FailureText } from '../../ui/FailureText';
import { sentenceGap } from '../../ui/format';
import { IconButton } from '../../ui/IconButton';
import { isIdle, useReasons } from '../../ui/memoryWords';
import { useLate } from '../../ui/Skeleton';
import styles from './Compaction.module.css';
import { CompactPreview } from './CompactPreview';
import composer from './Composer.module.css';
import { useEndWords } from './compactionWords';

export function CompactionStrip() {
  const strip = useStrip(useConversationId());
  const tipId = useTipId();
  if (!strip || (strip.tipId !== tipId && strip.type !== 'running')) return null;
  switch (strip.type) {
    case 'preview':
      return <CompactPreview place={strip.place} rungs={strip.rungs} />;
    case 'running':
      return <Running strip={strip} />;
    case 'ended':
      return <Ended strip={strip} />;
    case 'turned':
      return <Turned strip={strip} />;
    case 'nothingToUndo':
      return <NothingToUndo strip={strip} />;
    case 'failed':
      return (
        <Failed strip={strip}>
          <FailureText failure={strip.failure} />
        </Failed>
      );
  }
}
type Of<T extends Strip['type']> = { strip: Extract<Strip, { type: T }> };

/** A line that is said, what can be done about it, and a button that takes it away. */
function Said({ strip, text, children }: { strip: Strip; text: string; children?: ReactNode }) {
  const { t } = useTranslation('compaction');
  return (
    <div className={styles.said}>
      <p role="status">{text}</p>
      {children}
      <IconButton label={t('dismiss')} size="small" onClick={() => closeStrip(strip.place)}>
        <X aria-hidden="true" />
      </IconButton>
    </div>
  );
}

function Failed({ strip, children }: { strip: Strip; children: ReactNode }) {
  const { t } = useTranslation('compaction');
  return (
    <div className={composer.failure} role="alert">
      {children}
      <IconButton label={t('dismiss')} size="small" onClick={() => closeStrip(strip.place)}>
        <X aria-hidden="true" />
      </IconButton>
    </div>
  );
}

function Running({ strip }: Of<'running'>) {
  const { t } = useTranslation('compaction');
  // Once it has begun the talk says at which rung it is, with the way out.
  const waits = useRunningPassIn(strip.place.conversationId) === null;
  if (!useLate(waits)) return null;
  return (
    <div className={styles.said}>
      <p role="status">{t('starting')}</p>
      <Button size="small" aria-label={t('stopOf')} onClick={() => void stopPassHere(strip.place)}>
        {t('stop')}
      </Button>
    </div>
  );
}

function Ended({ strip }: Of<'ended'>) {
  const { t, i18n } = useTranslation('compaction');
  const reasons = useReasons();
  const { ask, end, place, why } = strip;
  const words = useEndWords();
  const record = end.type === 'done' ? end.receipt.record : null;
  if (end.type === 'failed') {
    return (
      <Failed strip={strip}>
        <div className={composer.refusal}>
          <strong>{t('failed')}</strong>
          {sentenceGap(i18n.language)}
          {reasons(end.failures)}
        </div>
      </Failed>
    );
  }
  return (
    <Said strip={strip} text={words(ask, end, why)}>
      {end.type === 'done' && end.failures.length > 0 ? (
        <span className={styles.faint}>{reasons(end.failures.filter(({ reason }) => !isIdle(reason)))}</span>
      ) : null}
      {record ? (
        <Button size="small" onClick={() => void undoPass(place, record.id)}>
          {t('undo')}
        </Button>
      ) : null}
    </Said>
  );
}

function Turned({ strip }: Of<'turned'>) {
  const { t } = useTranslation('compaction');
  const { made, isUndone, place, tokens } = strip;
  const { turned } = useEndWords();
  return (
    <Said strip={strip} text={turned(made, isUndone, tokens)}>
      <Button size="small" onClick={() => void (isUndone ? redoPass(place, made) : undoPass(place, made.id))}>
        {t(isUndone ? 'redo' : 'undo')}
      </Button>
    </Said>
  );
}

function NothingToUndo({ strip }: Of<'nothingToUndo'>) {
  const { t } = useTranslation('compaction');
  return <Said strip={strip} text={t('nothingToUndo')} />;
}
