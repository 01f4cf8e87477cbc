// The draft of the open conversation: kept by main over restarts, saved a moment after typing and at once on a switch (U4).
import { create } from 'zustand';
import { type Attachment, attachmentLimits, type Draft, emptyDraft } from '../../shared/model/draft';
import { type Failure, makeFailure } from '../../shared/model/failure';
import type { AgentId, ConversationId } from '../../shared/model/ids';
import { failureOf, pathOfFile } from '../bridge';
import { showFailure } from './appSlice';
import { client } from './client';
import { openConversation, talkState } from './talkSlice';

export type DraftKey = ConversationId | 'new';
/** A file that is being read or was refused; added ones are in the draft. */
export type PendingFile = { key: number; name: string; failure: Failure | null };

type ComposerState = { key: DraftKey; draft: Draft; loaded: boolean; pending: PendingFile[]; sending: boolean };
const useComposer = create<ComposerState>(() => ({ key: 'new', draft: emptyDraft, loaded: false, pending: [], sending: false }));

export const useDraft = () => useComposer((state) => state.draft);
export const useDraftLoaded = () => useComposer((state) => state.loaded);
export const useDraftKey = () => useComposer((state) => state.key);
export const usePendingFiles = () => useComposer((state) => state.pending);
export const useIsSending = () => useComposer((state) => state.sending);

const saveDelay = 400;
let timer: ReturnType<typeof setTimeout> | undefined;
let nextPending = 1;

function saveNow(): void {
  if (timer === undefined) return;
  clearTimeout(timer);
  timer = undefined;
  const { key, draft } = useComposer.getState();
  void client().drafts.save({ key, draft }).catch(showFailure);
}
function changeDraft(change: Partial<Draft>): void {
  useComposer.setState((state) => ({ draft: { ...state.draft, ...change } }));
  if (timer === undefined) timer = setTimeout(saveNow, saveDelay);
}

/** Call when the open conversation changes; saves the old draft first. */
export async function loadDraft(key: DraftKey): Promise<void> {
  saveNow();
  if (useComposer.getState().key !== key) useComposer.setState({ key, draft: emptyDraft, loaded: false, pending: [] });
  try {
    const draft = await client().drafts.get({ key });
    if (useComposer.getState().key === key && timer === undefined) useComposer.setState({ draft, loaded: true });
  } catch (error) {
    useComposer.setState({ loaded: true });
    showFailure(error);
  }
}
export const flushDraft = saveNow;

export const setDraftText = (text: string) => changeDraft({ text });
export const setDraftAgent = (agentId: AgentId) => changeDraft({ agentId });
export function removeAttachment(index: number): void {
  changeDraft({ attachments: useComposer.getState().draft.attachments.filter((_, at) => at !== index) });
}
export function dismissPending(key: number): void {
  useComposer.setState((state) => ({ pending: state.pending.filter((file) => file.key !== key) }));
}

/** Files that were dropped, pasted or made from a long paste; each is added or stays with its refusal. */
export async function addFiles(files: readonly File[]): Promise<void> {
  for (const file of files) await addFile(file);
}
async function addFile(file: File): Promise<void> {
  const key = nextPending++;
  const draftKey = useComposer.getState().key;
  useComposer.setState((state) => ({ pending: [...state.pending, { key, name: file.name, failure: null }] }));
  try {
    const { attachments } = useComposer.getState().draft;
    if (attachments.length >= attachmentLimits.count) {
      refuse(key, makeFailure('tooManyFiles', `At most ${attachmentLimits.count} files go with one message.`, { detail: { limit: attachmentLimits.count } }));
      return;
    }
    const path = pathOfFile(file);
    const added = path ? await client().attachments.addPath({ path }) : await client().attachments.addBytes({ name: file.name, mime: file.type, bytes: file });
    dismissPending(key);
    if (useComposer.getState().key === draftKey) attach([added]);
  } catch (error) {
    refuse(key, failureOf(error));
  }
}
function refuse(key: number, failure: Failure): void {
  useComposer.setState((state) => ({ pending: state.pending.map((file) => (file.key === key ? { ...file, failure } : file)) }));
}
function attach(added: Attachment[]): void {
  changeDraft({ attachments: [...useComposer.getState().draft.attachments, ...added].slice(0, attachmentLimits.count) });
}

/** Opens the system's file dialog. */
export async function chooseFiles(): Promise<void> {
  try {
    const { added, refused } = await client().attachments.choose();
    attach(added);
    for (const { name, failure } of refused) {
      useComposer.setState((state) => ({ pending: [...state.pending, { key: nextPending++, name, failure }] }));
    }
  } catch (error) {
    showFailure(error);
  }
}

/** Sends the draft; the text is cleared only once main has recorded it. Text typed meanwhile stays. */
export async function sendDraft(text: string): Promise<void> {
  const { draft, sending, pending } = useComposer.getState();
  const { conversationId } = talkState();
  if (sending || pending.some((file) => file.failure === null)) return;
  if (text.trim() === '' && draft.attachments.length === 0) return;
  useComposer.setState({ sending: true });
  try {
    const recorded = await client().turn.start({ conversationId, text, attachments: draft.attachments, agentId: draft.agentId ?? null });
    if (timer !== undefined) clearTimeout(timer);
    timer = undefined;
    useComposer.setState((state) => ({ draft: { ...emptyDraft, text: state.draft.text === text ? '' : state.draft.text }, pending: [] }));
    await openConversation(recorded.conversationId);
  } catch (error) {
    showFailure(error);
  } finally {
    useComposer.setState({ sending: false });
  }
}
