// A key goes into a header. One that cannot is refused here: the runtime's own error would print it.
import { FailureError, makeFailure } from '../../shared/model/failure';
import type { Connection } from './port';

/** The key without the white space that comes with pasting; null when there is none. Throws FailureError `badKey`. */
export function sendableKey(connection: Pick<Connection, 'apiKey'>): string | null {
  const key = connection.apiKey?.trim() ?? '';
  if (!hasKey(connection)) return null;
  if (!/^[\x21-\x7e]+$/.test(key))
    throw new FailureError(makeFailure('badKey', 'The key holds characters that no key has. Paste it again.'));
  return key;
}

export function hasKey(connection: Pick<Connection, 'apiKey'>): boolean {
  return (connection.apiKey?.trim() ?? '') !== '';
}
