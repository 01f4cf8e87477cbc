// A card line by line; each line leads to the messages it speaks of (M7).
import { CornerLeftUp } from 'lucide-react';
import { memo, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AgentId, ConversationId, MessageId, RecordId } from '../../../shared/model/ids';
import { uncoverTalk } from '../../state/layoutSlice';
import { sourcesOf } from '../../state/memorySlice';
import { copyText, goToOrigin, openLink } from '../../state/talkActs';
import { MarkdownView } from '../../text/MarkdownView';
import { IconButton } from '../../ui/IconButton';
import { type CardLine, cardLines } from './cardLines';
import styles from './Memory.module.css';
import { useLineKeys } from './useLineKeys';

export type CardTextProps = {
  place: { conversationId: ConversationId; agentId: AgentId };
  recordId: RecordId;
  text: string;
};

export function CardText({ place, recordId, text }: CardTextProps) {
  const { t } = useTranslation('memory');
  const lines = useMemo(() => numbered(cardLines(text)), [text]);
  const find = (line: string) => sourcesOf(place, recordId, line);
  const { stop, ...keys } = useLineKeys(lines.filter(({ kind }) => kind === 'item').length);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset groups inputs, this groups the lines of a text
    <div role="group" aria-label={t('cardLines')} className={styles.card} dir="auto" {...keys}>
      {lines.map((line, at) => {
        if (line.kind === 'item') {
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a text have no other identity
          return <Line key={at} text={line.text} isTabStop={line.nth === stop} find={find} />;
        }
        const Heading = line.level === 2 ? 'h3' : 'h4';
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a text have no other identity
        return <Heading key={at}>{line.text}</Heading>;
      })}
    </div>
  );
}

/** Headings lead nowhere: `nth` counts the others. */
function numbered(lines: readonly CardLine[]): (CardLine & { nth: number })[] {
  let items = 0;
  return lines.map((line) => ({ ...line, nth: line.kind === 'item' ? items++ : -1 }));
}

const go = (messageId: MessageId) => {
  uncoverTalk();
  void goToOrigin(messageId);
};

/** Words of a line that name it. */
const nameLength = 60;

const Line = memo(
  function Line({ text, isTabStop, find }: { text: string; isTabStop: boolean; find(line: string): Promise<MessageId[] | null> }) {
    const { t } = useTranslation('memory');
    const [found, setFound] = useState<readonly MessageId[] | null>(null);
    const plain = text.replace(/^(?:[-*+]|\d+[.)])\s+/, '').trim();
    const name = plain.length > nameLength ? `${plain.slice(0, nameLength).trimEnd()}…` : plain;
    const look = async () => {
      const ids = await find(text);
      setFound(ids);
      const [only] = ids ?? [];
      if (only) go(only);
    };
    return (
      <div className={styles.line} data-line>
        <div className={styles.lineText}>
          <MarkdownView text={text} onOpenLink={openLink} onCopy={copyText} />
        </div>
        <IconButton
          label={t('sourcesOf', { line: name })}
          size="small"
          className={styles.find}
          tabIndex={isTabStop ? 0 : -1}
          data-find
          onClick={() => void look()}
        >
          <CornerLeftUp aria-hidden="true" />
        </IconButton>
        <Found ids={found} />
      </div>
    );
  },
  (before, after) => before.text === after.text && before.isTabStop === after.isTabStop,
);

function Found({ ids }: { ids: readonly MessageId[] | null }) {
  const { t } = useTranslation('memory');
  if (!ids) return null;
  if (ids.length === 0)
    return (
      <p className={styles.found} role="status">
        {t('noSource')}
      </p>
    );
  return (
    <ul className={styles.found} aria-label={t('sources')}>
      {ids.map((id, at) => (
        <li key={id}>
          <button
            type="button"
            tabIndex={-1}
            data-source
            aria-label={t('source', { at: at + 1, count: ids.length })}
            onClick={() => go(id)}
          >
            {t('sourceShort', { at: at + 1 })}
          </button>
        </li>
      ))}
    </ul>
  );
}
