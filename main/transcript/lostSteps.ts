// Messages whose step was looked for and is in no file any more: cut off, taken out as damaged, or the file is gone. They are retold (X7).
import type { MessageId } from '../../shared/model/ids';

export class LostSteps {
  readonly #lost = new Set<MessageId>();
  readonly #told = new Set<string>();

  has(messageId: MessageId): boolean {
    return this.#lost.has(messageId);
  }

  /** What was found after all, since a file came back, is lost no longer. Gives those that are lost since now. */
  note(asked: readonly MessageId[], found: ReadonlySet<MessageId>): MessageId[] {
    for (const id of found) this.#lost.delete(id);
    const fresh = asked.filter((id) => !found.has(id) && !this.#lost.has(id));
    for (const id of fresh) this.#lost.add(id);
    return fresh;
  }

  /** Damage in this folder was told: what is lost by it needs no second word. */
  told(folder: string): void {
    this.#told.add(folder);
  }

  isTold(folder: string): boolean {
    return this.#told.has(folder);
  }
}
