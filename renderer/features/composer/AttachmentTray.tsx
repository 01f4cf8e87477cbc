// The files that go with the draft: added ones, ones being read, and refused ones with the reason.
import { CircleAlert, FileClock, X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { BlobHash } from '../../../shared/model/ids';
import { type PendingFile, useDraftAttachments, usePastedFiles, usePendingFiles } from '../../state/composerSlice';
import { dismissPending, removeAttachment } from '../../state/draftFiles';
import { AttachmentTile } from '../../ui/AttachmentTile';
import { useFailureTitle } from '../../ui/FailureText';
import { formatBytes } from '../../ui/format';
import { IconButton } from '../../ui/IconButton';
import styles from './AttachmentTray.module.css';

export function AttachmentTray({ onPasteAsText }: { onPasteAsText(hash: BlobHash): void }) {
  const { t } = useTranslation('composer');
  const attachments = useDraftAttachments();
  const pending = usePendingFiles();
  const pasted = usePastedFiles();
  if (attachments.length === 0 && pending.length === 0) return null;
  return (
    <ul className={styles.tray} aria-label={t('files')}>
      {attachments.map((part) => (
        <li key={part.hash}>
          <AttachmentTile
            part={part}
            onRemove={() => removeAttachment(part.hash)}
            action={pasted.has(part.hash) ? { label: t('pasteAsText'), onSelect: () => onPasteAsText(part.hash) } : undefined}
          />
        </li>
      ))}
      {pending.map((file) => (
        <li key={file.key}>{file.failure ? <Refused file={file} failure={file.failure} /> : <Reading file={file} />}</li>
      ))}
    </ul>
  );
}

function Reading({ file }: { file: PendingFile }) {
  const { t, i18n } = useTranslation('composer');
  const size = file.size === null ? '' : ` · ${formatBytes(file.size, i18n.language)}`;
  return (
    <div className={styles.file} role="status" aria-label={t('reading', { name: file.name })}>
      <FileClock aria-hidden="true" className={styles.fileIcon} />
      <span className={styles.fileWords}>
        <span className={styles.fileName} dir="auto">
          {file.name}
        </span>
        <span className={styles.fileFacts}>
          {t('readingShort')}
          {size}
        </span>
        <span className={styles.progress} aria-hidden="true" />
      </span>
    </div>
  );
}

function Refused({ file, failure }: { file: PendingFile; failure: NonNullable<PendingFile['failure']> }) {
  const { t } = useTranslation('composer');
  const title = useFailureTitle();
  return (
    <div className={styles.refused} role="alert">
      <CircleAlert aria-hidden="true" className={styles.fileIcon} />
      <span className={styles.fileWords}>
        <span className={styles.fileName} dir="auto">
          {t('refused', { name: file.name })}
        </span>
        <span className={styles.fileFacts}>{title(failure)}</span>
      </span>
      <IconButton label={t('dismissFile', { name: file.name })} size="small" onClick={() => dismissPending(file.key)}>
        <X aria-hidden="true" />
      </IconButton>
    </div>
  );
}
