// What the search is narrowed to, as chips: each a choice of its own.
import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { SearchFilters } from '../../../shared/model/search';
import { useSettings } from '../../state/appSlice';
import { clearSearchFilters, setSearchFilters, setSearchOrder, setSearchReasoning, useSearchState } from '../../state/searchSlice';
import { useConversationId } from '../../state/talkSlice';
import { cx } from '../../ui/cx';
import { Menu, type MenuItem } from '../../ui/Menu';
import styles from './SearchResults.module.css';

const day = 86_400_000;
const spans = { today: 0, week: 7, month: 30, year: 365 } as const;
type Span = keyof typeof spans;

/** Midnight of today, or of the day that many days ago. */
function since(span: Span): number {
  const midnight = new Date();
  midnight.setHours(0, 0, 0, 0);
  return midnight.getTime() - spans[span] * day;
}

export function FilterChips() {
  const { t } = useTranslation('search');
  const { filters, reasoning } = useSearchState();
  const here = useConversationId();
  const any = reasoning || Object.values(filters).some((value) => value !== undefined);
  return (
    <fieldset aria-label={t('filters.label')} className={styles.chips}>
      <Who filters={filters} />
      <When />
      <Where filters={filters} />
      <Order />
      {here || filters.conversationId ? (
        <Chip
          label={t('filters.here')}
          pressed={filters.conversationId !== undefined}
          onPress={(pressed) => setSearchFilters({ conversationId: pressed && here ? here : undefined })}
        />
      ) : null}
      <Chip
        label={t('filters.labelled')}
        pressed={filters.labelled === true}
        onPress={(pressed) => setSearchFilters({ labelled: pressed || undefined })}
      />
      <Chip label={t('filters.reasoning')} pressed={reasoning} onPress={setSearchReasoning} />
      {any ? (
        <button type="button" className={styles.clear} onClick={clearSearchFilters}>
          {t('filters.clear')}
        </button>
      ) : null}
    </fieldset>
  );
}

function Chip({ label, pressed, onPress }: { label: string; pressed: boolean; onPress(pressed: boolean): void }) {
  return (
    <button type="button" aria-pressed={pressed} className={cx(styles.chip, pressed && styles.on)} onClick={() => onPress(!pressed)}>
      {label}
    </button>
  );
}

function ChoiceChip({ name, value, on, items }: { name: string; value: string; on: boolean; items: MenuItem[] }) {
  const { t } = useTranslation('ui');
  return (
    <Menu items={items}>
      <button type="button" aria-label={t('named', { name, value })} className={cx(styles.chip, on && styles.on)}>
        {value}
        <ChevronDown aria-hidden="true" />
      </button>
    </Menu>
  );
}

function Who({ filters }: { filters: SearchFilters }) {
  const { t } = useTranslation('search');
  const agents = useSettings()?.agents ?? [];
  const choose = (role: SearchFilters['role'], agentId?: SearchFilters['agentId']) => () => setSearchFilters({ role, agentId });
  const choices = [
    { id: 'anyone', label: t('filters.anyone'), role: undefined },
    { id: 'you', label: t('filters.you'), role: 'user' as const },
    { id: 'agents', label: t('filters.agents'), role: 'assistant' as const },
    { id: 'digests', label: t('filters.digests'), role: 'digest' as const },
  ];
  const items: MenuItem[] = choices.map(({ id, label, role }) => ({
    id,
    label,
    checked: filters.agentId === undefined && filters.role === role,
    onSelect: choose(role),
  }));
  if (agents.length > 0) items.push({ kind: 'line', id: 'line' });
  for (const agent of agents) {
    items.push({ id: agent.id, label: agent.name, checked: filters.agentId === agent.id, onSelect: choose(undefined, agent.id) });
  }
  const agent = agents.find(({ id }) => id === filters.agentId);
  const value = agent?.name ?? choices.find(({ role }) => role === filters.role)?.label ?? '';
  return (
    <ChoiceChip name={t('filters.who')} value={value} on={filters.role !== undefined || filters.agentId !== undefined} items={items} />
  );
}

function Order() {
  const { t } = useTranslation('search');
  const { order } = useSearchState();
  const names = { newest: t('order.newest'), best: t('order.best') };
  const items: MenuItem[] = (['newest', 'best'] as const).map((id) => ({
    id,
    label: names[id],
    checked: order === id,
    onSelect: () => setSearchOrder(id),
  }));
  return <ChoiceChip name={t('order.label')} value={names[order]} on={order !== 'newest'} items={items} />;
}

function When() {
  const { t } = useTranslation('search');
  const { filters } = useSearchState();
  const [chosen, setChosen] = useState<Span | null>(null);
  const span = filters.from === undefined ? null : chosen;
  const choose = (next: Span | null) => () => {
    setChosen(next);
    setSearchFilters({ from: next === null ? undefined : since(next) });
  };
  const names = { today: t('filters.today'), week: t('filters.week'), month: t('filters.month'), year: t('filters.year') };
  const items: MenuItem[] = [
    { id: 'any', label: t('filters.anyTime'), checked: span === null, onSelect: choose(null) },
    ...(['today', 'week', 'month', 'year'] as const).map((id) => ({ id, label: names[id], checked: span === id, onSelect: choose(id) })),
  ];
  return (
    <ChoiceChip name={t('filters.when')} value={span === null ? t('filters.anyTime') : names[span]} on={span !== null} items={items} />
  );
}

function Where({ filters }: { filters: SearchFilters }) {
  const { t } = useTranslation('search');
  const choices = [
    { id: 'any', label: t('filters.anywhere'), branch: undefined },
    { id: 'path', label: t('filters.onPath'), branch: 'path' as const },
    { id: 'other', label: t('filters.otherBranch'), branch: 'other' as const },
  ];
  const items: MenuItem[] = choices.map(({ id, label, branch }) => ({
    id,
    label,
    checked: filters.branch === branch,
    onSelect: () => setSearchFilters({ branch }),
  }));
  const value = choices.find(({ branch }) => branch === filters.branch)?.label ?? '';
  return <ChoiceChip name={t('filters.where')} value={value} on={filters.branch !== undefined} items={items} />;
}
