// The navigator (U5): the whole tree of the open conversation as an outline or a map, with its search and filters.
import { ListFilter, Search, Split, X } from 'lucide-react';
import { type ReactNode, useCallback, useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { nameOfModel } from '../../../shared/model/agent';
import type { AgentId } from '../../../shared/model/ids';
import type { Outline } from '../../../shared/model/outline';
import { outlineMap } from '../../../shared/tree/outlineMap';
import { type OutlineFilter, outlineRows } from '../../../shared/tree/outlineRows';
import { useSettings } from '../../state/appSlice';
import { useNavigatorView } from '../../state/layoutSlice';
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
import { DeletedBranches } from './DeletedBranches';
import { MapTree } from './map/MapTree';
import styles from './Navigator.module.css';
import { NavigatorTree } from './NavigatorTree';
import type { Words } from './rowWords';
import { useRemembered } from './useRemembered';
import { ViewSwitch } from './ViewSwitch';

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
      <Tree />
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

const filters = ['all', 'prompts', 'branchPoints', 'labelled', 'memory'] as const satisfies OutlineFilter[];

function Tools() {
  const { t } = useTranslation('navigator');
  const { query, filter } = useOutlineState();
  const view = useNavigatorView();
  const nameOf = (each: OutlineFilter) => (each === 'trash' ? t('trash:branches.filter') : t(`filters.${each}`));
  const choice = (each: OutlineFilter): MenuItem => ({
    id: each,
    label: nameOf(each),
    checked: each === filter,
    onSelect: () => setOutlineFilter(each),
  });
  const items: MenuItem[] = [...filters.map(choice), { kind: 'line', id: 'line' }, choice('trash')];
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
      {view === 'map' ? null : (
        <Menu items={items} align="end">
          <IconButton
            label={filter === 'all' ? t('filter') : t('ui:named', { name: t('filter'), value: nameOf(filter) })}
            className={cx(filter !== 'all' && styles.filtered)}
          >
            <ListFilter aria-hidden="true" />
          </IconButton>
        </Menu>
      )}
      <ViewSwitch />
    </div>
  );
}

function useWords(): Words {
  const { t, i18n } = useTranslation('navigator');
  const agents = useSettings()?.agents;
  const names = useAgentNames();
  const agentName = useCallback(
    (id: AgentId | undefined, model: string | undefined) =>
      id ? (agents?.find((agent) => agent.id === id)?.name ?? names[id] ?? id) : (nameOfModel(model) ?? t('someone')),
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

function Tree(): ReactNode {
  const { outline, query, hits, filter } = useOutlineState();
  const { t } = useTranslation('navigator');
  const words = useWords();
  const view = useNavigatorView();
  if (!outline) return <Skeleton label={t('loading')} lines={[82, 34, 64, 72, 48]} />;
  if (query.trim() !== '' && hits?.size === 0) return <NoMatch />;
  if (view === 'outline' && filter === 'trash' && query.trim() === '') return <DeletedBranches />;
  return view === 'map' ? <Drawn outline={outline} words={words} /> : <Rows outline={outline} words={words} />;
}

function NoMatch() {
  const { t } = useTranslation('navigator');
  return (
    <EmptyState title={t('noMatch.title')} action={<Button onClick={() => searchOutline('')}>{t('noMatch.clear')}</Button>}>
      {t('noMatch.text')}
    </EmptyState>
  );
}

type TreeProps = { outline: Outline; words: Words };

function Drawn({ outline, words }: TreeProps) {
  const { hits, conversationId } = useOutlineState();
  const map = useMemo(() => outlineMap(outline, hits), [outline, hits]);
  const found = useMemo(() => hits && new Set([...hits.values()].flat().map(({ id }): string => id)), [hits]);
  return <MapTree key={conversationId} map={map} conversationId={conversationId} found={found} words={words} />;
}

function Rows({ outline, words }: TreeProps) {
  const { t } = useTranslation('navigator');
  const { open, extra, filter, hits } = useOutlineState();
  const now = useNow();
  const byMemory = filter === 'memory' && hits === null;
  const remembered = useRemembered(outline, byMemory);
  const rows = useMemo(() => {
    const choice = { open, extra, filter, hits };
    if (!byMemory) return outlineRows(outline, choice);
    return remembered && outlineRows(remembered.outline, { ...choice, hits: remembered.hits });
  }, [outline, open, extra, filter, hits, byMemory, remembered]);
  if (rows === null) return <Skeleton label={t('loading')} lines={[70, 52]} />;
  if (rows.length > 0) return <NavigatorTree rows={rows} words={words} now={now} />;
  return (
    <EmptyState
      title={byMemory ? t('noMemory.title') : t('noLabels.title')}
      action={<Button onClick={() => setOutlineFilter('all')}>{t('noLabels.all')}</Button>}
    >
      {byMemory ? t('noMemory.text') : t('noLabels.text')}
    </EmptyState>
  );
}
