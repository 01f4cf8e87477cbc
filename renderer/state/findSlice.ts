// Find in the open conversation (Mod+F): over the whole path, of which only a part is in the page; main counts, the page marks what it shows.
import { create } from 'zustand';
import type { PathMatch } from '../../shared/model/search';
import { showFailure } from './appSlice';
import { client } from './client';
import { anchored, useTalk } from './talkStore';

type FindState = {
  open: boolean;
  query: string;
  /** From the root on; grows while a long path is read. */
  matches: readonly PathMatch[];
  /** Place among all, from 0. */
  at: number;
  total: number;
  reading: boolean;
  /** Counts goings to a place, also to the same one. */
  count: number;
};
const blank: FindState = { open: false, query: '', matches: [], at: 0, total: 0, reading: false, count: 0 };
const useFind = create<FindState>(() => blank);

export const useFindState = () => useFind();
export const useFindOpen = () => useFind((state) => state.open);

let asking: AbortController | undefined;

export function openFind(): boolean {
  if (useTalk.getState().conversationId === null) return false;
  useFind.setState({ open: true });
  return true;
}
export function closeFind(): void {
  asking?.abort();
  useFind.setState(blank);
}

/** The message and the place within it of one occurrence; null when there is none. */
export function placeAt(matches: readonly PathMatch[], at: number): { match: PathMatch; nth: number } | null {
  let before = 0;
  for (const match of matches) {
    if (at < before + match.count) return { match, nth: at - before };
    before += match.count;
  }
  return null;
}

/** Asks anew; begins with the first occurrence at or below `depth`, where the person reads. */
export async function setFindQuery(query: string, depth: number): Promise<void> {
  useFind.setState({ query });
  await find(depth, true);
}
/** The path changed under the same words: the place among them stays where it was. */
export const findAgain = (depth: number) => find(depth, false);

async function find(depth: number, goes: boolean): Promise<void> {
  asking?.abort();
  const mine = new AbortController();
  asking = mine;
  const { query, open } = useFind.getState();
  const { tipId } = useTalk.getState().path;
  if (!open || query.trim() === '' || tipId === null) {
    useFind.setState({ matches: [], total: 0, at: 0, reading: false });
    return;
  }
  useFind.setState({ reading: true });
  const matches: PathMatch[] = [];
  let from: number | null = 0;
  try {
    while (from !== null) {
      const page: Awaited<ReturnType<ReturnType<typeof client>['search']['onPath']>> = await client().search.onPath(
        { tipId, query, from },
        { signal: mine.signal },
      );
      if (mine.signal.aborted) return;
      matches.push(...page.matches);
      from = page.next;
    }
    take([...matches], depth, goes);
  } catch (error) {
    if (mine.signal.aborted) return;
    useFind.setState({ reading: false });
    showFailure(error);
  }
}

function take(matches: readonly PathMatch[], depth: number, goes: boolean): void {
  const total = matches.reduce((sum, match) => sum + match.count, 0);
  const first = matches.findIndex((match) => match.depth >= depth);
  const before = matches.slice(0, Math.max(0, first)).reduce((sum, match) => sum + match.count, 0);
  const at = goes ? before : Math.min(useFind.getState().at, Math.max(0, total - 1));
  useFind.setState({ matches, total, at, reading: false });
  if (goes) go();
}

/** The next or the previous one, round the end. */
export function stepFind(by: 1 | -1): void {
  const { at, total } = useFind.getState();
  if (total === 0) return;
  useFind.setState({ at: (at + by + total) % total });
  go();
}

function go(): void {
  useFind.setState((state) => ({ count: state.count + 1 }));
}

/** Brings a message of the path into view, its top this many pixels below the top of the view. */
export function showDepth(depth: number, y: number): void {
  useTalk.setState({ anchor: anchored({ kind: 'at', depth, y }) });
}
