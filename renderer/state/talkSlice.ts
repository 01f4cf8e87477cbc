// The open conversation: its path, its ending, what runs, and the acts that change it. Main answers; this only shows.
import { create } from 'zustand';
import type { Conversation } from '../../shared/model/conversation';
import type { Attachment } from '../../shared/model/draft';
import type { Failure } from '../../shared/model/failure';
import { type AgentId, type ConversationId, type FailedTurnId, type MessageId, messageIdOfStep, type StepId } from '../../shared/model/ids';
import type { LiveStep } from '../../shared/model/live';
import type { Ending, MessageView, TalkView } from '../../shared/model/talkView';
import { failureOf } from '../bridge';
import { showFailure } from './appSlice';
import { client } from './client';
import { batchPerFrame } from './frameBatch';
import { addToPath, emptyPath, type LoadedPath, mergeView, missingRange } from './talkPath';

export type TalkStatus = 'new' | 'loading' | 'ready' | 'failed';
/**
 * How the list should stand after a change: at the end; with the message at this depth where it is on screen; with its top this
 * many pixels below the top of the view; or as it was.
 */
export type Anchor = { kind: 'end' } | { kind: 'depth'; depth: number } | { kind: 'at'; depth: number; y: number } | { kind: 'keep' };
/** Where a conversation was left: its end, or a message and how far its top was below the top of the view. */
export type Reading = { depth: number; y: number } | 'end';

type TalkState = {
  conversationId: ConversationId | null;
  status: TalkStatus;
  failure: Failure | null;
  conversation: Conversation | null;
  path: LoadedPath;
  ending: Ending | null;
  tipChildren: number;
  agentNames: Readonly<Record<string, string>>;
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
  agentNames: {},
  editing: null,
  anchor: { kind: 'end', count: 0 },
};
const useTalk = create<TalkState>(() => blank);
const pageSize = 50;
/** Messages loaded above the one that is being read. */
const readingLead = 12;
/** Pixels above a message that is brought to the top. */
const topMargin = 16;

export const useConversationId = () => useTalk((state) => state.conversationId);
export const useTalkStatus = () => useTalk((state) => state.status);
export const useTalkFailure = () => useTalk((state) => state.failure);
export const useOpenConversation = () => useTalk((state) => state.conversation);
export const useTipId = () => useTalk((state) => state.path.tipId);
export const usePathLength = () => useTalk((state) => state.path.length);
export const useLoadedPath = () => useTalk((state) => state.path);
/** One more step of the answer above it: shown without a head of its own. */
export const useContinuesAnswer = (depth: number) =>
  useTalk((state) => {
    const above = state.path.items.get(depth - 1);
    const here = depth < state.path.length ? state.path.items.get(depth) : liveOf(state.ending);
    return above?.role === 'assistant' && here?.turnId !== undefined && above.turnId === here.turnId && above.agentId === here.agentId;
  });
const liveOf = (ending: Ending | null) => (ending?.type === 'live' ? ending.step : ending?.turn);
export const useMessageAt = (depth: number): MessageView | undefined => useTalk((state) => state.path.items.get(depth));
/** The running or failed answer under the tip; its text grows while it streams. */
export const useEnding = () => useTalk((state) => state.ending);
/** The ending, for the row in its place; null for every other row, so that a stream draws no settled message again. */
export const useEndingAt = (depth: number): Ending | null => useTalk((state) => (depth === state.path.length ? state.ending : null));
export const useEndingKind = () => useTalk((state) => state.ending?.type ?? null);
/** Stays the same while the answer streams and when it becomes a message, so that what is on screen is kept. */
export const useEndingKey = () => useTalk((state) => endingKey(state.ending));
/** The step that runs under the tip. */
export const useRunningHere = () => useTalk((state) => (state.ending?.type === 'live' ? state.ending.step.id : null));
/** Names of agents that only this workspace may know. */
export const useAgentNames = () => useTalk((state) => state.agentNames);
/** Branches that go on below the message at this depth, if it is the tip and nothing runs or failed under it. */
export const useBranchesBelow = (depth: number) =>
  useTalk((state) => (depth === state.path.length - 1 && state.ending === null ? state.tipChildren : 0));
