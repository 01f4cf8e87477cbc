// What was attached in the open conversation; each leads to its message.
import { File, FileText, Image } from 'lucide-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { uncoverTalk } from '../../state/layoutSlice';
import { openConversation, useConversationId, useLoadedPath } from '../../state/talkSlice';
import { EmptyState } from '../../ui/EmptyState';
import { formatBytes } from '../../ui/format';
import styles from './Files.module.css';
import { filesOf, type ListedFile } from './filesOf';

function iconOf(part: ListedFile['part']) {
  if (part.type === 'image') return Image;
  return part.mime === 'application/pdf' ? File : FileText;
}

export function Files() {
  const { t, i18n } = useTranslation('app');
  const path = useLoadedPath();
  const conversationId = useConversationId();
  const files = useMemo(() => filesOf(path), [path]);
  if (files.length === 0) {
    return (
      <EmptyState icon={<FileText aria-hidden="true" />} title={t('files.emptyTitle')}>
        {t('files.empty')}
      </EmptyState>
    );
  }
  const go = (depth: number) => {
    uncoverTalk();
    if (conversationId) void openConversation(conversationId, depth);
  };
  return (
    <ul aria-label={t('files.list')} className={styles.list}>
      {files.map(({ key, depth, part }) => {
        const Icon = iconOf(part);
        return (
          <li key={key}>
            <button type="button" className={styles.file} aria-label={t('files.jump', { name: part.name })} onClick={() => go(depth)}>
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
  );
}
