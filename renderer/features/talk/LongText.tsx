// What a person sent; a prompt of many screens starts folded, and one of megabytes is never parsed.
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { copyText, openLink } from '../../state/talkActs';
import { MarkdownView } from '../../text/MarkdownView';
import { formatNumber } from '../../ui/format';
import styles from './LongText.module.css';

const foldedAbove = 4000;
const plainAbove = 100_000;

export function LongText({ text }: { text: string }) {
  const { t, i18n } = useTranslation('talk');
  const long = text.length > foldedAbove;
  const [open, setOpen] = useState(!long);
  const shown = open ? text : `${text.slice(0, foldedAbove / 2).trimEnd()} …`;
  return (
    <div className={styles.block} dir="auto">
      {shown.length > plainAbove ? (
        <PlainText text={shown} />
      ) : (
        <MarkdownView text={shown} breaks onOpenLink={openLink} onCopy={copyText} />
      )}
      {long ? (
        <button type="button" className={styles.unfold} aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? t('showLess') : t('showAll', { count: text.length, shown: formatNumber(text.length, i18n.language) })}
        </button>
      ) : null}
    </div>
  );
}

const chunkLength = 8000;

/** In pieces that the browser lays out only when they come near the view. */
function PlainText({ text }: { text: string }) {
  const chunks = useMemo(() => {
    const made: string[] = [];
    for (let from = 0; from < text.length; ) {
      const newline = text.indexOf('\n', from + chunkLength);
      const to = newline === -1 || newline > from + 2 * chunkLength ? Math.min(text.length, from + chunkLength) : newline + 1;
      made.push(text.slice(from, to));
      from = to;
    }
    return made;
  }, [text]);
  return chunks.map((chunk, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the text never changes, a piece's place is its identity
    <pre key={index} className={styles.plain}>
      {chunk}
    </pre>
  ));
}
