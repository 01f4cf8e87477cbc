// Forking (T9): what is asked, how far it is, and which forks the open conversation has on both of its sides.
import { create } from 'zustand';
import type { Conversation } from '../../shared/model/conversation';
import type { WindowEvent } from '../../shared/model/events';
import type { Failure } from '../../shared/model/failure';
import type { ForkCounts, ForkScope, Forks } from '../../shared/model/fork';
import type { ConversationId, MessageId } from '../../shared/model/ids';
import { failureOf } from '../bridge';
import { appState, showFailure } from './appSlice';
import { client } from './client';
import { openConversation } from './talkSlice';
import { talkState } from './talkStore';

export type ForkTarget = { conversationId: ConversationId; messageId: MessageId };
type ForkProgress = { done: number; total: number };
type ForkState = {
  asking: ForkTarget | null;
  scope: ForkScope;
  counts: ForkCounts | null;
  failure: Failure | null;
  running: (ForkTarget & { abort: AbortController }) | null;
  progress: ForkProgress | null;
  /** Of the conversation that is open. */
  known: (Forks & { of: ConversationId }) | null;
};
const blank: ForkState = { asking: null, scope: 'path', counts: null, failure: null, running: null, progress: null, known: null };
const useFork = create<ForkState>(() => blank);

export const useForkScope = () => useFork((state) => state.scope);
export const useForkCounts = () => useFork((state) => state.counts);
export const useForkFailure = () => useFork((state) => state.failure);
export const useForkRunning = () => useFork((state) => state.running !== null);
export const useForkProgress = () => useFork((state) => state.progress);
/** Asked about, or running for so long that it is to be seen. */
export const useForkShown = () => useFork((state) => state.asking !== null || (state.running !== null && state.progress !== null));
export const useForkKnown = (of: ConversationId | null) => useFork((state) => (state.known?.of === of ? state.known : null));
const none: readonly Conversation[] = [];
/** Forks made from the open conversation. */
const useMade = () => useFork((state) => state.known?.forks ?? none);
export const useForksAt = (messageId: MessageId): readonly Conversation[] =>
  useMade().filter(({ forkedFrom }) => forkedFrom?.messageId === messageId);

export function resetForks(): void {
  useFork.getState().running?.abort.abort();
  useFork.setState(blank);
}

/** Opens the dialog with what was chosen last, and counts while it is read. */
export function askToFork(messageId: MessageId): void {
  const { conversationId } = talkState();
  if (!conversationId || useFork.getState().running) return;
  const asking = { conversationId, messageId };
  useFork.setState({ asking, counts: null, failure: null, progress: null, scope: chosenLast() });
  client()
    .conversations.forkCounts(asking)
    .then((counts) => ofQuestion(asking, { counts }))
    .catch((error: unknown) => ofQuestion(asking, { failure: failureOf(error) }));
}

function ofQuestion(asking: ForkTarget, change: Partial<ForkState>): void {
  if (useFork.getState().asking === asking) useFork.setState(change);
}

let remembered: ForkScope | null = null;
function chosenLast(): ForkScope {
  return remembered ?? appState().settings?.workspace.interface.forkScope ?? 'path';
}

export function chooseForkScope(scope: ForkScope): void {
  useFork.setState({ scope });
}

export async function confirmFork(): Promise<void> {
  const { asking, scope } = useFork.getState();
  if (asking) await fork(asking, scope);
}

/** Closes the dialog; what runs is taken back. */
export function cancelFork(): void {
  useFork.getState().running?.abort.abort();
  useFork.setState({ asking: null, running: null, progress: null });
}

/** Copies, and opens the copy, after `beforeOpen`. True when it is there; a failure is said in the dialog, which is shown for that. */
export async function fork(target: ForkTarget, scope: ForkScope, beforeOpen: () => void = () => undefined): Promise<boolean> {
  if (useFork.getState().running) return false;
  const running = { ...target, abort: new AbortController() };
  useFork.setState({ running, scope, failure: null, progress: null });
  try {
    const made = await client().conversations.fork({ ...target, scope }, { signal: running.abort.signal });
    remembered = scope;
    void client().workspace.saveInterface({ forkScope: scope }).catch(showFailure);
    if (running.abort.signal.aborted) return false;
    useFork.setState({ asking: null, running: null, progress: null });
    beforeOpen();
    await openConversation(made.id);
    return true;
  } catch (error) {
    if (running.abort.signal.aborted) return false;
    useFork.setState({ asking: target, running: null, progress: null, failure: failureOf(error) });
    return false;
  }
}

export function noteForkProgress({ conversationId, done, total }: Extract<WindowEvent, { type: 'forkProgress' }>): void {
  if (useFork.getState().running?.conversationId === conversationId) useFork.setState({ progress: { done, total } });
}

/** Asks where a conversation comes from and what was made from it; what is not there to be asked is nothing to say. */
export async function loadForks(of: ConversationId): Promise<void> {
  try {
    const known = { of, ...(await client().conversations.forks({ conversationId: of })) };
    if (talkState().conversationId === of) useFork.setState({ known });
  } catch {
    useFork.setState({ known: null });
  }
}

/** A conversation changed or is gone: it may be on one of the sides. */
export function noteForkSide(id: ConversationId, change: Conversation | null): void {
  const { known } = useFork.getState();
  const open = talkState().conversationId;
  const isSide = known?.source?.id === id || known?.forks.some((each) => each.id === id) || change?.forkedFrom?.conversationId === open;
  if (open !== null && isSide) void loadForks(open);
}
