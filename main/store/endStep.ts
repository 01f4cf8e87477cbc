// How a step ends, each way in one transaction (X8, X9).
import type { Checkpoint } from '../../shared/model/checkpoint';
import { FailureError, makeFailure } from '../../shared/model/failure';
import type { AgentId, MessageId, QueuedId, StepId } from '../../shared/model/ids';
import type { FailedTurn, LiveStep } from '../../shared/model/live';
import type { Message } from '../../shared/model/message';
import { addCheckpoint } from './checkpointRows';
import { change, transaction, type WritableDb } from './database';
import { putFailedTurn, removeFailed } from './failedTurns';
import { startStep } from './liveSteps';
import { appendMessage } from './messages';
import { removeQueued } from './queuedMessages';
import { currentTip, moveTip } from './tips';
import { addTranscriptStep } from './transcriptSteps';

/**
 * The end of a step in one transaction: its row goes, the message comes, the tip follows by compare-and-set (T3), and failures under the same message go.
 * Also for an interrupted step. Throws `notFound` when the step has ended already, and appendMessage's failures.
 */
export function finishStep(db: WritableDb, end: StepFinish): { moved: boolean } {
  return transaction(db, () => {
    removeLive(db, end.stepId);
    const { message, transcript } = end;
    const { conversationId } = message;
    if (message.parentId !== null) removeFailed(db, { conversationId, parentId: message.parentId });
    const appended = appendMessage(db, { message, tip: end.tip });
    if (transcript) addTranscriptStep(db, { stepId: end.stepId, messageId: message.id, conversationId, ...transcript });
    for (const checkpoint of end.checkpoints ?? []) addCheckpoint(db, checkpoint);
    if (end.rewindTo !== undefined && currentTip(db, conversationId) === message.id) moveTip(db, { conversationId, to: end.rewindTo });
    for (const follower of end.after ?? []) appendMessage(db, { message: follower, tip: 'follow' });
    for (const id of end.sent ?? []) removeQueued(db, id);
    if (end.failed) putFailedTurn(db, end.failed);
    if (end.next) startStep(db, end.next);
    return appended;
  });
}

/** How a step ends, and what is written in the same transaction. */
export type StepFinish = {
  stepId: StepId;
  message: Message;
  tip: 'follow' | 'stay';
  /** Where its transcript entry is; left out where there is none, and the message is all there is (X7). */
  transcript?: { agentId: AgentId; file: number } | undefined;
  /** Checkpoints that the step set (C2). */
  checkpoints?: readonly Checkpoint[] | undefined;
  /** The checkpoint's message, when the step asked for a rewind (C3): the tip goes there only if it followed this turn. */
  rewindTo?: MessageId | undefined;
  /** The digest of a rewind, and messages steered in, each under the one before. */
  after?: readonly Message[] | undefined;
  /** The steered messages wait no longer. */
  sent?: readonly QueuedId[] | undefined;
  /** The turn ends here for this reason, under the message (X8). */
  failed?: FailedTurn | undefined;
  /** The turn goes on with this one. */
  next?: LiveStep | undefined;
};

/** A step that ended without an answer: its row goes, the failure stays under the same message; a newer failure of the same agent replaces an older one. */
export function failStep(db: WritableDb, args: { stepId: StepId; failed: FailedTurn }): void {
  transaction(db, () => {
    removeLive(db, args.stepId);
    putFailedTurn(db, args.failed);
  });
}

/** Drops a step that left nothing behind (stopped before its first word). */
export function dropStep(db: WritableDb, stepId: StepId): void {
  transaction(db, () => removeLive(db, stepId));
}

function removeLive(db: WritableDb, stepId: StepId): void {
  if (change(db, 'DELETE FROM live_steps WHERE id = ?').run(stepId).changes === 0) {
    throw new FailureError(makeFailure('notFound', 'This step is not running.'));
  }
}
