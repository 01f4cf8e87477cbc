// Deleting with a question before and a way back after (T8), and what the trash holds while it is looked at.
import { create } from 'zustand';
import type { Failure } from '../../shared/model/failure';
import type { ConversationId, MessageId, TrashId } from '../../shared/model/ids';
import type { DeleteCounts, Deleted, EmptyProgress, TrashEntry } from '../../shared/model/trash';
import { failureOf } from '../bridge';
import { catchFocus } from '../focusEvents';
import { appState, dismissNotice, showFailure, showNotice } from './appSlice';
import { client } from './client';
import { loadConversations, removeConversation } from './conversationsSlice';
import { openConversation, refreshTalk, startNewConversation } from './talkSlice';
import { talkState } from './talkStore';
import { typedSoFar } from './typing';

/** What is asked about; `messageId` null: the whole conversation. */
export type DeleteTarget = { conversationId: ConversationId; messageId: MessageId | null };
type TrashState = {
  asking: DeleteTarget | null;
  counts: DeleteCounts | null;
  failure: Failure | null;
  busy: boolean;
  open: boolean;
  /** Who else shows what is deleted. */
  watchers: number;
  entries: TrashEntry[] | null;
  entriesFailure: Failure | null;
  /** Of what was last done here. */
  actFailure: Failure | null;
  /** What is asked about deleting for good: one deletion, or all (null); undefined while nothing is. */
  emptyQuestion: TrashId | null | undefined;
  progress: EmptyProgress | null;
};
const blank: TrashState = {
  asking: null,
  counts: null,
  failure: null,
  busy: false,
  open: false,
  watchers: 0,
  entries: null,
  entriesFailure: null,
  actFailure: null,
  emptyQuestion: undefined,
  progress: null,
};
const useTrash = create<TrashState>(() => blank);

export const useDeleteQuestion = () => useTrash((state) => state.asking);
export const useDeleteCounts = () => useTrash((state) => state.counts);
export const useDeleteFailure = () => useTrash((state) => state.failure);
export const useDeleting = () => useTrash((state) => state.busy);
export const useTrashOpen = () => useTrash((state) => state.open);
export const useTrashEntries = () => useTrash((state) => state.entries);
export const useTrashFailure = () => useTrash((state) => state.entriesFailure);
export const useTrashActFailure = () => useTrash((state) => state.actFailure);

export const useEmptyQuestion = () => useTrash((state) => state.emptyQuestion);
export const useEmptying = () => useTrash((state) => state.progress);

export function resetTrash(): void {
  useTrash.setState(blank);
}

/** Opens the dialog, and counts while it is read. */
export function askToDelete(target: DeleteTarget): void {
  useTrash.setState({ asking: target, counts: null, failure: null, busy: false });
  client()
    .trash.count(target)
    .then((counts) => ofQuestion(target, { counts }))
    .catch((error: unknown) => ofQuestion(target, { failure: failureOf(error) }));
}

/** Only while this is what is asked. */
function ofQuestion(target: DeleteTarget, change: Partial<TrashState>): void {
  if (useTrash.getState().asking === target) useTrash.setState(change);
}

export function cancelDelete(): void {
  useTrash.setState({ asking: null });
}

export async function confirmDelete(): Promise<void> {
  const { asking, busy } = useTrash.getState();
  if (!asking || busy) return;
  useTrash.setState({ busy: true, failure: null });
  try {
    const deleted = await client().trash.remove(asking);
    ofQuestion(asking, { asking: null, busy: false });
    offerUndo(deleted);
    await showWhatIsLeft(asking);
    catchFocus();
  } catch (error) {
    ofQuestion(asking, { failure: failureOf(error), busy: false });
  }
}

async function showWhatIsLeft({ conversationId, messageId }: DeleteTarget): Promise<void> {
  if (messageId === null) removeConversation(conversationId);
  if (talkState().conversationId !== conversationId) return;
  if (messageId === null) startNewConversation();
  else await refreshTalk();
}

function offerUndo({ trashId, messages, checkpoints }: Deleted): void {
  const act = { gone: checkpoints > 0, typed: typedSoFar(), run: () => undo(trashId) };
  showNotice({ code: 'deleted', values: { count: messages }, tone: 'info' }, undefined, act);
}

async function undo(trashId: TrashId): Promise<void> {
  try {
    const { conversationId } = await client().trash.restore({ trashId });
    await afterRestore(conversationId);
  } catch (error) {
    showFailure(error);
  }
}

async function afterRestore(conversationId: ConversationId): Promise<void> {
  if (talkState().conversationId === conversationId || talkState().status === 'new') await openConversation(conversationId);
  await loadConversations();
}

/** Mod+Z while the newest notice with Undo is there; false where there is none. */
export function undoNewest(): boolean {
  const notice = appState().notices.findLast((each) => each.act !== undefined);
  if (!notice?.act) return false;
  dismissNotice(notice.key);
  notice.act.run();
  return true;
}

export function openTrash(): void {
  useTrash.setState({ open: true, entries: null, entriesFailure: null, actFailure: null });
  void loadTrash();
}
export function closeTrash(): void {
  useTrash.setState({ open: false });
}

export async function loadTrash(): Promise<void> {
  try {
    useTrash.setState({ entries: await client().trash.list(), entriesFailure: null });
  } catch (error) {
    useTrash.setState({ entriesFailure: failureOf(error) });
  }
}

/** Keeps what is deleted fresh for who shows it outside the dialog; call what is given when that is over. */
export function watchTrash(): () => void {
  useTrash.setState((state) => ({ watchers: state.watchers + 1, actFailure: null }));
  void loadTrash();
  return () => useTrash.setState((state) => ({ watchers: Math.max(0, state.watchers - 1) }));
}

/** Told by main: only looked at while it is shown. */
export function trashChanged(): void {
  const { open, watchers } = useTrash.getState();
  if (open || watchers > 0) void loadTrash();
}

export async function restoreEntry(trashId: TrashId): Promise<void> {
  useTrash.setState({ actFailure: null });
  try {
    const { conversationId } = await client().trash.restore({ trashId });
    await loadTrash();
    await afterRestore(conversationId);
  } catch (error) {
    useTrash.setState({ actFailure: failureOf(error) });
  }
}

export function askToEmpty(trashId: TrashId | null): void {
  useTrash.setState({ emptyQuestion: trashId });
}
export function cancelEmpty(): void {
  useTrash.setState({ emptyQuestion: undefined });
}

/** Answers at its end; what is done meanwhile comes as progress. */
export async function confirmEmpty(): Promise<void> {
  const { emptyQuestion } = useTrash.getState();
  if (emptyQuestion === undefined) return;
  useTrash.setState({ emptyQuestion: undefined, actFailure: null, progress: { what: 'messages', done: 0, total: 0 } });
  try {
    await client().trash.empty({ trashId: emptyQuestion });
  } catch (error) {
    useTrash.setState({ actFailure: failureOf(error) });
  } finally {
    useTrash.setState({ progress: null });
    await loadTrash();
  }
}

export function noteEmptying(progress: EmptyProgress | null): void {
  useTrash.setState({ progress });
}

export function stopEmptying(): void {
  client().trash.stopEmptying().catch(showFailure);
}
