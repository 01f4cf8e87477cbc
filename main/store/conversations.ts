// Conversations: titles, pins, archive, and the list of the sidebar.
import type { Conversation, TitleSource } from '../../shared/model/conversation';
import { FailureError, makeFailure } from '../../shared/model/failure';
import type { AgentId, ConversationId, MessageId } from '../../shared/model/ids';
import { foldForSearch } from '../../shared/text/foldForSearch';
import { change, type ReadableDb, select, transaction, type WritableDb } from './database';

export type ConversationRow = {
  id: string;
  title: string;
  title_source: string;
  tip_id: string | null;
  agent_id: string | null;
  pinned_at: number | null;
  archived_at: number | null;
  forked_from: string | null;
  forked_message: string | null;
  created_at: number;
  updated_at: number;
};
export const conversationColumns =
  'c.id, c.title, c.title_source, c.tip_id, c.agent_id, c.pinned_at, c.archived_at, c.forked_from, c.forked_message, c.created_at, c.updated_at';
const selectOne = `SELECT ${conversationColumns} FROM conversations c WHERE c.id = ? AND c.trash_id IS NULL`;
const selectList = `SELECT ${conversationColumns} FROM conversations c WHERE (archived_at IS NOT NULL) = +? AND trash_id IS NULL ORDER BY pinned_at DESC, updated_at DESC, seq DESC`;

function toTitleSource(text: string): TitleSource {
  return text === 'auto' || text === 'user' ? text : 'none';
}

export function toConversation(row: ConversationRow): Conversation {
  const conversation: Conversation = {
    id: row.id as ConversationId,
    title: row.title,
    titleSource: toTitleSource(row.title_source),
    tipId: row.tip_id as MessageId | null,
    agentId: row.agent_id as AgentId | null,
    pinned: row.pinned_at !== null,
    archived: row.archived_at !== null,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
  if (row.forked_from !== null && row.forked_message !== null) {
    conversation.forkedFrom = { conversationId: row.forked_from as ConversationId, messageId: row.forked_message as MessageId };
  }
  return conversation;
}

export type NewConversation = {
  id: ConversationId;
  now: number;
  agentId: AgentId | null;
  title?: string | undefined;
  titleSource?: TitleSource | undefined;
};

export function createConversation(db: WritableDb, args: NewConversation): Conversation {
  return transaction(db, () => {
    change(db, 'INSERT INTO conversations (id, title, title_source, agent_id, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?)').run(
      args.id,
      args.title ?? '',
      args.titleSource ?? 'none',
      args.agentId,
      args.now,
      args.now,
    );
    return requireConversation(db, args.id);
  });
}

export function getConversation(db: ReadableDb, id: ConversationId): Conversation | undefined {
  const row = select<ConversationRow>(db, selectOne).get(id);
  return row && toConversation(row);
}

/** Throws `notFound` when there is none. */
export function requireConversation(db: ReadableDb, id: ConversationId): Conversation {
  const found = getConversation(db, id);
  if (found === undefined) throw new FailureError(makeFailure('notFound', 'This conversation does not exist.'));
  return found;
}

/** Pinned ones first (pinned last on top), then the newest change first. `query` is looked for in titles, without regard to case and accents. */
export function listConversations(db: ReadableDb, args: { query?: string | undefined; archived: boolean }): Conversation[] {
  const rows = select<ConversationRow>(db, selectList).all(args.archived ? 1 : 0);
  const words = foldForSearch(args.query ?? '')
    .split(/\s+/)
    .filter((word) => word !== '');
  const shown = words.length === 0 ? rows : rows.filter((row) => containsAll(foldForSearch(row.title), words));
  return shown.map(toConversation);
}

function containsAll(title: string, words: readonly string[]): boolean {
  return words.every((word) => title.includes(word));
}

/** A machine's title never replaces one by the user: then nothing changes. */
export function renameConversation(
  db: WritableDb,
  args: { conversationId: ConversationId; title: string; source: 'auto' | 'user' },
): Conversation {
  const keep = args.source === 'auto' ? " AND title_source <> 'user'" : '';
  return update(db, args.conversationId, () =>
    change(db, `UPDATE conversations SET title = ?, title_source = ? WHERE id = ?${keep}`).run(
      args.title,
      args.source,
      args.conversationId,
    ),
  );
}

export function setPinned(db: WritableDb, args: { conversationId: ConversationId; pinned: boolean; now: number }): Conversation {
  return update(db, args.conversationId, () =>
    change(db, 'UPDATE conversations SET pinned_at = ? WHERE id = ?').run(args.pinned ? args.now : null, args.conversationId),
  );
}

export function setArchived(db: WritableDb, args: { conversationId: ConversationId; archived: boolean; now: number }): Conversation {
  return update(db, args.conversationId, () =>
    change(db, 'UPDATE conversations SET archived_at = ? WHERE id = ?').run(args.archived ? args.now : null, args.conversationId),
  );
}

/** The agent that answers next. */
export function setConversationAgent(db: WritableDb, args: { conversationId: ConversationId; agentId: AgentId | null }): Conversation {
  return update(db, args.conversationId, () =>
    change(db, 'UPDATE conversations SET agent_id = ? WHERE id = ?').run(args.agentId, args.conversationId),
  );
}

function update(db: WritableDb, id: ConversationId, write: () => void): Conversation {
  return transaction(db, () => {
    write();
    return requireConversation(db, id);
  });
}
