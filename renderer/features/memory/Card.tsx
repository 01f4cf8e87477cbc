// The memory in force: the card line by line with its sources, or pages beside their text; how it was made; edit and undo.
import { Pencil, Undo2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { MemoryView } from '../../../shared/model/memoryView';
import { useWorkspace } from '../../state/appSlice';
import { setCardDraft, useCardDraft } from '../../state/cardDrafts';
import { undoMemory } from '../../state/memorySlice';
import { Button } from '../../ui/Button';
import { useMadeWords } from '../../ui/memoryWords';
import { CardText, type CardTextProps } from './CardText';
import { EditCard } from './EditCard';
import styles from './Memory.module.css';
import { Pages } from './Pages';
import { Suspects } from './Suspects';
import { useWhen } from './useWhen';

export type Held = NonNullable<MemoryView['memory']>;

export function Card({ view, memory }: { view: MemoryView; memory: Held }) {
  const { t } = useTranslation('memory');
  const writable = useWorkspace()?.status !== 'readOnly';
  const place = { conversationId: view.conversationId, agentId: view.agentId };
  const { recordId, body, kind } = memory;
  const draft = useCardDraft(place);
  const editing = draft !== null && writable && kind !== 'pages';
  return (
    <section className={styles.group}>
      <div className={styles.head}>
        <h2 className={styles.heading}>{t(kind === 'pages' ? 'pages' : 'card')}</h2>
        {writable && !editing ? (
          <div className={styles.acts}>
            {kind === 'pages' ? null : (
              <Button
                look="plain"
                size="small"
                icon={<Pencil aria-hidden="true" />}
                onClick={() => setCardDraft(place, { recordId, text: body.text })}
              >
                {t('edit')}
              </Button>
            )}
            <Button look="plain" size="small" icon={<Undo2 aria-hidden="true" />} onClick={() => void undoMemory(place, recordId)}>
              {t('undo')}
            </Button>
          </div>
        ) : null}
      </div>
      <Facts view={view} memory={memory} />
      {draft !== null && writable && kind === 'pages' ? <p className={styles.waits}>{t('editWaits')}</p> : null}
      {body.pages.length > 0 ? <Pages body={body} receipt={memory.receipt.pages} /> : null}
      {editing ? <EditCard place={place} recordId={recordId} draft={draft} most={view.cardTokens} /> : null}
      {!editing && kind !== 'pages' ? <CardText place={place} recordId={recordId} text={body.text} /> : null}
      {kind === 'pages' && body.text.trim() !== '' ? <EarlierCard place={place} recordId={recordId} text={body.text} /> : null}
    </section>
  );
}

/** Stands as text before the pages (S1). */
function EarlierCard(card: CardTextProps) {
  const { t } = useTranslation('pages');
  return (
    <section className={styles.earlier} aria-label={t('earlierCard')}>
      <h2 className={styles.heading}>{t('earlierCard')}</h2>
      <p className={styles.small}>{t('earlierCardNote')}</p>
      <CardText {...card} />
    </section>
  );
}

function Facts({ view, memory: { receipt, folded, recordId } }: { view: MemoryView; memory: Held }) {
  const { t } = useTranslation('memory');
  const { method, keptLong, number } = useMadeWords();
  const when = useWhen();
  const isOverUndone = view.receipts.some(({ record }) => record?.id === recordId && record.isOverUndone);
  const facts = [
    t('standsFor', { count: folded, shown: number(folded) }),
    [method(receipt), when(receipt.createdAt)].filter(Boolean).join(t('ui:comma')),
    keptLong(receipt),
  ].filter((fact) => fact !== null);
  return (
    <div className={styles.facts}>
      <p>{facts.join(' · ')}</p>
      {receipt.focus ? <p>{t('focus', { focus: receipt.focus })}</p> : null}
      {isOverUndone ? <p className={styles.amber}>{t('overUndone')}</p> : null}
      <Suspects suspects={receipt.identifiers?.suspect ?? []} />
    </div>
  );
}
