// The list of conversations in the sidebar, filtered by title.
import { create } from 'zustand';
import type { Conversation } from '../../shared/model/conversation';
import type { Failure } from '../../shared/model/failure';
import type { AgentId, ConversationId, StepId } from '../../shared/model/ids';
import type { LiveCall, LiveStep } from '../../shared/model/live';
import { failureOf } from '../bridge';
import { showFailure } from './appSlice';
import { client } from './client';

/** What a row's dot says: a call waits for the user, an answer is being written, or one failed since the conversation was last looked at. */
export type Activity = 'needsYou' | 'running' | 'failed';
type ListState = {
  list: Conversation[] | null;
  failure: Failure | null;
  query: string;
  archived: boolean;
  /** Steps that run now, by conversation: a conversation may run several, on several branches. */
  running: ReadonlyMap<ConversationId, ReadonlySet<StepId>>;
  /** Calls of running steps that wait for the user's word (A4), as `step call`. */
  waiting: ReadonlyMap<ConversationId, ReadonlySet<string>>;
  failed: ReadonlySet<ConversationId>;
};
const blank: ListState = {
  list: null,
  failure: null,
  query: '',
  archived: false,
  running: new Map(),
  waiting: new Map(),
  failed: new Set(),
};
const useList = create<ListState>(() => blank);

/** Back to a list that knows nothing yet. */
export function resetConversations(): void {
  useList.setState(blank);
}

export const useConversations = () => useList((state) => state.list);
export const useConversationsFailure = () => useList((state) => state.failure);
export const useConversationQuery = () => useList((state) => state.query);
export const useShowsArchived = () => useList((state) => state.archived);
export const useActivity = (id: ConversationId): Activity | null =>
  useList((state) => {
    if (state.waiting.has(id)) return 'needsYou';
    if (state.running.has(id)) return 'running';
    return state.failed.has(id) ? 'failed' : null;
  });
export const listedConversations = () => useList.getState().list ?? [];

/** Fetches the list; answers of an older query are dropped. */
export async function loadConversations(): Promise<void> {
  const { query, archived } = useList.getState();
  try {
    const list = await client().conversations.list({ archived, ...(query ? { query } : {}) });
    const now = useList.getState();
    if (now.query === query && now.archived === archived) useList.setState({ list, failure: null });
  } catch (error) {
    useList.setState({ failure: failureOf(error) });
  }
}

export function setConversationQuery(query: string): void {
  useList.setState({ query });
  void loadConversations();
}
export function setShowsArchived(archived: boolean): void {
  useList.setState({ archived, list: null });
  void loadConversations();
}

/** Puts one changed row where it belongs without asking for the whole list. */
export function applyConversation(conversation: Conversation): void {
  const { list, query, archived } = useList.getState();
  if (!list) return;
  if (query) {
    void loadConversations();
    return;
  }
  const others = list.filter((row) => row.id !== conversation.id);
  const next = conversation.archived === archived ? [...others, conversation] : others;
  next.sort((a, b) => Number(b.pinned) - Number(a.pinned) || b.updatedAt - a.updatedAt);
  useList.setState({ list: next });
}
export function removeConversation(id: ConversationId): void {
  useList.setState((state) => ({ list: state.list?.filter((row) => row.id !== id) ?? null }));
}

async function change(call: () => Promise<Conversation>): Promise<void> {
  try {
    applyConversation(await call());
  } catch (error) {
    showFailure(error);
  }
}
export const renameConversation = (conversationId: ConversationId, title: string) =>
  change(() => client().conversations.rename({ conversationId, title }));
export const pinConversation = (conversationId: ConversationId, pinned: boolean) =>
  change(() => client().conversations.setPinned({ conversationId, pinned }));
export const archiveConversation = (conversationId: ConversationId, archived: boolean) =>
  change(() => client().conversations.setArchived({ conversationId, archived }));
export const setConversationAgent = (conversationId: ConversationId, agentId: AgentId) =>
  change(() => client().conversations.setAgent({ conversationId, agentId }));

/** A step of this conversation shows life, whether or not its start was seen (the window may have been reloaded since). */
export function noteRunning(id: ConversationId, stepId: StepId): void {
  const { running, failed } = useList.getState();
  if (running.get(id)?.has(stepId)) return;
  const others = new Set(failed);
  others.delete(id);
  useList.setState({ running: new Map(running).set(id, new Set([...(running.get(id) ?? []), stepId])), failed: others });
}
const callKey = (stepId: StepId, callId: string) => `${stepId} ${callId}`;
export const waitsForWord = (call: LiveCall) => call.state === 'waiting' && call.needs !== undefined && call.needs.length > 0;

/** Whether the call has just begun to wait for the user's word, or no longer does. */
export function noteCall(id: ConversationId, stepId: StepId, call: LiveCall): 'began' | 'ended' | null {
  const known = useList.getState().waiting.get(id);
  const key = callKey(stepId, call.callId);
  const waits = waitsForWord(call);
  if (waits === (known?.has(key) ?? false)) return null;
  const next = new Set(known ?? []);
  if (waits) next.add(key);
  else next.delete(key);
  setWaiting(id, next);
  return waits ? 'began' : 'ended';
}
/** What a view says of the conversation's running steps, whatever was missed since the window opened. */
export function noteSteps(id: ConversationId, steps: readonly LiveStep[]): void {
  for (const step of steps) noteRunning(id, step.id);
  const waits = steps.flatMap((step) => step.calls.filter(waitsForWord).map((call) => callKey(step.id, call.callId)));
  const known = useList.getState().waiting.get(id);
  if (waits.length !== (known?.size ?? 0) || waits.some((key) => !known?.has(key))) setWaiting(id, new Set(waits));
}
function setWaiting(id: ConversationId, calls: ReadonlySet<string>): void {
  const waiting = new Map(useList.getState().waiting);
  if (calls.size > 0) waiting.set(id, calls);
  else waiting.delete(id);
  useList.setState({ waiting });
}
/** `failed` marks the row until the conversation is looked at. */
export function noteEnded(id: ConversationId, stepId: StepId, failed: boolean): void {
  const state = useList.getState();
  const waits = state.waiting.get(id);
  if (waits) setWaiting(id, new Set([...waits].filter((key) => !key.startsWith(callKey(stepId, '')))));
  const running = new Map(state.running);
  const rest = new Set(running.get(id) ?? []);
  rest.delete(stepId);
  if (rest.size > 0) running.set(id, rest);
  else running.delete(id);
  useList.setState({ running, failed: failed ? new Set([...state.failed, id]) : state.failed });
}
export function noteSeen(id: ConversationId): void {
  const { failed } = useList.getState();
  if (!failed.has(id)) return;
  const rest = new Set(failed);
  rest.delete(id);
  useList.setState({ failed: rest });
}
