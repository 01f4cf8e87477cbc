// A conversation's title: the first words at once, and after the first answer a better one by the `title` role.
import { type Message, textOf } from '../../shared/model/message';
import type { ModelRequest } from '../../shared/model/request';
import { isFailure, type ModelAccess } from './modelAccess';

const maxTitle = 60;
const maxExcerpt = 2000;
/** A title is a small thing: a server that needs longer is left alone. */
const titleTimeout = 60_000;

/** The first words of a message on one line, at most 60 characters; empty when there is no text. */
export function titleFromText(text: string): string {
  const line = text.replaceAll(/\s+/gu, ' ').trim();
  if (line.length <= maxTitle) return line;
  const cut = line.slice(0, maxTitle);
  const space = cut.lastIndexOf(' ');
  return `${space > maxTitle / 2 ? cut.slice(0, space) : cut.replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** Asks for a title; null when the model fails or says nothing usable. */
export async function askForTitle(models: ModelAccess, modelRef: string, messages: readonly Message[]): Promise<string | null> {
  const reached = await models.reach(modelRef);
  if (isFailure(reached)) return null;
  const timeout = AbortSignal.timeout(titleTimeout);
  let text = '';
  for await (const event of reached.provider.stream(titleRequest(reached.model.id, messages), reached.connection, timeout)) {
    if (event.type === 'text') text += event.text;
    if (event.type === 'failed') return null;
  }
  return cleanTitle(text);
}

function titleRequest(modelId: string, messages: readonly Message[]): ModelRequest {
  const excerpt = messages
    .map((message) => `${message.role === 'user' ? 'User' : 'Assistant'}: ${textOf(message).slice(0, maxExcerpt)}`)
    .join('\n\n');
  return {
    modelId,
    system:
      'Write a title for the conversation below: at most six words, in the language of the user, no quotation marks, no full stop. Answer with the title alone.',
    messages: [{ role: 'user', parts: [{ type: 'text', text: excerpt }] }],
    parameters: {},
  };
}

/** One line without quotes, marks or a "Title:" in front; null when nothing is left. */
export function cleanTitle(answer: string): string | null {
  const line = answer
    .split('\n')
    .map((text) => text.trim())
    .find((text) => text !== '');
  const title = (line ?? '')
    .replace(/^(?:#+\s*|\*+\s*|title:\s*)+/iu, '')
    .replace(/^["'“«„*]+|["'”»“*.]+$/gu, '')
    .trim();
  return title === '' ? null : titleFromText(title);
}
