// The tree of the open conversation as the navigator has it: read anew whenever a view of the talk came, at most once a frame and one at a time.
import { create } from 'zustand';
import type { Failure } from '../../shared/model/failure';
import type { ConversationId, MessageId } from '../../shared/model/ids';
import type { Outline, OutlinePreview, OutlineTurn } from '../../shared/model/outline';
import type { OutlineFilter } from '../../shared/tree/outlineRows';
import { failureOf } from '../bridge';
import { showFailure } from './appSlice';
import { client } from './client';
import { uncoverTalk } from './layoutSlice';
import { noteMove, standNow } from './leavingSlice';
import { byRun, type Hits } from './outlineHits';
import { openConversation, showView } from './talkSlice';
import { talkState } from './talkStore';

type OutlineState = {
  conversationId: ConversationId | null;
  outline: Outline | null;
  failure: Failure | null;
  open: ReadonlySet<string>;
  extra: ReadonlyMap<string, readonly OutlineTurn[]>;
  filter: OutlineFilter;
  query: string;
  /** Null while nothing is searched for, or before the first answer. */
  hits: Hits | null;
  /** The tree is to take the focus, once it is there. */
  wantsFocus: boolean;
};
const blank: Omit<OutlineState, 'filter' | 'wantsFocus'> = {
  conversationId: null,
  outline: null,
  failure: null,
  open: new Set(),
  extra: new Map(),
  query: '',
  hits: null,
};
const useStore = create<OutlineState>(() => ({ ...blank, filter: 'all', wantsFocus: false }));
export const useOutlineState = () => useStore();
/** Ends of paths; null before it is known. */
export const useBranchCount = () => useStore(({ outline }) => (outline ? countEnds(outline) : null));

function countEnds({ runs }: Outline): number {
  const inner = new Set(runs.map((run) => run.parent));
  return runs.filter((_, at) => !inner.has(at)).length;
}

let reading = false;
let again = false;
/** Reads the tree; while one reading is on its way, one more follows it. */
export async function loadOutline(conversationId: ConversationId | null): Promise<void> {
  if (useStore.getState().conversationId !== conversationId) useStore.setState({ ...blank, conversationId });
  if (!conversationId) return;
  again = reading;
  if (reading) return;
  reading = true;
  try {
    const outline = await client().outline.read({ conversationId });
    const hits = await hitsFor(conversationId);
    if (isOpen(conversationId)) useStore.setState({ outline, hits, failure: null });
  } catch (error) {
    if (isOpen(conversationId)) useStore.setState({ failure: failureOf(error) });
  } finally {
    reading = false;
    const { conversationId: wanted } = useStore.getState();
    if (again || wanted !== conversationId) {
      again = false;
      await loadOutline(wanted);
    }
  }
}
const isOpen = (conversationId: ConversationId) => useStore.getState().conversationId === conversationId;

/** What is searched for now, found anew: places in the list of runs hold for one reading alone. */
async function hitsFor(conversationId: ConversationId): Promise<Hits | null> {
  const { query } = useStore.getState();
  return query.trim() === '' ? null : byRun(await client().outline.search({ conversationId, query }));
}

const searchPause = 120;
let pause: ReturnType<typeof setTimeout> | undefined;
export function searchOutline(query: string): void {
  clearTimeout(pause);
  useStore.setState(query.trim() === '' ? { query, hits: null } : { query });
  const { conversationId } = useStore.getState();
  if (query.trim() === '' || !conversationId) return;
  pause = setTimeout(() => {
    void hitsFor(conversationId).then((hits) => {
      if (isOpen(conversationId) && useStore.getState().query === query) useStore.setState({ hits });
    }, showFailure);
  }, searchPause);
}
export const focusTree = (): void => useStore.setState({ wantsFocus: true });
export const treeHasFocus = (): void => useStore.setState({ wantsFocus: false });
export const setOutlineFilter = (filter: OutlineFilter): void => useStore.setState({ filter });

export function setBranchOpen(runId: string, open: boolean): void {
  const next = new Set(useStore.getState().open);
  if (open) next.add(runId);
  else next.delete(runId);
  useStore.setState({ open: next });
}

/** Turns of a gap that are unfolded at once: a longer one is unfolded step by step. */
const gapStep = 100;
/** Gives the first of them; null when they could not be read. */
export async function unfoldGap(runId: MessageId, from: number, to: number): Promise<MessageId | null> {
  const { conversationId } = useStore.getState();
  if (!conversationId) return null;
  try {
    const turns = await client().outline.turns({ conversationId, runId, from, to: Math.min(to, from + gapStep) });
    if (!isOpen(conversationId)) return null;
    const known = useStore.getState().extra.get(runId) ?? [];
    useStore.setState({ extra: new Map(useStore.getState().extra).set(runId, [...known, ...turns]) });
    return turns[0]?.id ?? null;
  } catch (error) {
    showFailure(error);
    return null;
  }
}
/** Folds what was unfolded of a run; false when nothing was. */
export function foldRun(runId: string): boolean {
  const extra = new Map(useStore.getState().extra);
  const had = extra.delete(runId);
  if (had) useStore.setState({ extra });
  return had;
}

/** Pixels above a message that was gone to: where a branch begins, the end of the message it leaves stays in sight. */
const margins = { head: 72, inside: 16 };
/** Shows a turn; one beside the path takes the tip to the end of its branch. `asked`: what is carried along was said already (T11). */
export async function goToTurn(turn: OutlineTurn, place: { onPath: boolean; isHead: boolean }, asked = false): Promise<void> {
  const { conversationId } = talkState();
  if (!conversationId) return;
  uncoverTalk();
  if (place.onPath) return openConversation(conversationId, turn.depth);
  const before = standNow();
  try {
    const { view, depth } = await client().tree.show({ conversationId, messageId: turn.id });
    showView(view, { kind: 'at', depth, y: place.isHead ? margins.head : margins.inside, replaces: place.isHead });
    if (!asked) noteMove(before, view);
  } catch (error) {
    showFailure(error);
  }
}

/** Sets the label of a turn; an empty one takes it away. */
export async function labelTurn(turn: OutlineTurn, label: string): Promise<void> {
  const { conversationId } = talkState();
  if (!conversationId || label === (turn.label ?? '')) return;
  const on = { conversationId, messageId: turn.labelOn ?? turn.id };
  try {
    showView(await (label === '' ? client().labels.remove(on) : client().labels.set({ ...on, label })), { kind: 'keep' });
  } catch (error) {
    showFailure(error);
  }
}

/** The first words of a turn; null when they cannot be read. */
export async function previewOf(messageId: MessageId): Promise<OutlinePreview | null> {
  const { conversationId } = useStore.getState();
  if (!conversationId) return null;
  return client()
    .outline.preview({ conversationId, messageId })
    .catch(() => null);
}
