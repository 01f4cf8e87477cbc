// How many of the folded messages' identifiers are still anywhere in the request, and which of the card's come from nowhere (M2).
import type { IdentifierCheck } from '../../../shared/model/memoryRecord';
import { type Message, textOf } from '../../../shared/model/message';
import type { RequestPart } from '../../../shared/model/request';
import type { Step } from '../../../shared/model/transcript';
import type { BuiltContext } from '../../context/buildRequest';
import { checkIdentifiers } from '../../context/card/identifiers';
import { withoutNotes } from '../../context/digest/frame';
import { readCallArguments } from '../../lib/callArguments';
import type { FoldedContent } from './commitRecord';

/** `beside`: what else the card may speak of: the memory it was made over, and what stays beside it. */
export function identifiersKept(
  { messages, steps }: FoldedContent,
  context: BuiltContext,
  card: string,
  beside: readonly string[],
): IdentifierCheck {
  const own = messages.flatMap((message) => (message.role === 'digest' ? [] : [textOf(message), changedFiles(message)]));
  const source = [...beside, ...messages.flatMap((message) => sourceOf(message, steps.get(message.id)))];
  const rebuilt = context.request.messages.flatMap(({ parts }) => parts.flatMap(textsOf));
  return checkIdentifiers({ source, own, rebuilt, card: withoutNotes(card) });
}

function textsOf(part: RequestPart): string[] {
  if (part.type === 'text' || part.type === 'reasoning') return [part.text];
  if (part.type === 'toolCall') return [part.arguments];
  return part.type === 'toolResult' ? [part.content] : [];
}

/** Everything that was said, called and given back. */
function sourceOf(message: Message, step: Step | undefined): string[] {
  const parts = message.parts.flatMap((part) =>
    part.type === 'toolCall' ? [part.arguments, part.summary ?? ''] : part.type === 'file' ? [part.name] : [],
  );
  const results = step?.results.flatMap(({ summary, content }) => [summary, content ?? '']) ?? [];
  return [textOf(message), ...parts, ...results];
}

/** Their names: what stands in them can be read again. */
function changedFiles({ parts }: Message): string {
  const paths = parts.flatMap((part) => {
    if (part.type !== 'toolCall' || !/^(write|edit)_file$/.test(part.name)) return [];
    const read = readCallArguments(part.arguments);
    return 'value' in read && typeof read.value['path'] === 'string' ? [read.value['path']] : [];
  });
  return paths.join('\n');
}
