// The open conversation: its path, its ending, what runs, and the acts that change it. Main answers; this only shows.
import { create } from 'zustand';
import type { Conversation } from '../../shared/model/conversation';
import type { Attachment } from '../../shared/model/draft';
import type { Failure } from '../../shared/model/failure';
import type { AgentId, ConversationId, FailedTurnId, MessageId, StepId } from '../../shared/model/ids';
import type { LiveStep } from '../../shared/model/live';
import type { Ending, MessageView, TalkView } from '../../shared/model/talkView';
import { failureOf } from '../bridge';
import { showFailure } from './appSlice';
import { client } from './client';
import { addToPath, emptyPath, type LoadedPath, mergeView, missingRange } from './talkPath';

export type TalkStatus = 'new' | 'loading' | 'ready' | 'failed';
/** How the list should stand after a change: at the end, or with this depth kept where it is on screen. */
export type Anchor = { kind: 'end' } | { kind: 'depth'; depth: number } | { kind: 'keep' };

type TalkState = {
  conversationId: ConversationId | null;
  status: TalkStatus;
  failure: Failure | null;
  conversation: Conversation | null;
  path: LoadedPath;
  ending: Ending | null;
  tipChildren: number;
  running: LiveStep[];
  editing: MessageId | null;
  /** Counts up whenever `anchor` says something new to the list. */
  anchor: Anchor & { count: number };
};

const blank: TalkState = {
  conversationId: null,
  status: 'new',
  failure: null,
  conversation: null,
  path: emptyPath,
  ending: null,
  tipChildren: 0,
  running: [],
  editing: null,
  anchor: { kind: 'end', count: 0 },
};
const useTalk = create<TalkState>(() => blank);
const pageSize = 50;

export const useConversationId = () => useTalk((state) => state.conversationId);
export const useTalkStatus = () => useTalk((state) => state.status);
export const useTalkFailure = () => useTalk((state) => state.failure);
export const useOpenConversation = () => useTalk((state) => state.conversation);
export const useTipId = () => useTalk((state) => state.path.tipId);
export const usePathLength = () => useTalk((state) => state.path.length);
export const useMessageAt = (depth: number): MessageView | undefined => useTalk((state) => state.path.items.get(depth));
/** The running or failed answer under the tip; its text grows while it streams. */
export const useEnding = () => useTalk((state) => state.ending);
export const useHasEnding = () => useTalk((state) => state.ending?.type ?? null);
export const useTipChildren = () => useTalk((state) => state.tipChildren);
export const useRunning = () => useTalk((state) => state.running);
export const useIsEditing = (id: MessageId) => useTalk((state) => state.editing === id);
export const useAnchor = () => useTalk((state) => state.anchor);
export const talkState = () => useTalk.getState();

function anchored(anchor: Anchor): TalkState['anchor'] {
  return { ...anchor, count: useTalk.getState().anchor.count + 1 };
}

/** Shows a view that main just gave, if its conversation is still the open one. */
function showView(view: TalkView, anchor: Anchor): void {
  const state = useTalk.getState();
  if (state.conversationId !== view.conversation.id) return;
  useTalk.setState({
    status: 'ready',
    failure: null,
    conversation: view.conversation,
    path: mergeView(state.path, view),
    ending: keepNewerText(state.ending, view.ending),
    tipChildren: view.tipChildren,
    running: view.running,
    anchor: anchored(anchor),
  });
}

/** Deltas may have arrived while the view was on its way: the longer text of the same step wins. */
function keepNewerText(old: Ending | null, next: Ending | null): Ending | null {
  if (old?.type !== 'live' || next?.type !== 'live' || old.step.id !== next.step.id) return next;
  const size = (step: LiveStep) => step.parts.reduce((sum, part) => sum + ('text' in part ? part.text.length : 0), 0);
  return size(old.step) > size(next.step) ? { ...next, step: { ...next.step, parts: old.step.parts } } : next;
}

export function startNewConversation(): void {
  useTalk.setState({ ...blank, anchor: anchored({ kind: 'end' }) });
  void client().workspace.saveInterface({ lastConversationId: '' }).catch(showFailure);
}

export async function openConversation(conversationId: ConversationId, offset?: number): Promise<void> {
  if (useTalk.getState().conversationId !== conversationId) {
    useTalk.setState({ ...blank, conversationId, status: 'loading', anchor: anchored({ kind: 'end' }) });
  }
  try {
    const view = await client().talk.open({ conversationId, count: pageSize, ...(offset === undefined ? {} : { offset }) });
    showView(view, offset === undefined ? { kind: 'end' } : { kind: 'depth', depth: offset });
    void client().workspace.saveInterface({ lastConversationId: conversationId }).catch(showFailure);
  } catch (error) {
    if (useTalk.getState().conversationId === conversationId) useTalk.setState({ status: 'failed', failure: failureOf(error) });
  }
}

