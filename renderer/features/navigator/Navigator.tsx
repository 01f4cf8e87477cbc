// The navigator (U5): the whole tree of the open conversation as an outline, with its search and filters.
import { ListFilter, Search, Split, X } from 'lucide-react';
import { type ReactNode, useCallback, useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AgentId } from '../../../shared/model/ids';
import { type OutlineFilter, outlineRows } from '../../../shared/tree/outlineRows';
import { useSettings } from '../../state/appSlice';
import { loadOutline, searchOutline, setOutlineFilter, useOutlineState } from '../../state/outlineSlice';
import { useAgentNames, useAnchor, useConversationId } from '../../state/talkSlice';
import { Button } from '../../ui/Button';
import { cx } from '../../ui/cx';
import { EmptyState } from '../../ui/EmptyState';
import { ErrorState } from '../../ui/ErrorState';
import { FailureText } from '../../ui/FailureText';
import { IconButton } from '../../ui/IconButton';
import { Menu, type MenuItem } from '../../ui/Menu';
import { Skeleton } from '../../ui/Skeleton';
import styles from './Navigator.module.css';
import { NavigatorTree } from './NavigatorTree';
import type { Words } from './rowWords';

export function Navigator() {
  const conversationId = useConversationId();
  // Every view of the talk brings a new one: the tip moved, a step ended, a label was set.
  const { count } = useAnchor();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the count only says when to read again
  useEffect(() => void loadOutline(conversationId), [conversationId, count]);
  const { outline, failure } = useOutlineState();
  if (failure && !outline) return <Failed />;
  if (!conversationId || (outline && outline.messages === 0)) return <Empty />;
  return (
    <div className={styles.navigator}>
      <Tools />
      <Rows />
    </div>
  );
}

function Failed() {
  const { t } = useTranslation('navigator');
  const { failure, conversationId } = useOutlineState();
  return (
    <ErrorState title={t('failed.title')} actions={<Button onClick={() => void loadOutline(conversationId)}>{t('failed.retry')}</Button>}>
      {failure ? <FailureText hideTitle failure={failure} /> : null}
    </ErrorState>
  );
}

function Empty() {
  const { t } = useTranslation('navigator');
  return (
    <EmptyState icon={<Split aria-hidden="true" />} title={t('empty.title')}>
      {t('empty.text')}
    </EmptyState>
  );
}

const filters: readonly OutlineFilter[] = ['all', 'prompts', 'branchPoints', 'labelled'];

function Tools() {
  const { t } = useTranslation('navigator');
  const { query, filter } = useOutlineState();
  const items = filters.map(
    (each): MenuItem => ({
      id: each,
      label: t(`filters.${each}`),
      checked: each === filter,
      onSelect: () => setOutlineFilter(each),
    }),
  );
  return (
    <div className={styles.tools}>
      <div className={styles.search}>
        <Search aria-hidden="true" />
        <input
          type="search"
          aria-label={t('search')}
          placeholder={t('search')}
          autoComplete="off"
          spellCheck={false}
          dir="auto"
          maxLength={500}
          value={query}
          onChange={(event) => searchOutline(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Escape' || !query || event.nativeEvent.isComposing) return;
            event.preventDefault();
            searchOutline('');
          }}
        />
        {query ? (
          <IconButton label={t('clear')} size="small" onClick={() => searchOutline('')}>
            <X aria-hidden="true" />
          </IconButton>
        ) : null}
      </div>
      <Menu items={items} align="end">
        <IconButton
          label={filter === 'all' ? t('filter') : `${t('filter')}: ${t(`filters.${filter}`)}`}
          className={cx(filter !== 'all' && styles.filtered)}
        >
          <ListFilter aria-hidden="true" />
        </IconButton>
      </Menu>
    </div>
  );
}

function useWords(): Words {
  const { t, i18n } = useTranslation('navigator');
  const agents = useSettings()?.agents;
  const names = useAgentNames();
  const agentName = useCallback(
    (id: AgentId | undefined) => (id ? (agents?.find((agent) => agent.id === id)?.name ?? names[id] ?? id) : t('someone')),
    [agents, names, t],
  );
  return useMemo(() => ({ t, language: i18n.language, agentName }), [t, i18n.language, agentName]);
}

function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 60_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}

function Rows(): ReactNode {
  const { t } = useTranslation('navigator');
  const { outline, open, extra, filter, query, hits } = useOutlineState();
  const words = useWords();
  const now = useNow();
  const rows = useMemo(() => (outline ? outlineRows(outline, { open, extra, filter, hits }) : null), [outline, open, extra, filter, hits]);
  if (!rows) return <Skeleton label={t('loading')} lines={[82, 34, 64, 72, 48]} />;
  if (rows.length > 0) return <NavigatorTree rows={rows} words={words} now={now} />;
  if (query.trim() !== '')
    return (
      <EmptyState title={t('noMatch.title')} action={<Button onClick={() => searchOutline('')}>{t('noMatch.clear')}</Button>}>
        {t('noMatch.text')}
      </EmptyState>
    );
  return (
    <EmptyState title={t('noLabels.title')} action={<Button onClick={() => setOutlineFilter('all')}>{t('noLabels.all')}</Button>}>
      {t('noLabels.text')}
    </EmptyState>
  );
}
