// Where a forked conversation comes from, beside its title, and the way there (T9).
import { GitFork } from 'lucide-react';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { loadForks, useForkKnown } from '../../state/forkSlice';
import { openConversation, useConversationId, useOpenConversation } from '../../state/talkSlice';
import styles from './Fork.module.css';

export function ForkOrigin() {
  const { t } = useTranslation('fork');
  const id = useConversationId();
  const open = useOpenConversation();
  const known = useForkKnown(id);
  const isThere = open !== null && open.id === id;
  useEffect(() => {
    if (id && isThere) void loadForks(id);
  }, [id, isThere]);
  if (!isThere || !open.forkedFrom || !known) return null;
  const { source } = known;
  const words = (
    <>
      <GitFork aria-hidden="true" />
      <span>{source ? t('from', { title: source.title || t('untitled') }) : t('fromGone')}</span>
    </>
  );
  if (!source) return <span className={styles.origin}>{words}</span>;
  return (
    <button type="button" className={styles.origin} data-tooltip={t('open')} onClick={() => void openConversation(source.id)}>
      {words}
    </button>
  );
}
