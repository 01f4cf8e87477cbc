// The words of messages as the navigator shows and searches them: the first of one, or those of all.
import type { ConversationId, MessageId } from '../../shared/model/ids';
import type { Part, Role } from '../../shared/model/message';
import { type ReadableDb, select } from './database';
import { content } from './messageRow';
import { loadParts } from './parts';

/** Characters of a line. */
const lineLength = 120;

type TurnRow = { role: Role; agent_id: string | null; model: string | null; created_at: number; text: string | null; parts: string | null };
const selectTurn = `SELECT m.role, m.agent_id, m.model, m.created_at, ${content} FROM messages m WHERE m.id = +?`;
const selectWords = `SELECT m.id, ${content} FROM messages m WHERE m.conversation_id = +? ORDER BY m.seq`;

/** `model`: of an answer that no agent gave. */
export type TurnWords = { role: Role; agentId: string | null; model: string | null; text: string; createdAt: number };

export function readTurn(db: ReadableDb, id: MessageId, length = lineLength): TurnWords {
  const row = select<TurnRow>(db, selectTurn).get(id);
  if (!row) return { role: 'user', agentId: null, model: null, text: '', createdAt: 0 };
  const model = row.agent_id === null ? row.model : null;
  return { role: row.role, agentId: row.agent_id, model, text: firstWords(row, length), createdAt: row.created_at };
}

function firstWords(row: Pick<TurnRow, 'text' | 'parts'>, length: number): string {
  // Twice as much as is shown, for what closes up.
  if (row.parts === null) return closeUp((row.text ?? '').slice(0, length * 2), length);
  const parts = loadParts(row);
  const written = parts.find((part) => part.type === 'text' && part.text.trim() !== '');
  if (written?.type === 'text') return closeUp(written.text.slice(0, length * 2), length);
  const file = parts.find((part) => part.type === 'image' || part.type === 'file');
  return file && 'name' in file ? closeUp(file.name, length) : '';
}

function closeUp(text: string, length: number): string {
  const closed = text.replace(/\s+/g, ' ').trim();
  if (closed.length <= length) return closed;
  // Never half of a character that takes two places.
  return closed.slice(0, length).replace(/[\ud800-\udbff]$/, '');
}

const searched = (part: Part): string =>
  part.type === 'text' ? part.text : part.type === 'file' || part.type === 'image' ? part.name : '';

/** What a search in a conversation reads, message by message. */
export function* wordsOf(db: ReadableDb, conversationId: ConversationId): Generator<{ id: string; words: string }> {
  const rows = select<{ id: string; text: string | null; parts: string | null }>(db, selectWords).iterate(conversationId);
  for (const row of rows) yield { id: row.id, words: row.parts === null ? (row.text ?? '') : loadParts(row).map(searched).join('\n') };
}
