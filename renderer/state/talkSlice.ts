// The open conversation: how it is opened and kept fresh, and what views ask of it.
import type { Conversation } from '../../shared/model/conversation';
import { type AgentId, type ConversationId, type FailedTurnId, type MessageId, messageIdOfStep, type TurnId } from '../../shared/model/ids';
import type { Ending, MessageView, TalkView } from '../../shared/model/talkView';
import { failureOf } from '../bridge';
import { showFailure } from './appSlice';
import { client } from './client';
import { noteSteps, waitsForWord } from './conversationsSlice';
import { flushLive, keepNewer, liveMark } from './talkLive';
import { addToPath, mergeView, missingRange } from './talkPath';
import { type Anchor, anchored, blank, pageSize, type Reading, type TalkState, useTalk } from './talkStore';

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
/** How a step stands to the one above it: alone, or joined to it by words or by calls. */
export const useJoin = (depth: number): 'none' | 'words' | 'calls' =>
  useTalk((state) => {
    const above = state.path.items.get(depth - 1);
    const here = stepAt(state, depth);
    if (!continues(above, here)) return 'none';
    return above?.parts.at(-1)?.type === 'toolCall' && here && 'parts' in here && here.parts[0]?.type === 'toolCall' ? 'calls' : 'words';
  });
/** The answer goes on in the step below it. */
export const useGoesOn = (depth: number) => useTalk((state) => continues(state.path.items.get(depth), stepAt(state, depth + 1)));
type Place = { turnId?: TurnId | undefined; agentId?: AgentId | undefined };
const stepAt = (state: TalkState, depth: number) =>
  depth < state.path.length ? state.path.items.get(depth) : depth === state.path.length ? liveOf(state.ending) : undefined;
function continues(above: MessageView | undefined, here: Place | undefined): boolean {
  return above?.role === 'assistant' && here?.turnId !== undefined && above.turnId === here.turnId && above.agentId === here.agentId;
}
const liveOf = (ending: Ending | null) => (ending?.type === 'live' ? ending.step : ending?.turn);
export const useMessageAt = (depth: number): MessageView | undefined => useTalk((state) => state.path.items.get(depth));
/** The running or failed answer under the tip, for the row in its place; null for every other row, so that a stream draws no settled message again. */
export const useEndingAt = (depth: number): Ending | null => useTalk((state) => (depth === state.path.length ? state.ending : null));
export const useEndingKind = () => useTalk((state) => state.ending?.type ?? null);
/** Stays the same while the answer streams and when it becomes a message, so that what is on screen is kept. */
export const useEndingKey = () => useTalk((state) => endingKey(state.ending));
/** The step that runs under the tip. */
export const useRunningHere = () => useTalk((state) => (state.ending?.type === 'live' ? state.ending.step.id : null));
/** Names of agents that only this workspace may know. */
export const useAgentNames = () => useTalk((state) => state.agentNames);
export const useCheckpoints = () => useTalk((state) => state.checkpoints);
/** The bookmark on a message; null without one. */
export const useLabelOf = (id: MessageId) => useTalk((state) => state.labels.find((each) => each.messageId === id)?.label ?? null);
export const usePins = () => useTalk((state) => state.pins);
export const useIsPinned = (id: MessageId) => useTalk((state) => state.pins.includes(id));
/** Live answers have a step's id, which no mark has. */
export const useIsMarked = (id: string) =>
  useTalk((state) => state.labels.some((each) => each.messageId === id) || state.pins.some((pin) => pin === id));
export const useQueue = () => useTalk((state) => state.queue);
/** What a step on another branch hangs under while one of its calls waits for the user's word (A4, T12). */
export const useWaitsElsewhere = (): MessageId | null =>
  useTalk((state) => {
    const here = state.ending?.type === 'live' ? state.ending.step.id : null;
    return state.running.find((step) => step.id !== here && step.calls.some(waitsForWord))?.parentId ?? null;
  });
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
function endingKey(ending: Ending | null): MessageId | FailedTurnId | null {
  if (!ending) return null;
  return ending.type === 'live' ? messageIdOfStep(ending.step.id) : ending.turn.id;
}

/** Shows a view that main just gave, if its conversation is still the open one. `since` is the `liveMark` taken before it was asked for. */
export function showView(view: TalkView, anchor: Anchor, since = 0): void {
  flushLive();
  noteSteps(view.conversation.id, view.running);
  const state = useTalk.getState();
  if (state.conversationId !== view.conversation.id) return;
  useTalk.setState({
    status: 'ready',
    failure: null,
    conversation: view.conversation,
    path: mergeView(state.path, view),
    ending: keepNewer(state.ending, view.ending, since),
    tipChildren: view.tipChildren,
    agentNames: view.agentNames ?? state.agentNames,
    checkpoints: same(state.checkpoints, view.checkpoints),
    labels: same(state.labels, view.labels ?? []),
    pins: same(state.pins, view.pins ?? []),
    queue: same(state.queue, view.queue),
    carries: same(state.carries, view.carries ?? []),
    running: view.running,
    anchor: anchored(anchor),
  });
}

/** What says the same stays the same object, so that nothing is drawn again for it. */
function same<T>(old: T, next: T): T {
  return JSON.stringify(old) === JSON.stringify(next) ? old : next;
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
  const since = liveMark();
  const from = left && left !== 'end' ? left : offset === undefined ? null : { depth: offset, y: topMargin };
  try {
    const view = await client().talk.open({
      conversationId,
      count: pageSize,
      ...(from ? { offset: Math.max(0, from.depth - readingLead) } : {}),
    });
    if (mine !== opening) return;
    if (useTalk.getState().conversationId !== conversationId) useTalk.setState({ ...blank, conversationId });
    showView(view, from && from.depth < view.length ? { kind: 'at', ...from } : { kind: 'end' }, since);
    void client().workspace.saveInterface({ lastConversationId: conversationId }).catch(showFailure);
  } catch (error) {
    if (mine === opening)
      useTalk.setState({ ...blank, conversationId, status: 'failed', failure: failureOf(error), anchor: anchored({ kind: 'end' }) });
  } finally {
    clearTimeout(timer);
  }
}

/** Opens what main answers with, at the message of `depth`; null when something else was opened meanwhile. Throws what main answered. */
export async function openAt<T extends { view: TalkView; depth: number }>(ask: () => Promise<T>): Promise<T | null> {
  const mine = ++opening;
  const since = liveMark();
  const found = await ask();
  if (mine !== opening) return null;
  const { id } = found.view.conversation;
  if (useTalk.getState().conversationId !== id) useTalk.setState({ ...blank, conversationId: id });
  showView(found.view, { kind: 'at', depth: found.depth, y: topMargin }, since);
  void client().workspace.saveInterface({ lastConversationId: id }).catch(showFailure);
  return found;
}

/** Asks for the open conversation's end again, leaving the reading position alone. */
export async function refreshTalk(): Promise<void> {
  const { conversationId } = useTalk.getState();
  if (!conversationId) return;
  const since = liveMark();
  try {
    showView(await client().talk.open({ conversationId, count: pageSize }), { kind: 'keep' }, since);
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

/** A row that main changed. */
export function applyOpenConversation(conversation: Conversation): void {
  if (useTalk.getState().conversationId === conversation.id) useTalk.setState({ conversation });
}
