// The draft of the open conversation: kept by main over restarts, saved a moment after typing and at once on a switch (U4).
import { create } from 'zustand';
import type { ContextView } from '../../shared/model/contextView';
import { type Draft, emptyDraft } from '../../shared/model/draft';
import type { Failure } from '../../shared/model/failure';
import type { AgentId, BlobHash, ConversationId } from '../../shared/model/ids';
import { showFailure } from './appSlice';
import { client } from './client';

export type DraftKey = ConversationId | 'new';
/** A file that is being read or was refused; added ones are in the draft. */
export type PendingFile = { key: number; name: string; size: number | null; failure: Failure | null };

type ComposerState = {
  key: DraftKey;
  draft: Draft;
  /** Counts up whenever the text changed by something else than typing: the box takes it over. */
  written: number;
  pending: PendingFile[];
  /** Long pastes of this run, by the file they became: each can still become text. */
  pasted: ReadonlySet<BlobHash>;
  sending: boolean;
  /** Why the last sending was refused; the draft stays. */
  failure: Failure | null;
  context: ContextView | null;
};
const useComposer = create<ComposerState>(() => ({
  key: 'new',
  draft: emptyDraft,
  written: 0,
  pending: [],
  pasted: new Set(),
  sending: false,
  failure: null,
  context: null,
}));

export const useDraftText = () => useComposer((state) => state.draft.text);
export const useDraftHasText = () => useComposer((state) => /\S/.test(state.draft.text));
export const useDraftAttachments = () => useComposer((state) => state.draft.attachments);
export const useDraftAgentId = () => useComposer((state) => state.draft.agentId);
export const useDraftWritten = () => useComposer((state) => state.written);
export const useDraftKey = () => useComposer((state) => state.key);
export const usePendingFiles = () => useComposer((state) => state.pending);
export const usePastedFiles = () => useComposer((state) => state.pasted);
export const useIsSending = () => useComposer((state) => state.sending);
export const useSendFailure = () => useComposer((state) => state.failure);
export const useContextView = () => useComposer((state) => state.context);
export const composerState = () => useComposer.getState();
/** For the acts on the draft, which are in files of their own. */
export const patchComposer = useComposer.setState;

const saveDelay = 400;
let timer: ReturnType<typeof setTimeout> | undefined;

/** What waits to be saved is written elsewhere, or has become a message. */
export function forgetUnsaved(): void {
  clearTimeout(timer);
  timer = undefined;
}
function saveNow(): void {
  if (timer === undefined) return;
  clearTimeout(timer);
  timer = undefined;
  const { key, draft } = useComposer.getState();
  void saveDraft(key, draft);
}
export async function saveDraft(key: DraftKey, draft: Draft): Promise<void> {
  try {
    await client().drafts.save({ key, draft });
  } catch (error) {
    showFailure(error);
  }
}
export function changeDraft(change: Partial<Draft>): void {
  useComposer.setState((state) => ({ draft: { ...state.draft, ...change } }));
  // A draft of megabytes is written less often: each save carries all of it.
  if (timer === undefined) timer = setTimeout(saveNow, saveDelay + useComposer.getState().draft.text.length / 2000);
}

/** Call when the open conversation changes; saves the old draft first. */
export async function loadDraft(key: DraftKey): Promise<void> {
  saveNow();
  if (useComposer.getState().key !== key)
    useComposer.setState((state) => ({
      key,
      draft: emptyDraft,
      written: state.written + 1,
      pending: [],
      failure: null,
      context: null,
    }));
  try {
    const draft = await client().drafts.get({ key });
    if (useComposer.getState().key === key && timer === undefined) {
      useComposer.setState((state) => ({
        draft,
        written: draft.text === state.draft.text ? state.written : state.written + 1,
      }));
    }
  } catch (error) {
    showFailure(error);
  }
}
export const flushDraft = saveNow;

/** What is being typed. */
export const setDraftText = (text: string) => changeDraft({ text });
/** Text that comes from elsewhere (a starter, a file turned back into text): shown in the box. */
export function writeDraft(text: string): void {
  changeDraft({ text });
  useComposer.setState((state) => ({ written: state.written + 1 }));
}
export const setDraftAgent = (agentId: AgentId) => changeDraft({ agentId });
export function dismissSendFailure(): void {
  useComposer.setState({ failure: null });
}
