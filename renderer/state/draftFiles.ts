// Files that go with the draft: dropped, pasted, picked, and long pastes that became files; each is added or stays with its refusal.
import { type Attachment, attachmentLimits, type Draft } from '../../shared/model/draft';
import { type Failure, makeFailure } from '../../shared/model/failure';
import type { BlobHash } from '../../shared/model/ids';
import { failureOf, pathOfFile } from '../bridge';
import { showFailure } from './appSlice';
import { client } from './client';
import { changeDraft, composerState, type DraftKey, patchComposer, saveDraft } from './composerSlice';

let nextPending = 1;

export function removeAttachment(hash: BlobHash): void {
  changeDraft({ attachments: composerState().draft.attachments.filter((part) => part.hash !== hash) });
}
export function dismissPending(key: number): void {
  patchComposer((state) => ({ pending: state.pending.filter((file) => file.key !== key) }));
}

/** Files that were dropped or pasted; each is added or stays with its refusal. */
export async function addFiles(files: readonly File[]): Promise<void> {
  for (const file of files) await addFile(file);
}
/** A long paste as a text file, which `unpaste` turns back into text. */
export async function addPaste(text: string, name: string): Promise<void> {
  const added = await addFile(new File([text], name, { type: 'text/plain' }));
  if (added) patchComposer((state) => ({ pasted: new Set(state.pasted).add(added.hash) }));
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
  const draftKey = composerState().key;
  patchComposer((state) => ({ pending: [...state.pending, { key, name: file.name, size: file.size, failure: null }] }));
  if (composerState().draft.attachments.length >= attachmentLimits.count) {
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
  patchComposer((state) => ({ pending: state.pending.map((file) => (file.key === key ? { ...file, failure } : file)) }));
  return null;
}
/** To the draft the files were meant for, also when another conversation was opened meanwhile. */
async function attach(key: DraftKey, added: readonly Attachment[]): Promise<void> {
  const into = (draft: Draft) => {
    const known = new Set(draft.attachments.map((part) => part.hash));
    return [...draft.attachments, ...added.filter((part) => !known.has(part.hash))].slice(0, attachmentLimits.count);
  };
  const now = composerState();
  if (now.key === key) {
    changeDraft({ attachments: into(now.draft) });
    return;
  }
  const draft = await client().drafts.get({ key });
  await saveDraft(key, { ...draft, attachments: into(draft) });
}

/** Opens the system's file dialog. */
export async function chooseFiles(): Promise<void> {
  const { key } = composerState();
  try {
    const { added, refused } = await client().attachments.choose();
    await attach(key, added);
    patchComposer((state) => ({
      pending: [...state.pending, ...refused.map((file) => ({ key: nextPending++, size: null, ...file }))],
    }));
  } catch (error) {
    showFailure(error);
  }
}
