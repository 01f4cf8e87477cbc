// Writes conversations that came from elsewhere: whole trees at once, in order of creation, with what the tree derives from their parents (I3, T2, T7).
import { createHash } from 'node:crypto';
import type { TitleSource } from '../../shared/model/conversation';
import type { AgentId, ConversationId, IdByPrefix, MessageId } from '../../shared/model/ids';
import type { Message } from '../../shared/model/message';
import { type Derived, derive } from '../../shared/tree/derive';
import { isOnPath } from '../../shared/tree/links';
import { change, connectionOf, type ReadableDb, select, transaction, type WritableDb } from './database';
import { perConversation } from './forks';
import { addFacts, factsOf, type ImportedFacts } from './importFacts';
import { messageColumns } from './messageRow';
import { rebuildDerived, withTree } from './repair';
import { notTrashed } from './trashed';

export type ImportedRows = {
  id: ConversationId;
  title: string;
  titleSource: TitleSource;
  agentId: AgentId | null;
  tipId: MessageId | null;
  pinned: boolean;
  archived: boolean;
  /** Unix time in milliseconds. */
  createdAt: number;
  updatedAt: number;
  now: number;
  source: { format: string; sourceId: string };
  /** In order of creation. A parent that is not among them makes a recovered root. */
  messages: readonly Message[];
  labels: readonly { messageId: MessageId; label: string }[];
  /** Of Bough's own exports. */
  facts?: ImportedFacts | undefined;
};

/** Stands where the id of a deletion stands: a conversation that is not yet whole is in nobody's sight. */
const unfinished = 'import';

/**
 * The id of a message in Bough: the same source in the same conversation gives the same one, so that what is new can be told. It begins like that of
 * its conversation: ids that come together stand together in the index, where ids by chance would cost ten times as much to write.
 */
export function importedMessageId(conversationId: ConversationId, sourceId: string): MessageId {
  const hash = createHash('sha256').update(`${conversationId}\0${sourceId}`).digest('base64url');
  return `msg_${conversationId.slice(4, 14)}${hash.slice(0, 16)}` as MessageId;
}

/** The conversation that this source became last; one in the trash counts as none. */
export function findImported(db: ReadableDb, source: { format: string; sourceId: string }): ConversationId | null {
  const sql = `SELECT s.conversation_id AS id FROM import_sources s JOIN conversations c ON c.id = s.conversation_id
    WHERE s.format = +? AND s.source_id = +? AND c.trash_id IS NOT '${unfinished}' AND ${notTrashed('c')} ORDER BY s.seq DESC LIMIT 1`;
  return select<{ id: ConversationId }>(db, sql).get(source.format, source.sourceId)?.id ?? null;
}

const insertConversation = `INSERT INTO conversations
  (id, title, title_source, agent_id, pinned_at, archived_at, created_at, updated_at, trash_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, '${unfinished}')
  ON CONFLICT (id) DO NOTHING`;
