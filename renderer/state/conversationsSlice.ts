// The list of conversations in the sidebar, filtered by title.
import { create } from 'zustand';
import type { Conversation } from '../../shared/model/conversation';
import type { Failure } from '../../shared/model/failure';
import type { AgentId, ConversationId } from '../../shared/model/ids';
import { failureOf } from '../bridge';
import { showFailure } from './appSlice';
import { client } from './client';

type ListState = { list: Conversation[] | null; failure: Failure | null; query: string; archived: boolean };
const useList = create<ListState>(() => ({ list: null, failure: null, query: '', archived: false }));

export const useConversations = () => useList((state) => state.list);
export const useConversationsFailure = () => useList((state) => state.failure);
export const useConversationQuery = () => useList((state) => state.query);
export const useShowsArchived = () => useList((state) => state.archived);

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
export const renameConversation = (conversationId: ConversationId, title: string) => change(() => client().conversations.rename({ conversationId, title }));
export const pinConversation = (conversationId: ConversationId, pinned: boolean) => change(() => client().conversations.setPinned({ conversationId, pinned }));
export const archiveConversation = (conversationId: ConversationId, archived: boolean) =>
  change(() => client().conversations.setArchived({ conversationId, archived }));
export const setConversationAgent = (conversationId: ConversationId, agentId: AgentId) =>
  change(() => client().conversations.setAgent({ conversationId, agentId }));
