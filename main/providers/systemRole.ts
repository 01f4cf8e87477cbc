// Who takes a message of role system among the others (L8): OpenAI itself. Everybody else is sent it as the user's: many servers take a system
// message at the start only, some none, and Gemini has no such role. Pure.
import type { RequestMessage } from '../../shared/model/request';
import { normalizeBaseUrl } from './baseUrl';
import type { Connection } from './port';

/** Before the last repair, which makes one message of neighbours of one role. */
export function placeSystem(messages: readonly RequestMessage[], provider: Connection['provider'] | null): RequestMessage[] {
  const stays = provider !== null && takesSystem(provider);
  return messages.map((message) => (message.role === 'system' && !(stays && isWords(message)) ? { ...message, role: 'user' } : message));
}

/** Throws FailureError `badUrl`. */
function takesSystem({ kind, baseUrl }: Connection['provider']): boolean {
  if (kind !== 'openai-chat' && kind !== 'openai-responses') return false;
  return /(?:^|\.)api\.openai\.com$/.test(new URL(normalizeBaseUrl(kind, baseUrl)).hostname);
}

/** Pictures are the user's everywhere. */
function isWords({ parts }: RequestMessage): boolean {
  return parts.every(({ type }) => type === 'text');
}