const insertMessage = `INSERT INTO messages
  (id, conversation_id, parent_id, role, status, agent_id, turn_id, model, text, parts, usage, meta, created_at, ordinal, depth, jump_id, recovered)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

/** The row alone, in nobody's sight: what is left of it when the program ends is removed with what hangs on it. */
export function beginImported(db: WritableDb, rows: Omit<ImportedRows, 'messages' | 'labels' | 'facts' | 'tipId' | 'source'>): void {
  const { id, now } = rows;
  change(db, insertConversation).run(
    id,
    rows.title,
    rows.titleSource,
    rows.agentId,
    rows.pinned ? now : null,
    rows.archived ? now : null,
    rows.createdAt,
    rows.updatedAt,
  );
}

/** Writes one conversation; a caller may pause at each yield, between transactions: until the end nobody sees it. */
export function* writeImported(db: WritableDb, rows: ImportedRows): Generator<void, void, void> {
  const { id, now, source } = rows;
  beginImported(db, rows);
  const derived = derive(rows.messages.map((message, seq) => ({ seq, id: message.id, parentId: message.parentId })));
  for (const message of rows.messages) {
    insert(db, message, derived.get(message.id));
    yield;
  }
  addLabels(db, rows);
  if (rows.facts) yield* addFacts(db, id, rows.facts, now);
  change(db, 'INSERT INTO import_sources (conversation_id, format, source_id, imported_at) VALUES (?, ?, ?, ?)').run(
    id,
    source.format,
    source.sourceId,
    now,
  );
  change(db, 'UPDATE conversations SET tip_id = ?, trash_id = NULL WHERE id = ?').run(rows.tipId, id);
}

/** Without a place the row is derived anew by who asked for it. */
function insert(db: WritableDb, message: Message, place: Derived | undefined): void {
  const columns = messageColumns(message);
  if (place === undefined) change(db, insertMessage).run(...columns, null, null, null, 0);
  else change(db, insertMessage).run(...columns, place.ordinal, place.depth, place.jumpId, place.recovered ? 1 : 0);
}

function addLabels(db: WritableDb, rows: Pick<ImportedRows, 'id' | 'labels' | 'now'>): void {
  const sql = 'INSERT INTO labels (message_id, conversation_id, label, created_at) VALUES (?, ?, ?, ?) ON CONFLICT (message_id) DO NOTHING';
  for (const { messageId, label } of rows.labels) change(db, sql).run(messageId, rows.id, label, rows.now);
}

/** The id of something else that the file names: as for messages. */
export function importedId<P extends 'trn' | 'rec'>(prefix: P, conversationId: ConversationId, sourceId: string): IdByPrefix[P] {
  return importedMessageId(conversationId, `${prefix}\0${sourceId}`).replace(/^msg/, prefix) as IdByPrefix[P];
}

/** Whether the workspace has this message, if only in the trash. */
export function isImported(db: ReadableDb, id: MessageId): boolean {
  return select(db, 'SELECT 1 FROM messages WHERE id = ?').get(id) !== undefined;
}

/**
 * Adds to a known conversation the messages it does not have (T1: nothing that is there changes). The tip follows only along its own branch.
 * Gives what was added.
 */
export function updateImported(db: WritableDb, rows: ImportedRows): Message[] {
  return transaction(db, () => {
    const added = rows.messages.filter(({ id }) => !isImported(db, id));
    if (added.length === 0) return [];
    for (const message of added) insert(db, message, undefined);
    rebuildDerived(db, rows.id);
    const ids = new Set(added.map(({ id }) => id));
    addLabels(db, { ...rows, labels: rows.labels.filter(({ messageId }) => ids.has(messageId)) });
    if (rows.facts) for (const _ of addFacts(db, rows.id, factsOf(db, rows.id, rows.facts, ids), rows.now));
    change(db, 'UPDATE conversations SET updated_at = max(updated_at, ?) WHERE id = ?').run(rows.updatedAt, rows.id);
    if (rows.tipId !== null && leadsOn(db, rows.id, rows.tipId)) {
      change(db, 'UPDATE conversations SET tip_id = ? WHERE id = ?').run(rows.tipId, rows.id);
    }
    return added;
  });
}

/** Whether the tip as it stands is on the path to `to`. */
function leadsOn(db: ReadableDb, conversationId: ConversationId, to: MessageId): boolean {
  const tipId = select<{ tip_id: string | null }>(db, 'SELECT tip_id FROM conversations WHERE id = ?').get(conversationId)?.tip_id ?? null;
  return withTree(db, conversationId, (tree) => {
    const [tip, end] = [tipId === null ? undefined : tree.link(tipId), tree.link(to)];
    return tip !== undefined && end !== undefined && isOnPath(tree.link, tip, end);
  });
}

/** Keeps more pages in memory while much is written, else each index page is written and read again and again. Gives what ends it. */
export function withRoom(db: WritableDb): () => void {
  const connection = connectionOf(db);
  const before = Number(connection.pragma('cache_size', { simple: true }));
  connection.pragma('cache_size = -65536');
  return () => {
    if (connection.open) connection.pragma(`cache_size = ${before}`);
  };
}

/** Conversations that an import did not finish. */
export function unfinishedImports(db: ReadableDb): ConversationId[] {
  return select<{ id: ConversationId }>(db, `SELECT id FROM conversations WHERE trash_id = '${unfinished}'`)
    .all()
    .map(({ id }) => id);
}

/** Takes away what an import that was cut off left behind. To be run in small transactions: each step deletes a few rows. */
export function* removeUnfinishedImports(db: WritableDb): Generator<void, void, void> {
  for (const id of unfinishedImports(db)) {
    const some = 'DELETE FROM messages WHERE seq IN (SELECT seq FROM messages WHERE conversation_id = ? LIMIT 200)';
    while (change(db, some).run(id).changes > 0) yield;
    for (const table of perConversation) {
      const few = `DELETE FROM ${table} WHERE rowid IN (SELECT rowid FROM ${table} WHERE conversation_id = ? LIMIT 200)`;
      while (change(db, few).run(id).changes > 0) yield;
    }
    change(db, 'DELETE FROM conversations WHERE id = ?').run(id);
    yield;
  }
}
