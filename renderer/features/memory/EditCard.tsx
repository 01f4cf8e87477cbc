// A card changed by hand: its limits while typing, what is wrong with it in place (M7, M1).
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { cardLimits } from '../../../shared/model/compaction';
import type { Failure } from '../../../shared/model/failure';
import type { AgentId, ConversationId, RecordId } from '../../../shared/model/ids';
import { type CardDraft, setCardDraft } from '../../state/cardDrafts';
import { editCard, loadMemory } from '../../state/memorySlice';
import { Button } from '../../ui/Button';
import { cx } from '../../ui/cx';
import { FailureText } from '../../ui/FailureText';
import { TextArea } from '../../ui/TextArea';
import styles from './Memory.module.css';
import { sizeOfCard } from './sizeOfCard';

type EditCardProps = {
  place: { conversationId: ConversationId; agentId: AgentId };
  /** The memory in force: what is saved stands over it. */
  recordId: RecordId;
  draft: CardDraft;
  /** The most it may have here (L21). */
  most: number;
};

export function EditCard({ place, recordId, draft, most }: EditCardProps) {
  const { t } = useTranslation('memory');
  const { text } = draft;
  const onClose = () => setCardDraft(place, null);
  const [saving, setSaving] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const setText = (next: string) => {
    setCardDraft(place, { ...draft, text: next });
    setFailure(null);
  };
  const box = useRef<HTMLTextAreaElement>(null);
  useEffect(() => box.current?.focus(), []);
  const { bytes, tokens: roughly } = sizeOfCard(text);
  // What main counted for this text is what stands.
  const tokens = countedIn(failure) ?? roughly;
  const { mostBytes } = cardLimits;
  const isEmpty = text.trim() === '';
  // Tokens are only estimated here: main has the last word on them.
  const isLong = bytes > mostBytes;
  const save = async (event: FormEvent) => {
    event.preventDefault();
    if (isEmpty || isLong) return;
    setSaving(true);
    const refused = await editCard(place, recordId, text);
    setSaving(false);
    setFailure(refused);
    if (!refused) onClose();
    // Saved again, it stands over what is there by then.
    else if (refused.code === 'conflict') await loadMemory();
  };
  return (
    <form className={styles.edit} onSubmit={(event) => void save(event)}>
      <TextArea
        ref={box}
        label={t('editLabel')}
        hint={t('editHint')}
        error={isEmpty ? t('emptyCard') : isLong ? t('tooLong') : null}
        value={text}
        rows={16}
        onChange={setText}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || event.nativeEvent.isComposing) return;
          event.preventDefault();
          event.stopPropagation();
          onClose();
        }}
      />
      <p className={cx(styles.limits, (isLong || tokens > most) && styles.amber)}>{t('limits', { bytes, mostBytes, tokens, most })}</p>
      {draft.recordId === recordId ? null : <p className={styles.amber}>{t('editMeanwhile')}</p>}
      {failure ? (
        <div role="alert" className={styles.editFailure}>
          <Refusal failure={failure} />
        </div>
      ) : null}
      <div className={styles.acts}>
        <Button type="submit" look="primary" size="small" busy={saving} disabled={isEmpty || isLong}>
          {t('save')}
        </Button>
        <Button size="small" onClick={onClose}>
          {t('cancel')}
        </Button>
      </div>
    </form>
  );
}

/** The tokens of a card that main found too long. */
function countedIn(failure: Failure | null): number | undefined {
  return failure?.code === 'invalidInput' ? failure.detail?.size : undefined;
}

/** It names how many tokens there are, and how many may be. */
function Refusal({ failure }: { failure: Failure }) {
  const { t } = useTranslation('memory');
  const size = countedIn(failure);
  const limit = failure.detail?.limit;
  return size === undefined || limit === undefined ? <FailureText failure={failure} /> : <p>{t('tooLongHere', { size, limit })}</p>;
}
