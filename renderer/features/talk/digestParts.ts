// A digest as it is read: what it tells, and the request that was carried along with it (C3). Pure.
import { type Message, requestInProgress, textOf } from '../../../shared/model/message';

export function digestParts({ parts }: Pick<Message, 'parts'>): { told: string; request: string } {
  const at = parts.findIndex((part) => part.type === 'text' && part.text === requestInProgress);
  if (at === -1) return { told: textOf({ parts }), request: '' };
  return { told: textOf({ parts: parts.slice(0, at) }), request: textOf({ parts: parts.slice(at + 1) }) };
}
