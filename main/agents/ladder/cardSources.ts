// The messages behind a line of a card (M7): of those that the memory stands for, the ones that the line speaks of.
import { FailureError, makeFailure } from '../../../shared/model/failure';
import type { MessageId, RecordId } from '../../../shared/model/ids';
import { foldedBy } from '../../../shared/model/memoryRecord';
import type { RequestMessage, RequestPart } from '../../../shared/model/request';
import { boundedTexts, type SourceText, strongest, type Trace, tracer } from '../../context/card/lineSources';
import { inSlices } from '../../lib/slices';
import type { Standpoint } from '../answering';
import { type PathDeps, wholeMessages } from '../pathBuilding';

/** Also of a memory that was undone. Throws `notFound` for one that is not of this path. */
export async function cardSources(deps: PathDeps, stand: Standpoint, recordId: RecordId, line: string): Promise<MessageId[]> {
  const { built, records } = stand;
  const record = records?.find(({ id }) => id === recordId);
  if (!record || !built.some(({ id }) => id === record.anchorId))
    throw new FailureError(makeFailure('notFound', 'This memory is not there any more.'));
  const whole = await wholeMessages(deps, stand, foldedBy(record, [...(records ?? [])]));
  // Others have their turn: an answer may be streaming.
  return inSlices(
    traced(
      line,
      whole.map(({ id, messages }) => ({ id, text: textOf(messages) })),
    ),
  );
}

function* traced(line: string, texts: readonly SourceText<MessageId>[]): Generator<void, MessageId[], void> {
  const look = tracer<MessageId>(line);
  const traces: Trace<MessageId>[] = [];
  for (const one of boundedTexts(texts)) {
    traces.push(look(one));
    yield;
  }
  return strongest(traces);
}

function textOf(messages: readonly RequestMessage[]): string {
  return messages
    .flatMap(({ parts }) => parts.map(partText))
    .filter((text) => text !== '')
    .join('\n');
}

function partText(part: RequestPart): string {
  switch (part.type) {
    case 'text':
      return part.text;
    case 'toolCall':
      return `${part.name} ${part.arguments}`;
    case 'toolResult':
      return part.content;
    case 'reasoning':
    case 'image':
    case 'vendor':
      return '';
  }
}
