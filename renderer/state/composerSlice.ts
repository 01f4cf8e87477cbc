// The draft of the open conversation: kept by main over restarts, saved a moment after typing and at once on a switch (U4).
import { create } from 'zustand';
import { splitModel } from '../../shared/model/agent';
import type { ContextView } from '../../shared/model/contextView';
import { type Attachment, attachmentLimits, type Draft, emptyDraft } from '../../shared/model/draft';
import { type Failure, makeFailure } from '../../shared/model/failure';
import type { AgentId, BlobHash, ConversationId } from '../../shared/model/ids';
import { failureOf, pathOfFile } from '../bridge';
import { appState, setSettings, showFailure } from './appSlice';
import { client } from './client';
import { openConversation, talkState } from './talkSlice';

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

const saveDelay = 400;
let timer: ReturnType<typeof setTimeout> | undefined;
let nextPending = 1;

function saveNow(): void {
  if (timer === undefined) return;
  clearTimeout(timer);
  timer = undefined;
  const { key, draft } = useComposer.getState();
  void saveDraft(key, draft);
}
async function saveDraft(key: DraftKey, draft: Draft): Promise<void> {
  try {
    await client().drafts.save({ key, draft });
  } catch (error) {
    showFailure(error);
  }
}
function changeDraft(change: Partial<Draft>): void {
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
export function removeAttachment(hash: BlobHash): void {
  changeDraft({ attachments: useComposer.getState().draft.attachments.filter((part) => part.hash !== hash) });
}
export function dismissPending(key: number): void {
  useComposer.setState((state) => ({ pending: state.pending.filter((file) => file.key !== key) }));
}
export function dismissSendFailure(): void {
  useComposer.setState({ failure: null });
}

/** Files that were dropped or pasted; each is added or stays with its refusal. */
export async function addFiles(files: readonly File[]): Promise<void> {
  for (const file of files) await addFile(file);
}
/** A long paste as a text file, which `unpaste` turns back into text. */
export async function addPaste(text: string, name: string): Promise<void> {
  const added = await addFile(new File([text], name, { type: 'text/plain' }));
  if (added) useComposer.setState((state) => ({ pasted: new Set(state.pasted).add(added.hash) }));
}
/** The pasted text again, for the box; null when it cannot be read. */
export async function unpaste(hash: BlobHash): Promise<string | null> {
  try {
    const { text } = await client().attachments.text({ hash });
    removeAttachment(hash);
    return text;
  } catch (error) {
    showFailure(error);
    return null;
  }
}

async function addFile(file: File): Promise<Attachment | null> {
  const key = nextPending++;
  const draftKey = useComposer.getState().key;
  useComposer.setState((state) => ({ pending: [...state.pending, { key, name: file.name, size: file.size, failure: null }] }));
  if (useComposer.getState().draft.attachments.length >= attachmentLimits.count) {
    const limit = attachmentLimits.count;
    return refuse(key, makeFailure('tooManyFiles', `At most ${limit} files go with one message.`, { detail: { limit } }));
  }
  const tooLarge = tooLargeToRead(file);
  if (tooLarge) return refuse(key, tooLarge);
  try {
    const path = pathOfFile(file);
    const added = path
      ? await client().attachments.addPath({ path })
      : await client().attachments.addBytes({ name: file.name, mime: file.type, bytes: file });
    dismissPending(key);
    await attach(draftKey, [added]);
    return added;
  } catch (error) {
    return refuse(key, failureOf(error));
  }
}
/** Said before the bytes travel; main looks at what the file really is. */
function tooLargeToRead({ name, size, type }: File): Failure | null {
  const isText = !type.startsWith('image/') && type !== 'application/pdf';
  const limit = type.startsWith('image/') ? attachmentLimits.image : isText ? attachmentLimits.text : attachmentLimits.pdf;
  return size > limit
    ? makeFailure('fileTooLarge', `${name} is larger than a file may be.`, { detail: { path: name, size, limit } })
    : null;
}
function refuse(key: number, failure: Failure): null {
  useComposer.setState((state) => ({ pending: state.pending.map((file) => (file.key === key ? { ...file, failure } : file)) }));
  return null;
}
/** To the draft the files were meant for, also when another conversation was opened meanwhile. */
async function attach(key: DraftKey, added: readonly Attachment[]): Promise<void> {
  const into = (draft: Draft) => {
    const known = new Set(draft.attachments.map((part) => part.hash));
    return [...draft.attachments, ...added.filter((part) => !known.has(part.hash))].slice(0, attachmentLimits.count);
  };
  const now = useComposer.getState();
  if (now.key === key) {
    changeDraft({ attachments: into(now.draft) });
    return;
  }
  const draft = await client().drafts.get({ key });
  await saveDraft(key, { ...draft, attachments: into(draft) });
}

/** Opens the system's file dialog. */
export async function chooseFiles(): Promise<void> {
  const { key } = useComposer.getState();
  try {
    const { added, refused } = await client().attachments.choose();
    await attach(key, added);
    useComposer.setState((state) => ({
      pending: [...state.pending, ...refused.map((file) => ({ key: nextPending++, size: null, ...file }))],
    }));
  } catch (error) {
    showFailure(error);
  }
}

/** Sends the draft; it is cleared only once main has recorded it. Text typed meanwhile stays, in the conversation it was typed for. */
export async function sendDraft(text: string, agentId: AgentId | null): Promise<void> {
  const { draft, sending, pending, key } = useComposer.getState();
  const { conversationId } = talkState();
  if (sending || pending.some((file) => file.failure === null)) return;
  if (text.trim() === '' && draft.attachments.length === 0) return;
  useComposer.setState({ sending: true, failure: null });
  try {
    const recorded = await client().turn.start({ conversationId, text, attachments: draft.attachments, agentId });
    const here = useComposer.getState().key === key;
    clearTimeout(timer);
    timer = undefined;
    const rest = here ? restOf(useComposer.getState().draft.text, text) : '';
    if (here) useComposer.setState((state) => ({ draft: { ...emptyDraft, text: rest }, pending: [], written: state.written + 1 }));
    await Promise.all([saveDraft(key, emptyDraft), rest ? saveDraft(recorded.conversationId, { ...emptyDraft, text: rest }) : null]);
    if (talkState().conversationId === conversationId) await openConversation(recorded.conversationId);
  } catch (error) {
    useComposer.setState({ failure: failureOf(error) });
  } finally {
    useComposer.setState({ sending: false });
  }
}
function restOf(now: string, sent: string): string {
  if (now === sent) return '';
  return now.startsWith(sent) ? now.slice(sent.length).trimStart() : now;
}

let asked = 0;
/** What the next request would hold, for the ring; the newest answer wins. */
export async function loadContext(conversationId: ConversationId | null, agentId: AgentId | null): Promise<void> {
  const mine = ++asked;
  try {
    const context = await client().talk.context({ conversationId, agentId });
    if (mine === asked) useComposer.setState({ context });
  } catch {
    // Without an answer the ring is not shown: it is a hint, and the turn itself will say what is wrong.
    if (mine === asked) useComposer.setState({ context: null });
  }
}

/** The window of a model as the person states it; `model` is `providerId/modelId`. */
export async function saveWindow(model: string, contextWindow: number): Promise<boolean> {
  const { providerId, modelId } = splitModel(model);
  const known = appState()
    .settings?.providers.find((provider) => provider.id === providerId)
    ?.models.find((candidate) => candidate.id === modelId);
  try {
    setSettings(await client().settings.saveModel({ providerId, model: { ...known, id: modelId, contextWindow } }));
    return true;
  } catch (error) {
    showFailure(error);
    return false;
  }
}
