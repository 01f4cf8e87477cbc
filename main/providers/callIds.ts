// Ids for calls that came without one: the same request and answer give the same ids. Nine letters and digits, which every provider takes.
import type { RequestMessage } from '../../shared/model/request';

const madeUp = /^call([0-9a-z]{5})$/;

export function callIdOf(number: number): string {
  return `call${number.toString(36).padStart(5, '0')}`;
}

/** Every id a plain one, for a server that takes no other: an agent may go on with another model than the one that named its calls. */
export function withPlainCallIds<Request extends { messages: readonly RequestMessage[] }>(request: Request): Request {
  const names = new Map<string, string>();
  let next = nextCallNumber(request.messages);
  const plain = (id: string): string => {
    const name = names.get(id) ?? (madeUp.test(id) ? id : callIdOf(next++));
    names.set(id, name);
    return name;
  };
  const messages = request.messages.map((message) => ({
    ...message,
    parts: message.parts.map((part) =>
      part.type === 'toolCall' || part.type === 'toolResult' ? { ...part, callId: plain(part.callId) } : part,
    ),
  }));
  return { ...request, messages };
}

export function hasCalls({ messages }: { messages: readonly RequestMessage[] }): boolean {
  return messages.some(({ parts }) => parts.some(({ type }) => type === 'toolCall'));
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
