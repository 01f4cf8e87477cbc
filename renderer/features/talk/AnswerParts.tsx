// What an answer is made of: text, folded reasoning, one line for each tool call, pictures and files.
import { CircleX, Wrench } from 'lucide-react';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { assertNever } from '../../../shared/model/assertNever';
import type { Part, ToolCallPart } from '../../../shared/model/message';
import { copyText, openLink } from '../../state/talkActs';
import { MarkdownView } from '../../text/MarkdownView';
import { AttachmentTile } from '../../ui/AttachmentTile';
import { cx } from '../../ui/cx';
import styles from './Message.module.css';
import { Reasoning } from './Reasoning';

type PartsProps = { parts: readonly Part[]; live: boolean; thinkingSince?: number | undefined };

export function AnswerParts({ parts, live, thinkingSince }: PartsProps) {
  const last = parts.length - 1;
  return (
    <div className={styles.parts}>
      {parts.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts are only ever added at the end, their place is their identity
        <AnswerPart key={index} part={part} growing={live && index === last} since={thinkingSince} />
      ))}
    </div>
  );
}

const AnswerPart = memo(function AnswerPart({ part, growing, since }: { part: Part; growing: boolean; since: number | undefined }) {
  const { t } = useTranslation('talk');
  switch (part.type) {
    case 'text':
      return (
        <div dir="auto">
          <MarkdownView text={part.text} streaming={growing} onOpenLink={openLink} onCopy={copyText} />
        </div>
      );
    case 'reasoning':
      return <Reasoning text={part.text} live={growing} since={since} />;
    case 'image':
    case 'file':
      return <AttachmentTile part={part} large />;
    case 'toolCall':
      return <ToolRow part={part} />;
    case 'raw':
      return <p className={styles.note}>{t('raw', { source: part.source })}</p>;
    default:
      return assertNever(part);
  }
});

function ToolRow({ part }: { part: ToolCallPart }) {
  const { t } = useTranslation('talk');
  return (
    <div className={cx(styles.tool, part.isError && styles.toolFailed)}>
      {part.isError ? <CircleX aria-label={t('tool.failed')} /> : <Wrench aria-hidden="true" />}
      <code>{part.name}</code>
      <span dir="auto">{part.summary ?? ''}</span>
    </div>
  );
}
