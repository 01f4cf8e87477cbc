// Ids for calls that came without one: the same request and answer give the same ids. Nine letters and digits, which every provider takes.
import type { RequestMessage } from '../../shared/model/request';

const madeUp = /^call([0-9a-z]{5})$/;

export function callIdOf(number: number): string {
  return `call${number.toString(36).padStart(5, '0')}`;
}

/** The number from which made-up ids do not meet any in the messages. */
export function nextCallNumber(messages: readonly RequestMessage[]): number {
  let next = 0;
  for (const { parts } of messages)
    for (const part of parts) {
      if (part.type !== 'toolCall' && part.type !== 'toolResult') continue;
      const digits = madeUp.exec(part.callId)?.[1];
      if (digits !== undefined) next = Math.max(next, Number.parseInt(digits, 36) + 1);
    }
  return next;
}

/** Gives out each id once; the second use of one gets a number behind it. */
export class UniqueCallIds {
  readonly #taken: Set<string>;
  readonly #given = new Set<string>();
  #next: number;

  /** `taken` are ids that a new name must not meet. */
  constructor(taken: Iterable<string>, next: number) {
    this.#taken = new Set(taken);
    this.#next = next;
  }

  give(wanted: string): string {
    let id = wanted.trim() === '' ? callIdOf(this.#next++) : wanted;
    for (let number = 2; this.#given.has(id) || (id !== wanted && this.#taken.has(id)); number += 1)
      id = wanted.trim() === '' ? callIdOf(this.#next++) : `${wanted}_${number}`;
    this.#given.add(id);
    return id;
  }
}
