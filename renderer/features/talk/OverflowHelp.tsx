// Under a turn whose request could not fit (L14): what it was made of, and what makes it smaller.
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { FailedTurn } from '../../../shared/model/live';
import type { MemoryView, PassEnd } from '../../../shared/model/memoryView';
import { compactNow, pauseOf, redoMemory } from '../../state/memorySlice';
import { Button } from '../../ui/Button';
import { formatBytes, formatNumber } from '../../ui/format';
import { useReasons } from '../../ui/memoryWords';
import styles from './OverflowHelp.module.css';

const isOverflow = ({ failure }: FailedTurn) => failure.code === 'overflowTokens' || failure.code === 'overflowBytes';

/** The parts, largest first. */
export function OverflowParts({ turn }: { turn: FailedTurn }) {
  const { t, i18n } = useTranslation('memory');
  const parts = turn.failure.detail?.parts ?? [];
  if (!isOverflow(turn) || parts.length === 0) return null;
  const sorted = [...parts].sort((a, b) => b.tokens - a.tokens || b.bytes - a.bytes);
  return (
    <table className={styles.parts}>
      <caption>{t('partsTitle')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('partsName')}</th>
          <th scope="col">{t('partsTokens')}</th>
          <th scope="col">{t('partsBytes')}</th>
        </tr>
      </thead>
      <tbody>
        {sorted.map(({ name, tokens, bytes }) => (
          <tr key={name}>
            <th scope="row">{t(`parts.${name}`)}</th>
            <td>{formatNumber(tokens, i18n.language)}</td>
            <td>{bytes > 0 ? formatBytes(bytes, i18n.language) : '–'}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Buttons beside Retry and Change model; what a pass did is said under them. */
export function OverflowActs({ turn }: { turn: FailedTurn }) {
  return isOverflow(turn) ? <Acts turn={turn} /> : null;
}

function Acts({ turn: { conversationId, agentId } }: { turn: FailedTurn }) {
  const { t } = useTranslation('memory');
  const [pause, setPause] = useState<MemoryView['pause']>(null);
  const [end, setEnd] = useState<PassEnd | null>(null);
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    let current = true;
    void pauseOf(conversationId, agentId ?? null).then((found) => current && setPause(found));
    return () => {
      current = false;
    };
  }, [conversationId, agentId]);
  const undone = pause?.why === 'undone' ? pause : null;
  const compact = async () => {
    setBusy(true);
    setEnd(await compactNow(conversationId, agentId ?? null));
    setBusy(false);
  };
  const redo = async () => {
    if (!undone || !agentId) return;
    await redoMemory({ conversationId, agentId }, undone.recordId);
    setPause(null);
  };
  return (
    <>
      <Button size="small" busy={busy} onClick={() => void compact()}>
        {t('compactNow')}
      </Button>
      {undone && agentId ? (
        <Button size="small" data-tooltip={t('redoHint')} onClick={() => void redo()}>
          {t('redo')}
        </Button>
      ) : null}
      <Ended end={end} />
    </>
  );
}

function Ended({ end }: { end: PassEnd | null }) {
  const { t } = useTranslation('memory');
  const reasons = useReasons();
  const words = (): string => {
    switch (end?.type) {
      case 'done':
        return t('compacted');
      case 'nothing':
      case 'already':
        return t('nothingToCompact');
      case 'failed':
        return reasons(end.failures);
      default:
        return '';
    }
  };
  return (
    <p role="status" className={styles.ended}>
      {words()}
    </p>
  );
}
