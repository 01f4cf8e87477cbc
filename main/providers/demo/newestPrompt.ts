// What the demo takes for its orders: of prompts that stand side by side, because the turn of the first failed, the newest alone. Pure.
import type { RequestMessage } from '../../../shared/model/request';
import { joinText } from '../repair';

/** Before the last repair, which makes one message of neighbours. Memory and notices go: they are no orders. */
export function newestPrompts(messages: readonly RequestMessage[]): RequestMessage[] {
  return messages.filter((message, at) => {
    if (message.role === 'system' || isMemory(message)) return false;
    return !isPrompt(message) || !messages.slice(at + 1, endOfRun(messages, at)).some(isPrompt);
  });
}

/** Where neither a prompt nor anything else that is sent in the user's role goes on. */
function endOfRun(messages: readonly RequestMessage[], from: number): number {
  const end = messages.findIndex(({ role }, at) => at > from && role !== 'user' && role !== 'system');
  return end === -1 ? messages.length : end;
}

const isPrompt = (message: RequestMessage): boolean =>
  message.role === 'user' && !/^\[(?:What you remember|Digest)\./.test(joinText(message.parts));
const isMemory = (message: RequestMessage): boolean => message.role === 'user' && joinText(message.parts).startsWith('[What you remember.');
