// The names that what a Bough export holds gets in this workspace. A file may name anything: nothing of it becomes an id here as it stands, but in
// the very conversation it was made of (I2, T9).
import type { ConversationId, MessageId, NewId, RecordId, TurnId } from '../../../shared/model/ids';
import { type ReadableDb, select } from '../../store/database';
import { importedId, importedMessageId } from '../../store/importRows';
import type { ForkedIds } from '../../transcript/forkStanding';

export type OwnIds = Omit<ForkedIds, 'turn'> & {
  turn(id: TurnId): TurnId;
  /** The name of a message, or of what stands in the place of one. */
  name(key: string): MessageId;
};

type Args = {
  db: ReadableDb;
  /** The conversation here. */
  id: ConversationId;
  /** It is the one the file was made of: what it has keeps its name. */
  isOriginal: boolean;
  /** Whether the file has this message. */
  has(id: MessageId): boolean;
  newId: NewId;
};

export function ownIds({ db, id, isOriginal, has, newId }: Args): OwnIds {
  const isHere = (key: string) =>
    isOriginal && select(db, 'SELECT 1 FROM messages WHERE id = ? AND conversation_id = ?').get(key, id) !== undefined;
  const name = (key: string) => (isHere(key) ? (key as MessageId) : importedMessageId(id, key));
  return {
    name,
    message: (key) => (has(key) ? name(key) : undefined),
    holdsFailure: has,
    turn: (key) => (isOriginal ? key : importedId('trn', id, key)),
    record: (key: RecordId) => (isOriginal ? key : importedId('rec', id, key)),
    loneTurn: () => newId('trn'),
  };
}
