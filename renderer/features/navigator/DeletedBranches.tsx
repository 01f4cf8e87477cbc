// What was deleted from this conversation, in the place of its tree, and the way back (U5, T8).
import { Trash2, Undo2 } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { TrashEntry } from '../../../shared/model/trash';
import { useWorkspace } from '../../state/appSlice';
import { setOutlineFilter } from '../../state/outlineSlice';
import { useConversationId } from '../../state/talkSlice';
import { loadTrash, restoreEntry, useTrashActFailure, useTrashEntries, useTrashFailure, watchTrash } from '../../state/trashSlice';
import { Button } from '../../ui/Button';
import { EmptyState } from '../../ui/EmptyState';
import { FailureText } from '../../ui/FailureText';
import { Skeleton } from '../../ui/Skeleton';
import styles from './DeletedBranches.module.css';

export function DeletedBranches() {
  const { t } = useTranslation('trash');
  const conversationId = useConversationId();
  const failure = useTrashFailure();
  const actFailure = useTrashActFailure();
  const list = useRef<HTMLUListElement>(null);
  const entries = useTrashEntries()?.filter((entry) => entry.conversationId === conversationId && entry.messageId !== null);
  useEffect(watchTrash, []);
  if (failure)
    return (
      <FailureText failure={failure}>
        <Button size="small" onClick={() => void loadTrash()}>
          {t('retry')}
        </Button>
      </FailureText>
    );
  if (!entries) return <Skeleton label={t('loading')} lines={[70, 52, 64]} />;
  if (entries.length === 0)
    return (
      <EmptyState
        icon={<Trash2 aria-hidden="true" />}
        title={t('branches.none')}
        action={<Button onClick={() => setOutlineFilter('all')}>{t('branches.all')}</Button>}
      >
        {t('branches.text')}
      </EmptyState>
    );
  const restore = async (entry: TrashEntry) => {
    await restoreEntry(entry.id);
    // Its button is gone with it.
    if (document.activeElement === document.body) list.current?.focus();
  };
  return (
    <div className={styles.scroller}>
      {actFailure ? <FailureText failure={actFailure} /> : null}
      <ul ref={list} tabIndex={-1} aria-label={t('branches.filter')} className={styles.list}>
        {entries.map((entry) => (
          <Deleted key={entry.id} entry={entry} onRestore={() => void restore(entry)} />
        ))}
      </ul>
    </div>
  );
}

function Deleted({ entry, onRestore }: { entry: TrashEntry; onRestore(): void }) {
  const { t, i18n } = useTranslation('trash');
  const writable = useWorkspace()?.status !== 'readOnly';
  const when = new Intl.DateTimeFormat(i18n.language, { dateStyle: 'medium', timeStyle: 'short' }).format(entry.deletedAt);
  const name = entry.text || t('noText');
  const why = entry.emptying ? t('halfGone') : entry.blocked ? t('blocked') : null;
  return (
    <li className={styles.row}>
      <div className={styles.words}>
        <p className={styles.name} dir="auto">
          {name}
        </p>
        <p className={styles.facts}>{[t('count.messages', { count: entry.messages }), when].join(' · ')}</p>
        {why ? <p className={styles.facts}>{why}</p> : null}
      </div>
      {writable ? (
        <Button
          size="small"
          icon={<Undo2 aria-hidden="true" />}
          disabled={why !== null}
          aria-label={t('restoreNamed', { name })}
          onClick={onRestore}
        >
          {t('restore')}
        </Button>
      ) : null}
    </li>
  );
}
