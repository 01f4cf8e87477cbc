// What was attached to messages of the open conversation.
import { File, FileText, Image } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { formatBytes } from '../../ui/format';
import styles from './Files.module.css';
import type { ListedFile } from './filesOf';

function iconOf(part: ListedFile['part']) {
  if (part.type === 'image') return Image;
  return part.mime === 'application/pdf' ? File : FileText;
}

export function AttachedFiles({ files, onGo }: { files: readonly ListedFile[]; onGo: (depth: number) => void }) {
  const { t, i18n } = useTranslation('app');
  return (
    <section className={styles.group}>
      <h2 className={styles.heading}>{t('files.attached')}</h2>
      <ul aria-label={t('files.list')} className={styles.list}>
        {files.map(({ key, depth, part }) => {
          const Icon = iconOf(part);
          return (
            <li key={key}>
              <button type="button" className={styles.file} aria-label={t('files.jump', { name: part.name })} onClick={() => onGo(depth)}>
                <Icon aria-hidden="true" />
                <span className={styles.name} dir="auto" data-tooltip={part.name} data-tooltip-truncated>
                  {part.name}
                </span>
                <span className={styles.size}>{formatBytes(part.size, i18n.language)}</span>
              </button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