const tipPlaces = {
  none: { last: false, alone: false },
  withMore: { last: true, alone: false },
  alone: { last: true, alone: true },
} as const;
/** Whether the message at this depth is the last one shown, and whether nothing follows it on any branch. */
export const useIsTip = (depth: number) =>
  useTalk((state) => {
    if (depth !== state.path.length - 1 || state.ending !== null) return tipPlaces.none;
    return state.tipChildren > 0 ? tipPlaces.withMore : tipPlaces.alone;
  });
export const useEditing = () => useTalk((state) => state.editing);
export const useIsEditing = (id: MessageId | null) => useTalk((state) => id !== null && state.editing === id);
export const useAnchor = () => useTalk((state) => state.anchor);
export const talkState = () => useTalk.getState();

function endingKey(ending: Ending | null): MessageId | FailedTurnId | null {
  if (!ending) return null;
  return ending.type === 'live' ? messageIdOfStep(ending.step.id) : ending.turn.id;
}

function anchored(anchor: Anchor): TalkState['anchor'] {
  return { ...anchor, count: useTalk.getState().anchor.count + 1 };
}

/** Shows a view that main just gave, if its conversation is still the open one. */
function showView(view: TalkView, anchor: Anchor): void {
  liveFrames.flush();
  const state = useTalk.getState();
  if (state.conversationId !== view.conversation.id) return;
  useTalk.setState({
    status: 'ready',
    failure: null,
    conversation: view.conversation,
    path: mergeView(state.path, view),
    ending: keepNewerText(state.ending, view.ending),
    tipChildren: view.tipChildren,
    agentNames: view.agentNames ?? state.agentNames,
    anchor: anchored(anchor),
  });
}

/** Deltas may have arrived while the view was on its way: the longer text of the same step wins. */
function keepNewerText(old: Ending | null, next: Ending | null): Ending | null {
  if (old?.type !== 'live' || next?.type !== 'live' || old.step.id !== next.step.id) return next;
  const size = (step: LiveStep) => step.parts.reduce((sum, part) => sum + ('text' in part ? part.text.length : 0), 0);
  return size(old.step) > size(next.step) ? { ...next, step: { ...next.step, parts: old.step.parts } } : next;
}

const readings = new Map<ConversationId, Reading>();
/** Kept for this run: coming back shows what was being read (U6's scroll per conversation). */
export function rememberReading(conversationId: ConversationId, reading: Reading): void {
  readings.set(conversationId, reading);
}

/** Counts the openings, so that a late answer never replaces a later choice. */
let opening = 0;

export function startNewConversation(): void {
  opening++;
  useTalk.setState({ ...blank, anchor: anchored({ kind: 'end' }) });
  void client().workspace.saveInterface({ lastConversationId: '' }).catch(showFailure);
}

/** What is on screen stays until the new view is there, or until it takes long enough to say so. */
const patience = 150;