/** Asks for the open conversation's end again, leaving the reading position alone. */
export async function refreshTalk(): Promise<void> {
  const { conversationId } = useTalk.getState();
  if (!conversationId) return;
  try {
    showView(await client().talk.open({ conversationId, count: pageSize }), { kind: 'keep' });
  } catch (error) {
    if (useTalk.getState().conversationId === conversationId) useTalk.setState({ status: 'failed', failure: failureOf(error) });
  }
}

let loading = false;
/** Loads what is missing of the depths [from, to), one slice at a time. */
export async function ensureLoaded(from: number, to: number): Promise<void> {
  const { path, conversationId } = useTalk.getState();
  const range = missingRange(path, from, to, pageSize);
  if (loading || !range || !path.tipId || !conversationId) return;
  loading = true;
  try {
    const slice = await client().talk.slice({ conversationId, tipId: path.tipId, ...range });
    const now = useTalk.getState();
    if (now.conversationId === conversationId && now.path.tipId === path.tipId) useTalk.setState({ path: addToPath(now.path, slice) });
  } catch (error) {
    if (failureOf(error).code !== 'conflict') showFailure(error);
  } finally {
    loading = false;
  }
}

async function move(depth: number | null, call: (conversationId: ConversationId) => Promise<TalkView>): Promise<void> {
  const { conversationId } = useTalk.getState();
  if (!conversationId) return;
  try {
    showView(await call(conversationId), depth === null ? { kind: 'end' } : { kind: 'depth', depth });
  } catch (error) {
    showFailure(error);
  }
}

/** "Branch from here": the next message hangs under this one. */
export const goTo = (messageId: MessageId) => move(null, (conversationId) => client().tree.goTo({ conversationId, messageId }));
export const goForward = () => move(null, (conversationId) => client().tree.forward({ conversationId }));
/** `from` null stands for the running or failed answer; `depth` is where the switcher sits and stays. */
export const goToSibling = (args: { parentId: MessageId | null; from: MessageId | null; depth: number; direction: 'previous' | 'next' }) =>
  move(args.depth, (conversationId) =>
    client().tree.goToSibling({ conversationId, parentId: args.parentId, from: args.from, direction: args.direction }),
  );

export function startEditing(messageId: MessageId): void {
  useTalk.setState({ editing: messageId });
}
export function stopEditing(): void {
  useTalk.setState({ editing: null });
}

async function act(call: (conversationId: ConversationId) => Promise<unknown>): Promise<boolean> {
  const { conversationId } = useTalk.getState();
  if (!conversationId) return false;
  try {
    await call(conversationId);
    return true;
  } catch (error) {
    showFailure(error);
    return false;
  }
}

/** Sends an edited prompt as a sibling; keeps the editor open when main refuses. */
export async function sendEdit(messageId: MessageId, text: string, attachments: Attachment[]): Promise<void> {
  if (await act((conversationId) => client().turn.edit({ conversationId, messageId, text, attachments }))) stopEditing();
}
export async function saveAnswerEdit(messageId: MessageId, text: string): Promise<void> {
  if (await act((conversationId) => client().turn.editAnswer({ conversationId, messageId, text }))) stopEditing();
}
export const regenerate = (messageId: MessageId, agentId?: AgentId) =>
  act((conversationId) => client().turn.regenerate({ conversationId, messageId, ...(agentId ? { agentId } : {}) }));
export const continueAnswer = (messageId: MessageId) => act((conversationId) => client().turn.continue({ conversationId, messageId }));
export const retryTurn = (failedTurnId: FailedTurnId) => act((conversationId) => client().turn.retry({ conversationId, failedTurnId }));
export const stopTurn = (stepId?: StepId) => act((conversationId) => client().turn.stop({ conversationId, ...(stepId ? { stepId } : {}) }));

/** A row that main changed. */
export function applyOpenConversation(conversation: Conversation): void {
  if (useTalk.getState().conversationId === conversation.id) useTalk.setState({ conversation });
}

/** Changes the running step under the tip, if this is the one. */
export function updateLiveStep(stepId: StepId, change: (step: LiveStep) => LiveStep): void {
  useTalk.setState((state) => ({
    ending: state.ending?.type === 'live' && state.ending.step.id === stepId ? { ...state.ending, step: change(state.ending.step) } : state.ending,
    running: state.running,
  }));
}
