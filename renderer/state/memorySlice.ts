// What the agent remembers in the open conversation: the view for its tab and the marks for the talk, read anew when they may have changed.
import { create } from 'zustand';
import type { Failure } from '../../shared/model/failure';
import type { AgentId, ConversationId, MessageId, RecordId } from '../../shared/model/ids';
import type { MemoryMark, MemoryMarks, MemoryView, PassEnd } from '../../shared/model/memoryView';
import { failureOf } from '../bridge';
import { showFailure } from './appSlice';
import { client } from './client';
import { loadContext } from './contextView';
import { nextAgentNow } from './nextAgent';
import { takeRunning } from './passSlice';
import { talkState } from './talkStore';

type Place = { conversationId: ConversationId; agentId: AgentId };
type MemoryState = {
  conversationId: ConversationId | null;
  /** Chosen in the tab; null: the one that answers next. */
  chosen: AgentId | null;
  view: MemoryView | null;
  failure: Failure | null;
  marks: MemoryMarks | null;
};
const blank: MemoryState = { conversationId: null, chosen: null, view: null, failure: null, marks: null };
const useStore = create<MemoryState>(() => blank);

export const useMemory = () => useStore();
/** What stands behind a message in the talk; null where nothing does. */
export const useMarkAfter = (messageId: MessageId): MemoryMark | null =>
  useStore(({ marks }) => marks?.marks.find(({ anchorId }) => anchorId === messageId) ?? null);
/** Live answers have a step's id, which nothing stands behind. */
export const useHasMarkAfter = (id: string): boolean =>
  useStore(({ marks }) => marks?.marks.some(({ anchorId }) => anchorId === id) ?? false);
/** Whose they are; the same object until they are read anew. */
export const useMarksOf = (): MemoryMarks | null => useStore(({ marks }) => marks);

/** Nothing of another conversation is shown. */
function enter(conversationId: ConversationId | null): void {
  if (useStore.getState().conversationId !== conversationId) useStore.setState({ ...blank, conversationId });
}
const isOpen = (conversationId: ConversationId) => useStore.getState().conversationId === conversationId;

export function chooseMemoryOf(agentId: AgentId): void {
  useStore.setState({ chosen: agentId, failure: null });
  void loadMemory();
}

/** How many places show the view: without one it is not read. */
let seen = 0;
/** Call when the view is shown; gives what to call when it no longer is. */
export function showMemory(): () => void {
  seen++;
  return () => {
    seen--;
  };
}

let reading = false;
let again = false;
/** One reading at a time; what is asked for meanwhile is read once more. */
export async function loadMemory(): Promise<void> {
  const { conversationId } = talkState();
  enter(conversationId);
  if (!conversationId) return;
  again = reading;
  if (reading) return;
  reading = true;
  const { chosen } = useStore.getState();
  const agentId = chosen ?? nextAgentNow().agent?.id ?? null;
  try {
    const view = await client().memory.view({ conversationId, agentId });
    if (isOpen(conversationId) && useStore.getState().chosen === chosen) takeView(view);
  } catch (error) {
    if (isOpen(conversationId)) useStore.setState({ view: null, failure: failureOf(error) });
  } finally {
    reading = false;
    const isOther = talkState().conversationId !== conversationId || useStore.getState().chosen !== chosen;
    if (again || (isOther && seen > 0)) {
      again = false;
      await loadMemory();
    }
  }
}

function takeView(view: MemoryView): void {
  takeRunning(view, view.running);
  useStore.setState({ view, failure: null });
}

let marksAsked = 0;
/** Dividers of the agent that answers next. Without an answer there are none: nothing of the talk hangs on them. */
export async function loadMarks(): Promise<void> {
  const { conversationId } = talkState();
  enter(conversationId);
  if (!conversationId) return;
  const mine = ++marksAsked;
  const marks = await client()
    .memory.marks({ conversationId, agentId: nextAgentNow().agent?.id ?? null })
    .catch(() => null);
  if (mine !== marksAsked || !isOpen(conversationId)) return;
  if (marks) takeRunning(marks, marks.running);
  useStore.setState((state) => ({ marks: JSON.stringify(state.marks) === JSON.stringify(marks) ? state.marks : marks }));
}

/** Main says so. */
export function memoryChanged({ conversationId }: Place): void {
  if (talkState().conversationId !== conversationId) return;
  void loadMarks();
  if (seen > 0) void loadMemory();
  void loadContext(conversationId, nextAgentNow().agent?.id ?? null);
}

// Acts. What main refuses is shown, or comes back to be shown in place.

async function acted(call: () => Promise<MemoryView>): Promise<Failure | null> {
  try {
    const view = await call();
    const shown = useStore.getState().view;
    if (shown?.conversationId === view.conversationId && shown.agentId === view.agentId) takeView(view);
    return null;
  } catch (error) {
    return failureOf(error);
  }
}
async function actedOrSaid(call: () => Promise<MemoryView>): Promise<void> {
  const failure = await acted(call);
  if (failure) showFailure(failure);
}
export const undoMemory = (place: Place, recordId: RecordId) => actedOrSaid(() => client().memory.undo({ ...place, recordId }));
export const redoMemory = (place: Place, recordId: RecordId) => actedOrSaid(() => client().memory.redo({ ...place, recordId }));
export const resumePasses = (place: Place) => actedOrSaid(() => client().memory.resume(place));
/** Null when it is saved. */
export const editCard = (place: Place, recordId: RecordId, text: string) => acted(() => client().memory.edit({ ...place, recordId, text }));

/** Messages that a line of a card speaks of; null when that could not be found out, which is said. */
export async function sourcesOf(place: Place, recordId: RecordId, line: string): Promise<MessageId[] | null> {
  try {
    return await client().memory.sources({ ...place, recordId, line });
  } catch (error) {
    showFailure(error);
    return null;
  }
}

/** A pass by hand, under a failed turn; null when it was refused, which is said. */
export async function compactNow(conversationId: ConversationId, agentId: AgentId | null): Promise<PassEnd | null> {
  try {
    return await client().memory.compact({ conversationId, agentId, rung: null, focus: null });
  } catch (error) {
    showFailure(error);
    return null;
  }
}

/** The view, read for a place of its own: why automatic passes rest, under a failed turn. */
export async function pauseOf(conversationId: ConversationId, agentId: AgentId | null): Promise<MemoryView['pause']> {
  try {
    return (await client().memory.view({ conversationId, agentId })).pause;
  } catch {
    return null;
  }
}

/** For tests: the window outlives what they show. */
export function resetMemory(): void {
  useStore.setState(blank, true);
  seen = 0;
}