/** Opens at `offset`, else where it was left, else at the end. An open conversation is shown at its end. */
export async function openConversation(conversationId: ConversationId, offset?: number): Promise<void> {
  const mine = ++opening;
  const { conversationId: shown, status } = useTalk.getState();
  const isNew = shown !== conversationId;
  const startOver = () => {
    if (mine === opening) useTalk.setState({ ...blank, conversationId, status: 'loading', anchor: anchored({ kind: 'end' }) });
  };
  if (isNew && status === 'new') startOver();
  const timer = isNew ? setTimeout(startOver, patience) : undefined;
  const left = isNew && offset === undefined ? readings.get(conversationId) : undefined;
  const from = left && left !== 'end' ? left : offset === undefined ? null : { depth: offset, y: topMargin };
  try {
    const view = await client().talk.open({
      conversationId,
      count: pageSize,
      ...(from ? { offset: Math.max(0, from.depth - readingLead) } : {}),
    });
    if (mine !== opening) return;
    if (useTalk.getState().conversationId !== conversationId) useTalk.setState({ ...blank, conversationId });
    showView(view, from && from.depth < view.length ? { kind: 'at', ...from } : { kind: 'end' });
    void client().workspace.saveInterface({ lastConversationId: conversationId }).catch(showFailure);
  } catch (error) {
    if (mine === opening)
      useTalk.setState({ ...blank, conversationId, status: 'failed', failure: failureOf(error), anchor: anchored({ kind: 'end' }) });
  } finally {
    clearTimeout(timer);
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
let wanted: { from: number; to: number } | null = null;
/** Loads what is missing of the depths [from, to), one slice at a time; of what is asked for meanwhile the last wins. */
export async function ensureLoaded(from: number, to: number): Promise<void> {
  if (loading) {
    wanted = { from, to };
    return;
  }
  const { path, conversationId } = useTalk.getState();
  const range = missingRange(path, from, to, pageSize);
  if (!range || !path.tipId || !conversationId) return;
  loading = true;
  let failed = false;
  try {
    const slice = await client().talk.slice({ conversationId, tipId: path.tipId, ...range });
    const now = useTalk.getState();
    if (now.conversationId === conversationId && now.path.tipId === path.tipId) useTalk.setState({ path: addToPath(now.path, slice) });
  } catch (error) {
    // The tip moved while the slice was on its way: the new view brings its own messages.
    failed = failureOf(error).code !== 'conflict';
    if (failed) showFailure(error);
  } finally {
    loading = false;
    const next = wanted;
    wanted = null;
    if (next && !failed) void ensureLoaded(next.from, next.to);
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
/** Edits the newest prompt on the path; false when none is loaded. */
export function editLastPrompt(): boolean {
  const { path } = useTalk.getState();
  for (let depth = path.length - 1; depth >= 0; depth--) {
    const message = path.items.get(depth);
    if (!message) return false;
    if (message.role !== 'user') continue;
    startEditing(message.id);
    return true;
  }
  return false;
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
/** An act that starts an answer: the talk shows its end, where the answer will be. */
async function actThenShowEnd(call: (conversationId: ConversationId) => Promise<unknown>): Promise<boolean> {
  const { conversationId } = useTalk.getState();
  if (!(await act(call))) return false;
  if (conversationId && useTalk.getState().conversationId === conversationId) await openConversation(conversationId);
  return true;
}

/** Sends an edited prompt as a sibling; keeps the editor open when main refuses. */
export async function sendEdit(messageId: MessageId, text: string, attachments: Attachment[]): Promise<boolean> {
  const done = await actThenShowEnd((conversationId) => client().turn.edit({ conversationId, messageId, text, attachments }));
  if (done) stopEditing();
  return done;
}
/** Nothing is sent, so the edited answer stays where it was on screen. */
export async function saveAnswerEdit(messageId: MessageId, text: string, depth: number): Promise<boolean> {
  const done = await act((conversationId) => client().turn.editAnswer({ conversationId, messageId, text }));
  if (!done) return false;
  stopEditing();
  await move(depth, (conversationId) => client().talk.open({ conversationId, count: pageSize }));
  return true;
}
export const regenerate = (messageId: MessageId, agentId?: AgentId) =>
  actThenShowEnd((conversationId) => client().turn.regenerate({ conversationId, messageId, ...(agentId ? { agentId } : {}) }));
export const continueAnswer = (messageId: MessageId) =>
  actThenShowEnd((conversationId) => client().turn.continue({ conversationId, messageId }));
export const retryTurn = (failedTurnId: FailedTurnId) =>
  actThenShowEnd((conversationId) => client().turn.retry({ conversationId, failedTurnId }));
export const stopTurn = (stepId?: StepId) => act((conversationId) => client().turn.stop({ conversationId, ...(stepId ? { stepId } : {}) }));
export function openLink(url: string): void {
  void client().app.openExternal({ url }).catch(showFailure);
}
export async function copyText(text: string): Promise<boolean> {
  try {
    await client().app.copyText({ text });
    return true;
  } catch (error) {
    showFailure(error);
    return false;
  }
}

/** A row that main changed. */
export function applyOpenConversation(conversation: Conversation): void {
  if (useTalk.getState().conversationId === conversation.id) useTalk.setState({ conversation });
}

// What streamed since the last frame; the screen follows at most once a frame, however many batches arrive.
let fresh: LiveStep | null = null;
const liveFrames = batchPerFrame(() => {
  const step = fresh;
  fresh = null;
  if (step)
    useTalk.setState(({ ending }) => (ending?.type === 'live' && ending.step.id === step.id ? { ending: { ...ending, step } } : {}));
});

/** Changes the running step under the tip, if this is the one. */
export function updateLiveStep(stepId: StepId, change: (step: LiveStep) => LiveStep): void {
  const { ending } = useTalk.getState();
  if (ending?.type !== 'live' || ending.step.id !== stepId) return;
  const step = fresh?.id === stepId ? fresh : ending.step;
  const next = change(step);
  if (next === step) return;
  fresh = next;
  liveFrames.ask();
}
