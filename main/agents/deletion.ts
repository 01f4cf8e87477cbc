// Deleting and putting back as a person asks for it (T8): what runs there is stopped first, what is left is told to the windows. One at a time, since
// each marks rows before it is revealed.
import { FailureError } from '../../shared/model/failure';
import type { ConversationId, MessageId, NewId, TrashId } from '../../shared/model/ids';
import type { Deleted } from '../../shared/model/trash';
import type { Now } from '../lib/clock';
import type { Logger } from '../lib/logger';
import { createSequential, type Sequential } from '../lib/sequential';
import { getConversation } from '../store/conversations';
import type { WritableDb } from '../store/database';
import { dropStep } from '../store/endStep';
import { listLiveSteps } from '../store/liveSteps';
import { pathHolds } from '../store/messages';
import { type Deletion, deleteConversation, deleteSubtree, restore } from '../store/trash';
import { clearMarks, countDeletion, type DeleteArgs, markSubtree } from '../store/trashWalk';
import type { EventHub } from './eventHub';
import { failed } from './failed';
import type { RunningTurns } from './runningTurns';

export type DeletionDeps = { db: WritableDb; running: RunningTurns; hub: EventHub; newId: NewId; now: Now; logger: Logger };

/** Turns that begin again each time they are stopped are not waited out. */
const attempts = 5;

export class Deletions {
  readonly #deps: DeletionDeps;
  readonly #jobs: Sequential = createSequential();

  constructor(deps: DeletionDeps) {
    this.#deps = deps;
  }

  /** A message with all below it; without one, the whole conversation. Throws `notFound`. */
  remove(args: DeleteArgs): Promise<Deleted> {
    return this.#jobs.run(async () => {
      const trashId = this.#deps.newId('trs');
      const { conversationId, messageId } = args;
      for (let attempt = 0; attempt < attempts; attempt++) {
        await this.#stopIn(args);
        const done = messageId === null ? await this.#whole(trashId, conversationId) : await this.#part(trashId, conversationId, messageId);
        if (!done.done) continue;
        this.#tell(conversationId);
        return { trashId, messages: done.messages, checkpoints: done.checkpoints };
      }
      throw failed('turnRunning', 'An answer is being written here. Stop it first.');
    });
  }

  /** Throws `notFound`, and `conflict` where what it hangs under is in the trash, too. */
  restore(trashId: TrashId): Promise<{ conversationId: ConversationId }> {
    return this.#jobs.run(async () => {
      const { db, logger } = this.#deps;
      const { conversationId, messageId } = restore(db, trashId);
      this.#tell(conversationId);
      // What is shown does not wait for it, and nothing reads marks that do not count.
      if (messageId !== null) await clearMarks(db, trashId).catch((cause: unknown) => logger.log('warn', 'marks were left', { cause }));
      return { conversationId };
    });
  }

  /** Runs alone among deletions. */
  alone<T>(job: () => Promise<T>): Promise<T> {
    return this.#jobs.run(job);
  }

  async #whole(trashId: TrashId, conversationId: ConversationId): Promise<Deletion> {
    const { db, now } = this.#deps;
    const { messages } = await countDeletion(db, { conversationId, messageId: null });
    return deleteConversation(db, { trashId, conversationId, messages, now: now() });
  }

  async #part(trashId: TrashId, conversationId: ConversationId, messageId: MessageId): Promise<Deletion> {
    const { db, now } = this.#deps;
    try {
      const marked = await markSubtree(db, { conversationId, messageId, trashId });
      return deleteSubtree(db, { conversationId, messageId, trashId, now: now(), marked });
    } catch (error) {
      if (error instanceof FailureError) await clearMarks(db, trashId).catch(() => undefined);
      throw error;
    }
  }

  /** Ends every turn whose answer would hang in what is deleted. */
  async #stopIn({ conversationId, messageId }: DeleteArgs): Promise<void> {
    const { db, running } = this.#deps;
    const steps = listLiveSteps(db, { conversationId });
    const inside = steps.filter(({ parentId }) => messageId === null || pathHolds(db, { conversationId, tipId: parentId, messageId }));
    await Promise.all(inside.map(({ id }) => running.stop({ conversationId, stepId: id })));
    // A row that nothing runs for (its agent is gone) would never end by itself.
    const left = new Set(inside.filter(({ turnId }) => !running.has(turnId)).map(({ id }) => id));
    for (const { id } of listLiveSteps(db, { conversationId })) if (left.has(id)) dropStep(db, id);
  }

  #tell(conversationId: ConversationId): void {
    const { db, hub, running } = this.#deps;
    if (getConversation(db, conversationId)) running.publishTalk(conversationId);
    else hub.publish({ type: 'conversationRemoved', conversationId });
    hub.publish({ type: 'trashChanged' });
  }
}
