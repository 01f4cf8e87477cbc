// A picture or a file that goes with a message: a thumbnail or a chip with its name and size.
import { FileText, X } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Attachment } from '../../shared/model/draft';
import styles from './AttachmentTile.module.css';
import { formatBytes, formatNumber } from './format';
import { IconButton } from './IconButton';

/** Where the window reads a blob's bytes from. */
export function blobUrl(part: Pick<Attachment, 'hash' | 'mime'>): string {
  return `app://bough/blob/${part.hash}?mime=${encodeURIComponent(part.mime)}`;
}

type AttachmentTileProps = {
  part: Attachment;
  /** Shows a remove button. */
  onRemove?: (() => void) | undefined;
  /** One more act on the file, as words on a button. */
  action?: { label: string; onSelect(): void } | undefined;
  /** The thumbnail as large as a message has room for. */
  large?: boolean | undefined;
};

export function AttachmentTile({ part, onRemove, action, large = false }: AttachmentTileProps) {
  const { t } = useTranslation('talk');
  const [gone, setGone] = useState(false);
  const remove = onRemove ? (
    <IconButton label={t('attachment.remove', { name: part.name })} size="small" className={styles.remove} onClick={onRemove}>
      <X aria-hidden="true" />
    </IconButton>
  ) : null;
  if (part.type === 'image' && !gone) {
    // The space is kept before the picture is there: nothing moves when it arrives.
    const ratio = part.width && part.height ? { aspectRatio: `${part.width} / ${part.height}` } : {};
    return (
      <figure className={large ? styles.picture : styles.thumbnail}>
        <img
          src={blobUrl(part)}
          alt={part.name}
          style={large ? ratio : {}}
          width={part.width}
          height={part.height}
          draggable={false}
          onError={() => setGone(true)}
        />
        {remove}
      </figure>
    );
  }
  return (
    <div className={styles.chip}>
      <FileText aria-hidden="true" className={styles.icon} />
      <span className={styles.words}>
        <span className={styles.name} dir="auto" data-tooltip={part.name.length > 28 ? part.name : undefined}>
          {part.name}
        </span>
        <Details part={part} gone={gone} />
      </span>
      {action ? (
        <button type="button" className={styles.action} onClick={action.onSelect}>
          {action.label}
        </button>
      ) : null}
      {remove}
    </div>
  );
}

function Details({ part, gone }: { part: Attachment; gone: boolean }) {
  const { t, i18n } = useTranslation('talk');
  const facts = [formatBytes(part.size, i18n.language)];
  if (gone) facts.push(t('attachment.pictureGone'));
  if (part.type === 'file' && part.pages) facts.push(t('attachment.pages', { count: part.pages }));
  if (part.type === 'file' && part.textLength)
    facts.push(t('attachment.characters', { count: part.textLength, shown: formatNumber(part.textLength, i18n.language) }));
  return <span className={styles.facts}>{facts.join(' · ')}</span>;
}
