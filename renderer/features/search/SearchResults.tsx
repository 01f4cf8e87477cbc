// What was found in messages, grouped by conversation, under the search box: one tab stop, arrows move, Enter opens.
import { GitBranch, Tag } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { SearchHit } from '../../../shared/model/search';
import { focusSearchEvent, tellWindow } from '../../focusEvents';
import { useSettings } from '../../state/appSlice';
import { askAgain, goToHit, loadMoreHits, stopSearching, useSearchOpen, useSearchState } from '../../state/searchSlice';
import { Button } from '../../ui/Button';
import { EmptyState } from '../../ui/EmptyState';
import { ErrorState } from '../../ui/ErrorState';
import { FailureText } from '../../ui/FailureText';
import { Skeleton, useLate } from '../../ui/Skeleton';
import { FilterChips } from './FilterChips';
import styles from './SearchResults.module.css';
import { SnippetText } from './SnippetText';

export function SearchResults() {
  return useSearchOpen() ? <Results /> : null;
}

function Results() {
  const { t } = useTranslation('search');
  const { hits, status, query, filters } = useSearchState();
  const asked = query.trim() !== '' || filters.labelled === true;
  return (
    <section aria-label={t('region')} className={styles.results} aria-busy={status === 'searching'}>
      <FilterChips />
      <Standing />
      <div className={styles.scroller}>{hits.length > 0 && asked ? <Hits hits={hits} /> : <Instead asked={asked} />}</div>
    </section>
  );
}

/** How many, and how far the search and the index have come. */
function Standing() {
  const { t } = useTranslation('search');
  const { hits, status, next, indexing } = useSearchState();
  const busy = status === 'searching' || status === 'more';
  const late = useLate(busy);
  const count = hits.length === 0 ? '' : t(next !== null || busy ? 'countMore' : 'count', { count: hits.length });
  const percent = indexing ? Math.floor((100 * indexing.done) / Math.max(1, indexing.total)) : null;
  return (
    <div className={styles.standing}>
      <p role="status">{late ? `${t('searching')}…` : count}</p>
      {late ? (
        <button type="button" className={styles.clear} onClick={stopSearching}>
          {t('stop')}
        </button>
      ) : null}
      {percent === null ? null : <p className={styles.indexing}>{t('indexing', { percent })}</p>}
    </div>
  );
}

/** What stands in the place of hits when there are none. */
function Instead({ asked }: { asked: boolean }) {
  const { t } = useTranslation('search');
  const { status, failure } = useSearchState();
  if (status === 'failed' && failure) {
    return (
      <ErrorState title={t('failed')} actions={<Button onClick={() => void askAgain()}>{t('retry')}</Button>}>
        <FailureText failure={failure} />
      </ErrorState>
    );
  }
  if (!asked) return <EmptyState title={t('start.title')}>{t('start.text')}</EmptyState>;
  if (status === 'done') return <EmptyState title={t('none.title')}>{t('none.text')}</EmptyState>;
  return <Skeleton label={t('searching')} lines={[40, 88, 70, 36, 92, 64]} />;
}

type Group = { id: string; title: string; archived: boolean; hits: SearchHit[] };
/** By age a conversation's hits stand together. Ranked ones keep their order: a conversation has a heading as often as it comes up. */
function grouped(hits: readonly SearchHit[], ranked: boolean): Group[] {
  return ranked ? inOrder(hits) : byConversation(hits);
}
function inOrder(hits: readonly SearchHit[]): Group[] {
  const groups: Group[] = [];
  for (const hit of hits) {
    const last = groups.at(-1);
    const before = last?.hits.at(-1);
    if (last && before?.conversationId === hit.conversationId && before.ranked === hit.ranked) last.hits.push(hit);
    else groups.push({ id: hit.messageId, title: hit.title, archived: hit.archived, hits: [hit] });
  }
  return groups;
}
function byConversation(hits: readonly SearchHit[]): Group[] {
  const groups = new Map<string, Group>();
  for (const hit of hits) {
    const { conversationId: id, title, archived } = hit;
    const group = groups.get(id) ?? { id, title, archived, hits: [] };
    groups.set(id, group);
    group.hits.push(hit);
  }
  return [...groups.values()];
}

