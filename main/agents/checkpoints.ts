// Checkpoints and rewinds as the user makes them (C1–C3): they name the tip or a message on its path, and going back moves the tip.
import type { ConversationId, MessageId, NewId } from '../../shared/model/ids';
import type { Message } from '../../shared/model/message';
import type { Now } from '../lib/clock';
import { addCheckpoint, removeCheckpoint, requireCheckpoint } from '../store/checkpointRows';
import { transaction, type WritableDb } from '../store/database';
import { appendMessage, getMessage, pathHolds } from '../store/messages';
import { currentTip, moveTip } from '../store/tips';
import { failed } from './failed';
import type { RunningTurns } from './runningTurns';

type Deps = { db: WritableDb; running: RunningTurns; newId: NewId; now: Now };
type Named = { conversationId: ConversationId; label: string };

/** Throws `labelUsed`, and `notFound` for a message that is not on the path of the tip. */
export function addAndTell({ db, running, now }: Deps, args: Named & { messageId?: MessageId | undefined }): void {
  const { conversationId, label } = args;
  const tipId = currentTip(db, conversationId);
  const messageId = args.messageId ?? tipId;
  if (!messageId || !tipId) throw failed('invalidInput', 'There is no message yet that a checkpoint could name.');
  if (!pathHolds(db, { conversationId, tipId, messageId })) throw failed('notFound', 'This message is not on the path that is shown.');
  addCheckpoint(db, { conversationId, messageId, label, by: 'user', createdAt: now() });
  running.publishTalk(conversationId);
}

/** Throws `labelUnknown`. */
export function removeAndTell({ db, running }: Deps, { conversationId, label }: Named): void {
  removeCheckpoint(db, requireCheckpoint(db, { conversationId, tipId: currentTip(db, conversationId), label }));
  running.publishTalk(conversationId);
}

/** Moves the tip to the checkpoint and appends the words, where there are any, as a digest of what is left (C3). Throws `labelUnknown`. */
export function rewindByUser({ db, running, newId, now }: Deps, { conversationId, label, digest }: Named & { digest: string }): void {
  const words = digest.trim();
  transaction(db, () => {
    const left = currentTip(db, conversationId);
    const { messageId } = requireCheckpoint(db, { conversationId, tipId: left, label });
    moveTip(db, { conversationId, to: messageId });
    if (words === '' || left === null) return;
    const target = getMessage(db, messageId);
    const message: Message = {
      id: newId('msg'),
      conversationId,
      parentId: messageId,
      role: 'digest',
      status: 'complete',
      parts: [{ type: 'text', text: words }],
      ...(target?.agentId ? { agentId: target.agentId } : {}),
      digest: { from: left, label },
      createdAt: now(),
    };
    appendMessage(db, { message, tip: 'follow' });
  });
  running.publishTalk(conversationId);
}
