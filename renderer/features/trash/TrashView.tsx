// What was deleted and can be put back, newest first (T8).
import { Trash2, Undo2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { TrashEntry } from '../../../shared/model/trash';
import { useWorkspace } from '../../state/appSlice';
import {
  askToEmpty,
  closeTrash,
  loadTrash,
  restoreEntry,
  useEmptying,
  useTrashActFailure,
  useTrashEntries,
  useTrashFailure,
  useTrashOpen,
} from '../../state/trashSlice';
import { Button } from '../../ui/Button';
import { Dialog } from '../../ui/Dialog';
import { EmptyState } from '../../ui/EmptyState';
import { FailureText } from '../../ui/FailureText';
import { IconButton } from '../../ui/IconButton';
import { Skeleton } from '../../ui/Skeleton';
import { EmptyDialog } from './EmptyDialog';
import { EmptyingRow } from './EmptyingRow';
import styles from './Trash.module.css';

export function TrashView() {
  const { t } = useTranslation('trash');
  const open = useTrashOpen();
  const entries = useTrashEntries();
  const failure = useTrashFailure();
  const actFailure = useTrashActFailure();
  const busy = useEmptying() !== null;
  const writable = useWorkspace()?.status !== 'readOnly';
  if (!open) return null;
  return (
    <Dialog
      title={t('title')}
      closeLabel={t('close')}
      onClose={closeTrash}
      footer={
        writable && entries && entries.length > 0 ? (
          <Button look="danger" disabled={busy} onClick={() => askToEmpty(null)}>
            {t('good.all')}
          </Button>
        ) : null
      }
    >
      <EmptyingRow />
      {actFailure ? <FailureText failure={actFailure} /> : null}
      <EmptyDialog />
      {failure ? (
        <FailureText failure={failure}>
          <Button size="small" onClick={() => void loadTrash()}>
            {t('retry')}
          </Button>
        </FailureText>
      ) : null}
      {entries === null && !failure ? <Skeleton label={t('loading')} /> : null}
      {entries?.length === 0 ? (
        <EmptyState icon={<Trash2 aria-hidden="true" />} title={t('empty.title')}>
          {t('empty.text')}
        </EmptyState>
      ) : null}
      {entries && entries.length > 0 ? (
        <ul className={styles.list} aria-label={t('list')}>
          {entries.map((entry) => (
            <Entry key={entry.id} entry={entry} />
          ))}
        </ul>
      ) : null}
    </Dialog>
  );
}

function Entry({ entry }: { entry: TrashEntry }) {
  const { t, i18n } = useTranslation('trash');
  const writable = useWorkspace()?.status !== 'readOnly';
  const busy = useEmptying() !== null;
  const when = new Intl.DateTimeFormat(i18n.language, { dateStyle: 'medium', timeStyle: 'short' });
  const name = entry.messageId === null ? entry.title || t('untitled') : entry.text || t('noText');
  const facts = [
    t('count.messages', { count: entry.messages }),
    entry.messageId === null ? t('whole') : t('from', { title: entry.title || t('untitled') }),
    when.format(entry.deletedAt),
  ];
  return (
    <li className={styles.entry}>
      <div className={styles.words}>
        <p className={styles.name} dir="auto">
          {name}
        </p>
        <p className={styles.quiet}>{facts.join(' · ')}</p>
        {entry.emptying ? (
          <p className={styles.quiet}>{t('halfGone')}</p>
        ) : entry.blocked ? (
          <p className={styles.quiet}>{t('blocked')}</p>
        ) : null}
      </div>
      {writable ? (
        <Button
          size="small"
          icon={<Undo2 aria-hidden="true" />}
          disabled={entry.blocked || entry.emptying}
          aria-label={t('restoreNamed', { name })}
          onClick={() => void restoreEntry(entry.id)}
        >
          {t('restore')}
        </Button>
      ) : null}
      {writable ? (
        <IconButton
          label={t('good.named', { name })}
          tooltip={t('good.button')}
          size="small"
          disabled={busy}
          onClick={() => askToEmpty(entry.id)}
        >
          <Trash2 aria-hidden="true" />
        </IconButton>
      ) : null}
    </li>
  );
}
