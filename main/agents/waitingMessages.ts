// Messages written while a turn runs (A6): kept in the database, sent after the turn, steered in before its next step, or held for the user.
import type { Attachment } from '../../shared/model/draft';
import type { ConversationId, NewId, QueuedId } from '../../shared/model/ids';
import type { QueuedMessage, QueueMode } from '../../shared/model/queue';
import type { Now } from '../lib/clock';
import type { Logger } from '../lib/logger';
import type { WritableDb } from '../store/database';
import { addQueued, changeQueued, holdQueued, listQueued, removeQueued, requireQueued } from '../store/queuedMessages';
import { currentTip } from '../store/tips';
import { failed } from './failed';
import type { RunningTurns } from './runningTurns';
import type { TurnEnd, TurnRun } from './runTurn';
import type { Recorded, Scheduler } from './scheduler';

export type WaitingDeps = { db: WritableDb; newId: NewId; now: Now; logger: Logger; running: RunningTurns; scheduler: Scheduler };
type Written = { text: string; attachments: Attachment[]; mode: QueueMode };

export class WaitingMessages {
  readonly #deps: WaitingDeps;

  constructor(deps: WaitingDeps) {
    this.#deps = deps;
  }

  /** For the turn that runs under the tip. Throws `conflict` when none does: it has just ended, and the message can be sent. */
  add({ conversationId, ...written }: Written & { conversationId: ConversationId }): QueuedMessage {
    const { db, newId, now, running } = this.#deps;
    const run = running.at(currentTip(db, conversationId));
    if (!run) throw failed('conflict', 'No turn runs here any more. Send the message instead.');
    refuseEmpty(written);
    const message: QueuedMessage = { id: newId('que'), conversationId, turnId: run.turnId, ...written, held: false, createdAt: now() };
    addQueued(db, message);
    running.publishTalk(conversationId);
    return message;
  }

  change({ queuedId, ...written }: Written & { queuedId: QueuedId }): QueuedMessage {
    const { db, running } = this.#deps;
    const old = requireQueued(db, queuedId);
    refuseEmpty(written);
    changeQueued(db, { id: queuedId, ...written });
    running.publishTalk(old.conversationId);
    return { ...old, ...written };
  }

  remove({ queuedId }: { queuedId: QueuedId }): void {
    const { db, running } = this.#deps;
    const { conversationId } = requireQueued(db, queuedId);
    removeQueued(db, queuedId);
    running.publishTalk(conversationId);
  }

  /** Sends one that is held, under the tip as it is. */
  send({ queuedId }: { queuedId: QueuedId }): Recorded {
    const message = requireQueued(this.#deps.db, queuedId);
    if (!message.held) throw failed('turnRunning', 'This message is sent by itself when its turn is over.');
    return this.#deps.scheduler.sendWaiting(message, null);
  }

  /** After an answer the next one is sent under it; after anything else they wait for the user. */
  turnEnded({ conversationId, turnId }: TurnRun, { type, head }: TurnEnd): void {
    const { db, logger, scheduler } = this.#deps;
    if (type === 'waits') return;
    try {
      const next = listQueued(db, conversationId).find((one) => one.turnId === turnId && !one.held);
      if (!next) return;
      if (type === 'answered') scheduler.sendWaiting(next, head);
      else holdQueued(db, turnId);
    } catch (error) {
      logger.log('warn', 'a waiting message could not be sent', { cause: error, turnId });
      holdQueued(db, turnId);
    }
  }
}

function refuseEmpty({ text, attachments }: Written): void {
  if (text.trim() === '' && attachments.length === 0) throw failed('invalidInput', 'There is nothing to send.');
}