const hitsOf = (element: Element) => [...element.querySelectorAll<HTMLElement>('[data-hit]')];
const isFocused = (element: Element) => element === document.activeElement;

function Hits({ hits }: { hits: readonly SearchHit[] }) {
  const { t } = useTranslation('search');
  const { status, next, failure, order } = useSearchState();
  // What the index does not rank stands below what it does, and says so.
  const unranked = order === 'best' ? hits.find(({ ranked }) => !ranked)?.messageId : undefined;
  const [active, setActive] = useState<string | null>(null);
  const stop = hits.some(({ messageId }) => messageId === active) ? active : hits[0]?.messageId;
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const all = hitsOf(event.currentTarget);
    const at = all.findIndex(isFocused);
    const places: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 };
    const to = places[event.key];
    if (at < 0 || to === undefined) return;
    event.preventDefault();
    if (to < 0) tellWindow(focusSearchEvent);
    else all[Math.min(to, all.length - 1)]?.focus();
  };
  return (
    <>
      <ul className={styles.groups} onKeyDown={onKeyDown}>
        {grouped(hits, order === 'best').map((group) => (
          <li key={group.id}>
            {group.hits[0]?.messageId === unranked ? <p className={styles.unranked}>{t('order.unranked')}</p> : null}
            <h2 className={styles.group} dir="auto">
              {group.title || t('untitled')}
              {group.archived ? <span className={styles.quiet}> · {t('archived')}</span> : null}
            </h2>
            <ul className={styles.hits}>
              {group.hits.map((hit) => (
                <li key={hit.messageId}>
                  <Hit hit={hit} isTabStop={hit.messageId === stop} onFocus={() => setActive(hit.messageId)} />
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
      {failure ? <FailureText failure={failure} /> : null}
      {next !== null && status === 'done' ? (
        <div className={styles.more}>
          <Button size="small" onClick={loadMoreHits}>
            {t('more')}
          </Button>
        </div>
      ) : null}
    </>
  );
}

function Hit({ hit, isTabStop, onFocus }: { hit: SearchHit; isTabStop: boolean; onFocus(): void }) {
  const { t, i18n } = useTranslation('search');
  const agents = useSettings()?.agents ?? [];
  const agent = agents.find(({ id }) => id === hit.agentId)?.name ?? hit.agentName ?? t('agent');
  const who = hit.role === 'user' ? t('you') : hit.role === 'digest' ? t('digest') : agent;
  return (
    <button
      type="button"
      data-hit={hit.messageId}
      tabIndex={isTabStop ? 0 : -1}
      className={styles.hit}
      onFocus={onFocus}
      onClick={() => void goToHit(hit)}
    >
      <span className={styles.facts}>
        <span className={styles.who}>{who}</span>
        <time dateTime={new Date(hit.createdAt).toISOString()}>{timeOf(hit.createdAt, i18n.language)}</time>
        {hit.inReasoning ? <span>{t('inReasoning')}</span> : null}
      </span>
      <SnippetText snippet={hit.snippet} />
      {hit.onPath && hit.label === null ? null : (
        <span className={styles.facts}>
          {hit.onPath ? null : (
            <span className={styles.branch}>
              <GitBranch aria-hidden="true" />
              {t('otherBranch')}
            </span>
          )}
          {hit.label === null ? null : (
            <span className={styles.label}>
              <Tag aria-hidden="true" />
              {hit.label}
            </span>
          )}
        </span>
      )}
    </button>
  );
}

/** The time for today, the day for anything older, with its year when that is another one. */
function timeOf(at: number, language: string): string {
  const date = new Date(at);
  const now = new Date();
  if (date.toDateString() === now.toDateString()) return date.toLocaleTimeString(language, { timeStyle: 'short' });
  const year = date.getFullYear() === now.getFullYear() ? {} : { year: 'numeric' as const };
  return date.toLocaleDateString(language, { day: 'numeric', month: 'short', ...year });
}
