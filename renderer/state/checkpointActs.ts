// Naming a message of the open conversation, and going back to it (C1, C3). What main refuses comes back, to be shown in place.
import type { Failure } from '../../shared/model/failure';
import type { ConversationId, MessageId } from '../../shared/model/ids';
import type { TalkView } from '../../shared/model/talkView';
import { failureOf } from '../bridge';
import { showFailure } from './appSlice';
import { client } from './client';
import { showView } from './talkSlice';
import { type Anchor, talkState } from './talkStore';

async function changed(anchor: Anchor, call: (conversationId: ConversationId) => Promise<TalkView>): Promise<Failure | null> {
  const { conversationId } = talkState();
  if (!conversationId) return null;
  try {
    showView(await call(conversationId), anchor);
    return null;
  } catch (error) {
    return failureOf(error);
  }
}

/** Null when it is set. */
export const addCheckpoint = (messageId: MessageId, label: string) =>
  changed({ kind: 'keep' }, (conversationId) => client().checkpoints.add({ conversationId, messageId, label }));

/** `digest` may be empty: then nothing is carried back. Null when it is done. */
export const rewindTo = (label: string, digest: string) =>
  changed({ kind: 'end' }, (conversationId) => client().checkpoints.rewind({ conversationId, label, digest }));

export async function removeCheckpoint(label: string): Promise<void> {
  const { conversationId } = talkState();
  if (!conversationId) return;
  try {
    showView(await client().checkpoints.remove({ conversationId, label }), { kind: 'keep' });
  } catch (error) {
    showFailure(error);
  }
}
