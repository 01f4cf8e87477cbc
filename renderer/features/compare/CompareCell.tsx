// One message on one side.
import { Wrench } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { SideName } from '../../../shared/model/comparison';
import { textOf } from '../../../shared/model/message';
import type { MessageView } from '../../../shared/model/talkView';
import { copyText, openLink } from '../../state/talkActs';
import type { Difference } from '../../text/difference';
import { MarkdownView } from '../../text/MarkdownView';
import { AttachmentTile } from '../../ui/AttachmentTile';
import { cx } from '../../ui/cx';
import styles from './CompareCell.module.css';
import type { AnswerView } from './findStep';
import { MarkedText } from './MarkedText';
import { SideBadge } from './SideBadge';
import { useWhoWrote } from './words';

export type RowState = 'waiting' | 'alone' | 'same' | 'differs';
type CellProps = {
  side: SideName;
  message: MessageView | null;
  state: RowState;
  difference: Difference | null;
  view: AnswerView;
  at: number | null;
};

export function CompareCell({ side, message, state, difference, view, at }: CellProps) {
  const { t } = useTranslation('compare');
  const whoWrote = useWhoWrote();
  if (!message) return <div className={styles.cell} aria-hidden="true" />;
  const who = whoWrote(message);
  const asShown = message.role === 'assistant' && view === 'asShown';
  return (
    <article className={cx(styles.cell, message.role === 'user' && styles.prompt)} aria-label={t('in', { who, side: t(`side.${side}`) })}>
      <header className={styles.cellHead}>
        <span className={styles.badgeOfCell}>
          <SideBadge side={side} />
        </span>
        <span className={styles.who} dir="auto">
          {who}
        </span>
        {message.edited ? <span className={styles.note}>{t('edited')}</span> : null}
        {message.status === 'interrupted' ? <span className={styles.amber}>{t('interrupted')}</span> : null}
        {state === 'same' ? <span className={styles.note}>{t('same')}</span> : null}
        {state === 'differs' && asShown ? <span className={styles.amber}>{t('differs')}</span> : null}
      </header>
      <Attachments message={message} />
      <Words side={side} message={message} difference={difference} asShown={asShown} at={at} />
      <Calls message={message} />
    </article>
  );
}

type WordsProps = { side: SideName; message: MessageView; difference: Difference | null; asShown: boolean; at: number | null };

function Words({ side, message, difference, asShown, at }: WordsProps) {
  const { t } = useTranslation('compare');
  const text = textOf(message);
  if (text === '') return message.parts.length === 0 ? <p className={styles.note}>{t('empty')}</p> : null;
  if (asShown) {
    return (
      <div dir="auto" className={styles.shown}>
        <MarkdownView text={text} onOpenLink={openLink} onCopy={copyText} />
      </div>
    );
  }
  return (
    <>
      {difference === 'tooLong' ? <p className={styles.note}>{t('tooLong')}</p> : null}
      {difference !== 'tooLong' && difference?.unit === 'lines' ? <p className={styles.note}>{t('byLines')}</p> : null}
      <MarkedText side={side} text={text} difference={difference} at={at} />
    </>
  );
}

function Attachments({ message }: { message: MessageView }) {
  const parts = message.parts.flatMap((part) => (part.type === 'image' || part.type === 'file' ? [part] : []));
  if (parts.length === 0) return null;
  return (
    <div className={styles.attachments}>
      {parts.map((part, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts never change, their place is their identity
        <AttachmentTile key={place} part={part} />
      ))}
    </div>
  );
}

/** Tools are named with what came of them; their details are in the talk. */
function Calls({ message }: { message: MessageView }) {
  const { t } = useTranslation('compare');
  const calls = message.parts.flatMap((part) => (part.type === 'toolCall' ? [part] : []));
  if (calls.length === 0) return null;
  return (
    <ul className={styles.calls}>
      {calls.map(({ callId, name, summary }) => (
        <li key={callId} dir="auto">
          <Wrench aria-hidden="true" />
          <span>{summary ? t('call', { name, summary }) : name}</span>
        </li>
      ))}
    </ul>
  );
}
