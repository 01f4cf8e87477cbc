// A row that was found, as a window shows it: the piece of text around the words, and where it stands.
import type { AgentId, ConversationId, MessageId } from '../../shared/model/ids';
import type { Role } from '../../shared/model/message';
import type { SearchHit, Snippet } from '../../shared/model/search';
import { foldForSearch, foldWithPlaces } from '../../shared/text/foldForSearch';
import { holdsAll, placesOf, type Term } from '../../shared/text/searchQuery';
import type { StoredContent } from './parts';
import { type Searchable, searchableOf } from './searchText';

export type FoundRow = StoredContent & {
  seq: number;
  id: string;
  conversation_id: string;
  role: string;
  agent_id: string | null;
  model: string | null;
  created_at: number;
  trash_id: string | null;
  conversation_trash_id: string | null;
  title: string;
  archived_at: number | null;
  label: string | null;
};

/** Characters of a snippet, and how many of them stand before the first mark. */
const snippetLength = 200;
const lead = 48;
const mostMarks = 20;

export type Match = { text: string; inReasoning: boolean };

/** The text of the row that holds the terms; null when it does not. Without terms anything does. */
export function matchOf(row: StoredContent, terms: readonly Term[], reasoning: boolean): Match | null {
  const found: Searchable = searchableOf(row);
  const words = foldForSearch(found.words);
  const thoughts = reasoning && found.reasoning !== '' ? foldForSearch(found.reasoning) : null;
  if (!holdsAll(terms, thoughts === null ? [words] : [words, thoughts])) return null;
  const inReasoning = thoughts !== null && terms.length > 0 && placesOf(terms, words, 1).length === 0;
  return { text: inReasoning ? found.reasoning : found.words, inReasoning };
}

/** The piece around the first place, spaces run together, with every place in it. */
function snippetOf(text: string, terms: readonly Term[]): Snippet {
  const { folded, places } = foldWithPlaces(text);
  const at = (place: number) => places?.[place] ?? place;
  const found = placesOf(terms, folded, mostMarks * 5).map(([from, to]): [number, number] => [at(from), Math.max(at(to), at(from) + 1)]);
  const first = found[0]?.[0] ?? 0;
  const start = wholeChar(text, wordStart(text, Math.max(0, first - lead), first));
  const end = wholeChar(text, Math.min(text.length, start + snippetLength));
  const snippet: Snippet = { text: start > 0 ? '…' : '', marks: [] };
  let from = start;
  for (const [begin, stop] of found) {
    if (begin >= end || snippet.marks.length >= mostMarks) break;
    if (begin < from) continue;
    addText(snippet, text.slice(from, begin));
    const marked = snippet.text.length;
    addText(snippet, text.slice(begin, Math.min(stop, end)));
    if (snippet.text.length > marked) snippet.marks.push([marked, snippet.text.length]);
    from = Math.min(stop, end);
  }
  addText(snippet, text.slice(from, end));
  if (end < text.length) snippet.text = `${snippet.text.trimEnd()}…`;
  return snippet;
}

/** Before the character at `at`, never between its two halves. */
function wholeChar(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at - 1 : at;
}

function addText(snippet: Snippet, text: string): void {
  const one = text.replace(/\s+/gu, ' ');
  snippet.text += /\s$/u.test(snippet.text) || snippet.text === '' ? one.trimStart() : one;
}

/** The start of a word at or after `from`, if there is one before `until`. */
function wordStart(text: string, from: number, until: number): number {
  if (from === 0) return 0;
  const space = text.slice(from, until).search(/\s/u);
  return space < 0 ? from : from + space + 1;
}

export type Standing = { onPath: boolean; agentName: string | null; ranked: boolean };

export function hitOf(row: FoundRow, match: Match, terms: readonly Term[], { onPath, agentName, ranked }: Standing): SearchHit {
  return {
    messageId: row.id as MessageId,
    conversationId: row.conversation_id as ConversationId,
    title: row.title,
    archived: row.archived_at !== null,
    role: row.role === 'assistant' || row.role === 'digest' ? row.role : ('user' satisfies Role),
    agentId: row.agent_id as AgentId | null,
    agentName,
    createdAt: row.created_at,
    onPath,
    label: row.label,
    inReasoning: match.inReasoning,
    ranked,
    snippet: snippetOf(match.text, terms),
  };
}
