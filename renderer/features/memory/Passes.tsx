// Receipts over time, newest first: what fired, what it did and saved, what it took, what failed; undo and redo of each (L17, L19).
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { splitModel } from '../../../shared/model/agent';
import type { MemoryView, PassReceipt } from '../../../shared/model/memoryView';
import { useWorkspace } from '../../state/appSlice';
import { redoMemory, undoMemory } from '../../state/memorySlice';
import { Button } from '../../ui/Button';
import { cx } from '../../ui/cx';
import { formatBytes, formatNumber } from '../../ui/format';
import { isIdle, useMadeWords, useWhy } from '../../ui/memoryWords';
import styles from './Memory.module.css';
import passStyles from './Passes.module.css';
import { useWhen } from './useWhen';

const firstShown = 20;

export function Passes({ view }: { view: MemoryView }) {
  const { t, i18n } = useTranslation('memory');
  const [all, setAll] = useState(false);
  const { receipts } = view;
  const shown = all ? receipts : receipts.slice(0, firstShown);
  return (
    <section className={styles.group}>
      <h2 className={styles.heading}>{t('passes')}</h2>
      {receipts.length === 0 ? <p className={styles.none}>{t('noPasses')}</p> : null}
      <ul className={styles.list} aria-label={t('passes')}>
        {shown.map((receipt) => (
          <li key={receipt.id}>
            <Pass view={view} receipt={receipt} />
          </li>
        ))}
      </ul>
      {shown.length < receipts.length ? (
        <Button look="plain" size="small" className={styles.more} onClick={() => setAll(true)}>
          {t('showAllPasses', { shown: formatNumber(receipts.length, i18n.language) })}
        </Button>
      ) : null}
    </section>
  );
}

function Pass({ view: { conversationId, agentId }, receipt }: { view: MemoryView; receipt: PassReceipt }) {
  const { t } = useTranslation('memory');
  const writable = useWorkspace()?.status !== 'readOnly';
  const why = useWhy();
  const when = useWhen();
  const { record, trigger, failures, createdAt } = receipt;
  const place = { conversationId, agentId };
  // A rung that had nothing to do is news only where no other did anything.
  const told = failures.filter(({ reason }) => record === null || !isIdle(reason));
  const what = t('ui:named', { name: t(`trigger.${trigger}`), value: t(`result.${record?.kind ?? 'failed'}`) });
  return (
    <article className={cx(passStyles.pass, record?.undone && passStyles.undone)} aria-label={what}>
      <div className={passStyles.passHead}>
        <p className={passStyles.passWhat}>
          {what}
          {record?.undone ? <span className={passStyles.tag}>{t('undone')}</span> : null}
        </p>
        {record && writable ? (
          <Button
            look="plain"
            size="small"
            aria-label={t(record.undone ? 'redoOf' : 'undoOf', { what })}
            onClick={() => void (record.undone ? redoMemory(place, record.id) : undoMemory(place, record.id))}
          >
            {t(record.undone ? 'redo' : 'undo')}
          </Button>
        ) : null}
      </div>
      {record ? <Outcome record={record} /> : null}
      {record?.isOverUndone ? <p className={styles.amber}>{t('overUndone')}</p> : null}
      {told.map(({ rung, reason }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list of a receipt never changes
        <p key={at} className={styles.amber}>
          {t('rungFailed', { rung: t(`rung.${rung}`), why: why(reason) })}
        </p>
      ))}
      <time dateTime={new Date(createdAt).toISOString()}>{when(createdAt)}</time>
    </article>
  );
}

function Outcome({ record: { receipt, folded, elided, droppedImages } }: { record: NonNullable<PassReceipt['record']> }) {
  const { t, i18n } = useTranslation('memory');
  const words = useMadeWords();
  const why = useWhy();
  const { model, method, bytesBefore, bytesAfter, durationMs, cost, refused = [] } = receipt;
  const bytes = (value: number) => formatBytes(value, i18n.language);
  const counts = [
    ...(folded > 0 ? [t('folded', { count: folded })] : []),
    ...(elided > 0 ? [t('elided', { count: elided })] : []),
    ...(droppedImages > 0 ? [t('dropped', { count: droppedImages })] : []),
  ];
  const facts = [
    ...(bytesBefore === bytesAfter ? [] : [t('bytes', { before: bytes(bytesBefore), after: bytes(bytesAfter) })]),
    ...(durationMs > 0 ? [t('took', { seconds: words.number(Math.max(0.1, Math.round(durationMs / 100) / 10)) })] : []),
    ...(cost === undefined ? [] : [dollars(cost, i18n.language)]),
    ...(method === 'deterministic' || method === 'hand' ? [words.method(receipt)] : model ? [splitModel(model).modelId] : []),
    words.kept(receipt),
  ].filter((fact) => fact !== null);
  return (
    <>
      <p className={passStyles.passChange}>{words.change(receipt)}</p>
      {receipt.pages ? <p>{words.pages(receipt.pages)}</p> : null}
      {counts.length > 0 ? <p>{counts.join(' · ')}</p> : null}
      {facts.length > 0 ? <p>{facts.join(' · ')}</p> : null}
      {refused.length > 0 ? (
        <p className={styles.amber}>
          {t('rungFailed', { rung: t('rung.summary'), why: [...new Set(refused)].map(why).join(t('ui:comma')) })}
        </p>
      ) : null}
    </>
  );
}

function dollars(cost: number, language: string): string {
  return new Intl.NumberFormat(language, { style: 'currency', currency: 'USD', maximumSignificantDigits: 2 }).format(cost);
}
