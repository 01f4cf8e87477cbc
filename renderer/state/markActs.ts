// Labels and pins on messages of the open conversation (T10). What main refuses of a label comes back, to be shown in place.
import type { Failure } from '../../shared/model/failure';
import type { ConversationId, MessageId } from '../../shared/model/ids';
import type { TalkView } from '../../shared/model/talkView';
import { failureOf } from '../bridge';
import { showFailure } from './appSlice';
import { client } from './client';
import { showView } from './talkSlice';
import { talkState } from './talkStore';

async function changed(call: (conversationId: ConversationId) => Promise<TalkView>): Promise<Failure | null> {
  const { conversationId } = talkState();
  if (!conversationId) return null;
  try {
    showView(await call(conversationId), { kind: 'keep' });
    return null;
  } catch (error) {
    return failureOf(error);
  }
}

/** Null when it is set. */
export const setLabel = (messageId: MessageId, label: string) =>
  changed((conversationId) => client().labels.set({ conversationId, messageId, label }));

export const removeLabel = (messageId: MessageId) => changed((conversationId) => client().labels.remove({ conversationId, messageId }));

export async function setPinned(messageId: MessageId, pinned: boolean): Promise<void> {
  const { conversationId } = talkState();
  if (!conversationId) return;
  const args = { conversationId, messageId };
  try {
    showView(await (pinned ? client().pins.set(args) : client().pins.remove(args)), { kind: 'keep' });
  } catch (error) {
    showFailure(error);
  }
}
