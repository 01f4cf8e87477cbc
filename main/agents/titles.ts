// A conversation's title: the first words at once, and after the first answer a better one by the `title` role.
import { type Message, textOf } from '../../shared/model/message';
import { plainWords } from '../../shared/text/plainWords';
import { askModel } from './askModel';
import type { ModelAccess } from './modelAccess';

const maxTitle = 60;
const maxExcerpt = 2000;
/** A title is a small thing: a server that needs longer is left alone. */
const titleTimeout = 60_000;

/** The first words of a message on one line without the marks of Markdown, at most 60 characters; empty when there is no text. */
export function titleFromText(text: string): string {
  // A prompt may be as long as a book.
  const start = text.trimStart().slice(0, maxExcerpt);
  const line = plainWords(start) || start.replaceAll(/\s+/gu, ' ').trim();
  if (line.length <= maxTitle) return line;
  const cut = line.slice(0, maxTitle);
  const space = cut.lastIndexOf(' ');
  return `${space > maxTitle / 2 ? cut.slice(0, space) : cut.replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** Asks for a title; null when the model fails or says nothing usable. */
export async function askForTitle(models: ModelAccess, modelRef: string, messages: readonly Message[]): Promise<string | null> {
  const reply = await askModel(models, modelRef, { system: order, text: excerptOf(messages), timeLimit: titleTimeout });
  return reply.type === 'answer' || reply.type === 'cut' ? cleanTitle(reply.text) : null;
}

const order =
  'Write a title for the conversation below: at most six words, in the language of the user, no quotation marks, no full stop. Answer with the title alone.';

function excerptOf(messages: readonly Message[]): string {
  return messages
    .map((message) => `${message.role === 'user' ? 'User' : 'Assistant'}: ${textOf(message).slice(0, maxExcerpt)}`)
    .join('\n\n');
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
