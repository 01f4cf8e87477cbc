// The search over all messages: what is asked, what was found, and the way to it. The newest question wins; older answers are dropped.
import { create } from 'zustand';
import type { Failure } from '../../shared/model/failure';
import type { MessageId } from '../../shared/model/ids';
import type { Indexing, SearchFilters, SearchHit, SearchOrder } from '../../shared/model/search';
import { failureOf } from '../bridge';
import { showFailure } from './appSlice';
import { client } from './client';
import { uncoverTalk } from './layoutSlice';
import { noteMove, standNow } from './leavingSlice';
import { openAt } from './talkSlice';

type SearchState = {
  /** The results stand in the sidebar: words were typed, or the search was opened by its keys. */
  open: boolean;
  query: string;
  filters: SearchFilters;
  reasoning: boolean;
  order: SearchOrder;
  /** Of the question asked last; `more`: what was found is shown, and the search goes on. */
  status: 'idle' | 'searching' | 'more' | 'done' | 'failed';
  failure: Failure | null;
  /** Stay on screen until the next question has found something or ended. */
  hits: readonly SearchHit[];
  next: number | null;
  indexing: Indexing | null;
  /** The message that was gone to last; `count` tells two goings to the same one apart. */
  found: { messageId: MessageId; count: number } | null;
};
const blank: SearchState = {
  open: false,
  query: '',
  filters: {},
  reasoning: false,
  order: 'newest',
  status: 'idle',
  failure: null,
  hits: [],
  next: null,
  indexing: null,
  found: null,
};
const useSearch = create<SearchState>(() => blank);

export const useSearchOpen = () => useSearch((state) => state.open);
export const useSearchState = () => useSearch();
export const useFound = () => useSearch((state) => state.found);

/** Hits of one page, and milliseconds between looks at an index that is being made. */
const pageSize = 30;
const lookAgain = 1_000;

let asking: AbortController | undefined;
let looking: ReturnType<typeof setTimeout> | undefined;

export function resetSearch(): void {
  asking?.abort();
  clearTimeout(looking);
  useSearch.setState(blank);
}

export function openSearch(): void {
  if (useSearch.getState().open) return;
  useSearch.setState({ open: true });
  void ask();
}
export function closeSearch(): void {
  asking?.abort();
  clearTimeout(looking);
  const { found, order } = useSearch.getState();
  useSearch.setState({ ...blank, found, order });
}
/** Follows the search box: an empty one closes the results, unless they were opened by their keys. */
export function setSearchQuery(query: string): void {
  if (query === useSearch.getState().query) return;
  if (query === '') {
    closeSearch();
    return;
  }
  useSearch.setState({ query, open: true });
  void ask();
}
export function setSearchFilters(change: Partial<SearchFilters>): void {
  useSearch.setState((state) => ({ filters: { ...state.filters, ...change } }));
  void ask();
}
export function setSearchReasoning(reasoning: boolean): void {
  useSearch.setState({ reasoning });
  void ask();
}
export function setSearchOrder(order: SearchOrder): void {
  useSearch.setState({ order });
  void ask();
}
export function clearSearchFilters(): void {
  useSearch.setState({ filters: {}, reasoning: false });
  void ask();
}
export const askAgain = () => ask();
/** The next page, below what is shown. */
export function loadMoreHits(): void {
  const { status, next } = useSearch.getState();
  if (status === 'done' && next !== null) void ask(next);
}
export function stopSearching(): void {
  asking?.abort();
  useSearch.setState({ status: 'done' });
}

/** Asks until a page is full or everything was looked through; what was found meanwhile is shown at once. */
async function ask(from: number | null = null): Promise<void> {
  asking?.abort();
  const mine = new AbortController();
  asking = mine;
  const { query, filters, reasoning, order, hits } = useSearch.getState();
  const kept = from === null ? [] : hits;
  let found: SearchHit[] = [];
  let cursor = from;
  useSearch.setState({ status: from === null ? 'searching' : 'more', failure: null });
  try {
    do {
      const request = { query, filters, reasoning, order, cursor, limit: pageSize - found.length };
      const page = await client().search.messages(request, { signal: mine.signal });
      if (mine.signal.aborted) return;
      // A ranking is made anew for each page, and may have grown.
      const known = new Set([...kept, ...found].map(({ messageId }) => messageId));
      found = [...found, ...page.hits.filter(({ messageId }) => !known.has(messageId))];
      cursor = page.next;
      const done = cursor === null || found.length >= pageSize;
      // An empty page in the middle of a search must not blank what is on screen.
      const shown = done || found.length > 0 ? { hits: [...kept, ...found] } : {};
      useSearch.setState({
        ...shown,
        next: cursor,
        indexing: page.indexing,
        status: done ? 'done' : found.length > 0 ? 'more' : 'searching',
      });
    } while (cursor !== null && found.length < pageSize);
    watchIndex();
  } catch (error) {
    if (!mine.signal.aborted) useSearch.setState({ status: 'failed', failure: failureOf(error) });
  }
}

/** While the index is being made: how far it has come, as long as the results are open. */
function watchIndex(): void {
  clearTimeout(looking);
  if (useSearch.getState().indexing === null) return;
  looking = setTimeout(async () => {
    if (!useSearch.getState().open) return;
    try {
      const { indexing } = await client().search.messages({ query: '', filters: {}, reasoning: false, cursor: null, limit: 1 });
      useSearch.setState({ indexing });
      watchIndex();
    } catch (error) {
      showFailure(error);
    }
  }, lookAgain);
}

let count = 0;
/** Opens what was found: its conversation, on its branch, at the message, which is marked for a moment. */
export async function goToHit({ conversationId, messageId }: Pick<SearchHit, 'conversationId' | 'messageId'>): Promise<boolean> {
  const before = standNow();
  try {
    const shown = await openAt(() => client().tree.show({ conversationId, messageId }));
    if (!shown) return false;
    noteMove(before, shown.view);
    uncoverTalk();
    useSearch.setState((state) => ({
      found: { messageId, count: ++count },
      // What was beside the path is now on it.
      hits: state.hits.map((hit) => (hit.messageId === messageId ? { ...hit, onPath: true } : hit)),
    }));
    return true;
  } catch (error) {
    showFailure(error);
    return false;
  }
}
