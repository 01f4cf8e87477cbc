// Acts on messages that wait for a turn (A6). What waits is main's to say: it comes with the view of the talk.
import { attachmentLimits, type Draft } from '../../shared/model/draft';
import { makeFailure } from '../../shared/model/failure';
import type { QueuedMessage, QueueMode } from '../../shared/model/queue';
import { failureOf } from '../bridge';
import { client } from './client';
import { changeDraft, composerState, flushDraft, patchComposer, writeDraft } from './composerSlice';
import { openConversation, refreshTalk } from './talkSlice';
import { talkState } from './talkStore';

/** Why an act was refused is said over the box, where a refused sending is said too. */
async function attempt(call: () => Promise<unknown>): Promise<boolean> {
  patchComposer({ failure: null });
  try {
    await call();
    return true;
  } catch (error) {
    patchComposer({ failure: failureOf(error) });
    return false;
  }
}

export async function setQueueMode({ id, text, attachments }: QueuedMessage, mode: QueueMode): Promise<void> {
  await attempt(() => client().queue.change({ queuedId: id, text, attachments, mode }));
  await refreshTalk();
}

export async function removeQueued({ id }: QueuedMessage): Promise<void> {
  await attempt(() => client().queue.remove({ queuedId: id }));
  await refreshTalk();
}

/** One whose turn is over goes under the tip as it is. */
export async function sendQueued({ id, conversationId }: QueuedMessage): Promise<void> {
  const sent = await attempt(() => client().queue.send({ queuedId: id }));
  if (talkState().conversationId !== conversationId) return;
  await (sent ? openConversation(conversationId) : refreshTalk());
}

/**
 * Takes one back into the box, before what is written there, so that it cannot be sent half edited. The draft is kept first: whatever
 * happens in between, the text is never in neither place. One that was sent meanwhile leaves the box as it was.
 */
export async function editQueued(queued: QueuedMessage): Promise<boolean> {
  const before = composerState().draft;
  const known = new Set(queued.attachments.map((part) => part.hash));
  const attachments = [...queued.attachments, ...before.attachments.filter((part) => !known.has(part.hash))];
  const limit = attachmentLimits.count;
  if (attachments.length > limit) {
    patchComposer({ failure: makeFailure('tooManyFiles', `At most ${limit} files go with one message.`, { detail: { limit } }) });
    return false;
  }
  const text = [queued.text, before.text].filter((each) => each.trim() !== '').join('\n\n');
  putInBox({ text, attachments });
  if (await attempt(() => client().queue.remove({ queuedId: queued.id }))) {
    await refreshTalk();
    return true;
  }
  if (composerState().draft.text === text) putInBox(before);
  await refreshTalk();
  return false;
}

function putInBox({ text, attachments }: Pick<Draft, 'text' | 'attachments'>): void {
  changeDraft({ attachments });
  writeDraft(text);
  flushDraft();
}
