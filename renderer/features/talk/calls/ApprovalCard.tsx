// A call that waits for the user's word (A4), in its place: what the agent wants, on exactly what, and the three answers.
import { type FormEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ApprovalAnswer } from '../../../../shared/model/approval';
import type { Failure } from '../../../../shared/model/failure';
import type { ToolCallPart } from '../../../../shared/model/message';
import type { ToolNeed } from '../../../../shared/model/tool';
import { answerCall } from '../../../state/callActs';
import { Button } from '../../../ui/Button';
import { useFailureTitle } from '../../../ui/FailureText';
import { TextField } from '../../../ui/TextField';
import { useAgentName } from '../useAgentName';
import styles from './ApprovalCard.module.css';
import { ApprovalNeed, CoveredThing } from './ApprovalNeed';
import { ApprovalPreview } from './ApprovalPreview';
import type { ReadArguments } from './readArguments';
import type { CallSource } from './source';

type CardProps = { part: ToolCallPart; given: ReadArguments; needs: readonly ToolNeed[]; preview: string | undefined; source: CallSource };

export function ApprovalCard({ part, given, needs, preview, source }: CardProps) {
  const { t } = useTranslation('talk');
  const id = useId();
  const card = useRef<HTMLDivElement>(null);
  const agent = useAgentName(source.agentId);
  useEffect(() => takeFocus(card.current), []);
  return (
    // Not a dialog element: that would be a layer of its own, this stands in the flow of the answer.
    <div
      ref={card}
      className={styles.card}
      role="dialog"
      aria-label={t('approval.label')}
      aria-describedby={id}
      tabIndex={-1}
      data-inline
      onKeyDown={leaveByEscape}
    >
      <h3 id={id} className={styles.wants}>
        {t(`approval.wants.${wantOf(needs)}`, { agent, tool: part.name })}
      </h3>
      {needs.map((need) => (
        <ApprovalNeed key={JSON.stringify(need)} need={need} />
      ))}
      <ApprovalPreview name={part.name} values={given.values} known={preview} />
      <Answers part={part} needs={needs} source={source} />
    </div>
  );
}

function wantOf(needs: readonly ToolNeed[]): ToolNeed['kind'] | 'several' {
  const kinds = new Set(needs.map((need) => need.kind));
  const [only] = kinds;
  return kinds.size === 1 && only ? only : 'several';
}

/** Moves the focus to the card, unless the person is writing somewhere or has a view of their own open. */
function takeFocus(card: HTMLElement | null): void {
  const active = document.activeElement;
  const busy =
    active instanceof HTMLElement &&
    (active.isContentEditable ||
      ['TEXTAREA', 'INPUT', 'SELECT'].includes(active.tagName) ||
      active.closest('[role="dialog"], [role="menu"]'));
  if (!busy) card?.focus({ preventScroll: true });
}

/** Escape leaves the card without an answer; only the next one stops the turn. */
function leaveByEscape(event: KeyboardEvent): void {
  if (event.key !== 'Escape' || event.defaultPrevented) return;
  event.preventDefault();
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
}

/** Milliseconds in which a click cannot have been meant for what has just appeared. */
const settleTime = 400;

function useSettled(): boolean {
  const [settled, setSettled] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(true), settleTime);
    return () => clearTimeout(timer);
  }, []);
  return settled;
}

function Answers({ part, needs, source }: { part: ToolCallPart; needs: readonly ToolNeed[]; source: CallSource }) {
  const { t } = useTranslation('talk');
  const title = useFailureTitle();
  const id = useId();
  const settled = useSettled();
  const [words, setWords] = useState('');
  const [sent, setSent] = useState<ApprovalAnswer['type'] | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const answer = async (given: ApprovalAnswer) => {
    const { stepId, conversationId } = source;
    if (!settled || sent || !stepId) return;
    setSent(given.type);
    const refused = await answerCall({ conversationId, stepId, callId: part.callId }, given);
    // The card goes when main says that the call goes on.
    setFailure(refused);
    if (refused) setSent(null);
  };
  const deny = (event: FormEvent) => {
    event.preventDefault();
    void answer({ type: 'deny', words: words.trim() });
  };
  const button = (type: ApprovalAnswer['type']) => ({ disabled: !settled || (sent !== null && sent !== type), busy: sent === type });
  return (
    <form className={styles.answers} onSubmit={deny}>
      <div className={styles.allow}>
        <Button {...button('once')} look="primary" size="small" onClick={() => void answer({ type: 'once' })}>
          {t('approval.once')}
        </Button>
        <Button {...button('conversation')} size="small" aria-describedby={id} onClick={() => void answer({ type: 'conversation' })}>
          {t('approval.conversation')}
        </Button>
      </div>
      <div id={id} className={styles.covers}>
        <span>{t('approval.covers')}</span>
        {needs.map((need) => (
          <CoveredThing key={JSON.stringify(need)} need={need} alone={needs.length === 1} />
        ))}
      </div>
      <div className={styles.deny}>
        <TextField
          label={t('approval.words')}
          placeholder={t('approval.words')}
          hideLabel
          value={words}
          maxLength={4000}
          onChange={setWords}
          onKeyDown={(event) => {
            if (event.key !== 'Escape' || words === '') return;
            event.preventDefault();
            event.stopPropagation();
            setWords('');
          }}
        />
        <Button {...button('deny')} type="submit" size="small">
          {t('approval.deny')}
        </Button>
      </div>
      {failure ? (
        <p className={styles.failure} role="alert">
          {title(failure)}
        </p>
      ) : null}
    </form>
  );
}
