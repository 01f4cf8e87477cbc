// Finds messages (Q1), newest or best first: what the index lacks is read, what it has is asked of it, and every row is then compared with its own text, so
// that an index that is behind or wrong can hide nothing and invent nothing. One call works for a bounded time and says where to go on.
import { nameOfModel } from '../../shared/model/agent';
import type { AgentId, ConversationId } from '../../shared/model/ids';
import type { SearchHit, SearchPage, SearchRequest } from '../../shared/model/search';
import { parseQuery, type Term } from '../../shared/text/searchQuery';
import { DamagedTree, isOnPath, type Link } from '../../shared/tree/links';
import { requireConversation } from './conversations';
import { type ReadableDb, select, snapshot } from './database';
import { withTree } from './repair';
import { type FoundRow, hitOf, matchOf } from './searchHit';
import { boundsOf, type Covered, coveredBy, indexingOf, isDamage } from './searchIndex';
import { mostRanked, rankedFrom, rankedRows } from './searchRanked';
import { effectiveTip } from './tips';
import { isTrash } from './trashed';
import { usedAgents } from './usedAgents';

export type SearchOptions = {
  clock: () => number;
  /** Milliseconds one call may take. */
  budget: number;
  /** Rows that are ranked at most. */
  rank?: number | undefined;
};

const columns = `m.seq, m.id, m.conversation_id, m.role, m.agent_id, m.model, m.created_at, m.text, m.parts, m.trash_id,
  c.trash_id AS conversation_trash_id, c.title, c.archived_at, (SELECT l.label FROM labels l WHERE l.message_id = m.id) AS label`;
const selectRow = `SELECT ${columns} FROM messages m JOIN conversations c ON c.id = m.conversation_id WHERE m.seq = ?`;
const selectRows = `SELECT ${columns} FROM messages m CROSS JOIN conversations c ON c.id = m.conversation_id
  WHERE m.seq >= ? AND m.seq <= ? ORDER BY m.seq DESC`;
const selectStale = `SELECT s.seq FROM search_stale s JOIN messages m ON m.seq = s.seq WHERE s.seq >= +? AND s.seq <= +? ORDER BY s.seq DESC`;
const selectIndexed = 'SELECT rowid AS seq FROM search_index WHERE search_index MATCH ? AND rowid >= ? AND rowid <= ? ORDER BY rowid DESC';
const selectStarts = 'SELECT rowid AS seq FROM search_starts WHERE search_starts MATCH ? AND rowid >= ? AND rowid <= ? ORDER BY rowid DESC';
const selectLabelled = 'SELECT m.seq FROM labels l JOIN messages m ON m.id = l.message_id WHERE m.seq <= ? ORDER BY m.seq DESC';
const selectOfConversation = 'SELECT seq FROM messages WHERE conversation_id = ? AND seq <= ? ORDER BY seq DESC';
const countOfConversation = 'SELECT count(*) AS count FROM (SELECT 1 FROM messages WHERE conversation_id = ? LIMIT ?)';
/** A conversation up to this size is read whole rather than picked out of what the index finds everywhere. */
const readWhole = 2_000;

type Seq = { seq: number };
/** A row that may hold what is looked for, and the cursor behind it. */
type Candidate = { row: FoundRow; next: number; ranked: boolean };

/** One call: what it asks, and what it has learned of conversations on the way. */
type Search = {
  db: ReadableDb;
  request: SearchRequest;
  terms: readonly Term[];
  options: SearchOptions;
  tips: Map<string, Link | null>;
  names: Map<string, Map<AgentId, string>>;
};

/** Never fails because of the index: where it is damaged, `onDamage` is told and every message is read. Needs a connection that cannot write. */
export function searchMessages(
  db: ReadableDb,
  request: SearchRequest,
  options: SearchOptions & { onDamage?: ((error: unknown) => void) | undefined },
): SearchPage {
  let damage: unknown;
  try {
    return snapshot(db, () => {
      try {
        return pageOf(db, request, options, coveredBy(db));
      } catch (error) {
        if (isDamage(error)) damage = error;
        throw error;
      }
    });
  } catch (error) {
    if (damage === undefined) throw error;
  }
  // A transaction that has met the damage cannot be ended well: what is read instead is read in another one.
  options.onDamage?.(damage);
  return snapshot(db, () => pageOf(db, request, options, null));
}

function pageOf(db: ReadableDb, request: SearchRequest, options: SearchOptions, covered: Covered | null): SearchPage {
  const terms = parseQuery(request.query);
  const indexing = indexingOf(db);
  if (terms.length === 0 && request.filters.labelled !== true) return { hits: [], next: null, indexing };
  const search: Search = { db, request, terms, options, tips: new Map(), names: new Map() };
  const rows = request.order === 'best' ? bestFirst(search, covered) : newestFirst(candidates(search, covered));
  return { ...collect(search, rows), indexing };
}

function* newestFirst(rows: Iterable<FoundRow>): Iterable<Candidate> {
  for (const row of rows) yield { row, next: row.seq, ranked: false };
}

/**
 * What the index ranks, then all else, newest first. The cursor is a place in the ranking below zero, and a row's number above it. Beginnings of two
 * letters are not ranked: their index does not count.
 */
function* bestFirst(search: Search, covered: Covered | null): Iterable<Candidate> {
  const { db, request, terms, options } = search;
  const cursor = request.cursor ?? 0;
  const asked = questionOf(terms, request.reasoning);
  const query = asked?.sql === selectIndexed ? asked.query : null;
  const whole = { ...search, request: { ...request, cursor: cursor > 0 ? cursor : null } };
  if (covered === null || asked === null || query === null) return yield* newestFirst(candidates(whole, covered));
  const floor = rankedFrom(db, query, covered, options.rank ?? mostRanked);
  if (cursor <= 0) {
    for (const { seq, place } of rankedRows(db, query, { from: floor, to: covered.high }, -cursor)) {
      const row = select<FoundRow>(db, selectRow).get(seq);
      if (row) yield { row, next: -place, ranked: true };
    }
  }
  const { first, last } = boundsOf(db);
  const from = cursor > 0 ? Math.min(last, cursor - 1) : last;
  yield* newestFirst(readAll(db, Math.max(first, covered.high + 1), from));
  const stale = select<Seq>(db, selectStale).iterate(Math.max(covered.low, floor), Math.min(from, covered.high));
  yield* newestFirst(rowsOf(db, stale));
  yield* newestFirst(rowsOf(db, indexed(db, asked, covered.low, Math.min(from, covered.high, floor - 1))));
  yield* newestFirst(readAll(db, first, Math.min(from, covered.low - 1)));
}

/** Rows that may hold what is looked for, newest first. */
function* candidates(search: Search, covered: Covered | null): Iterable<FoundRow> {
  const { db, request, terms } = search;
  const { conversationId, labelled } = request.filters;
  const { first, last } = boundsOf(db);
  const from = request.cursor === null ? last : Math.min(last, request.cursor - 1);
  if (labelled === true) return yield* rowsOf(db, select<Seq>(db, selectLabelled).iterate(from));
  if (conversationId !== undefined && isSmall(db, conversationId)) {
    return yield* rowsOf(db, select<Seq>(db, selectOfConversation).iterate(conversationId, from));
  }
  const asked = questionOf(terms, request.reasoning);
  if (covered === null || asked === null) return yield* readAll(db, first, from);
  yield* readAll(db, Math.max(first, covered.high + 1), from);
  yield* rowsOf(db, indexed(db, asked, covered.low, Math.min(from, covered.high)));
  yield* readAll(db, first, Math.min(from, covered.low - 1));
}

/** What is asked of which index. Terms left out of it are looked for in the rows it gives, as are all. */
type Question = { sql: string; query: string };

function questionOf(terms: readonly Term[], reasoning: boolean): Question | null {
  const strong = terms.flatMap(({ phrase, start }) => (phrase === null || start !== undefined ? [] : [phrase]));
  if (strong.length > 0) return { sql: selectIndexed, query: `{${reasoning ? 'words reasoning' : 'words'}} : (${strong.join(' AND ')})` };
  const weak = terms.flatMap(({ start }) => start ?? []);
  return weak.length > 0 ? { sql: selectStarts, query: weak.join(' AND ') } : null;
}

function isSmall(db: ReadableDb, id: ConversationId): boolean {
  return (select<{ count: number }>(db, countOfConversation).get(id, readWhole + 1)?.count ?? 0) <= readWhole;
}

function* rowsOf(db: ReadableDb, seqs: Iterable<Seq>): Iterable<FoundRow> {
  for (const { seq } of seqs) {
    const row = select<FoundRow>(db, selectRow).get(seq);
    if (row) yield row;
  }
}

function* readAll(db: ReadableDb, from: number, to: number): Iterable<FoundRow> {
  if (from <= to) yield* select<FoundRow>(db, selectRows).iterate(from, to);
}

/** What the index finds, and the rows whose entry is out of date, as one. */
function* indexed(db: ReadableDb, { sql, query }: Question, from: number, to: number): Iterable<Seq> {
  if (from > to) return;
  const stale = select<Seq>(db, selectStale).all(from, to);
  const known = new Set(stale.map(({ seq }) => seq));
  let at = 0;
  for (const found of select<Seq>(db, sql).iterate(query, from, to)) {
    for (let next = stale[at]; next !== undefined && next.seq >= found.seq; next = stale[++at]) yield next;
    if (!known.has(found.seq)) yield found;
  }
  yield* stale.slice(at);
}

/** Takes rows until the page is full or the time is over. */
function collect(search: Search, rows: Iterable<Candidate>): Pick<SearchPage, 'hits' | 'next'> {
  const { clock, budget } = search.options;
  const end = clock() + budget;
  const hits: SearchHit[] = [];
  for (const { row, next, ranked } of rows) {
    const hit = take(search, row, ranked);
    if (hit) hits.push(hit);
    if (hits.length >= search.request.limit || clock() >= end) return { hits, next };
  }
  return { hits, next: null };
}

function take(search: Search, row: FoundRow, ranked: boolean): SearchHit | null {
  const { request, terms } = search;
  if (!passes(search, row)) return null;
  const match = matchOf(row, terms, request.reasoning);
  if (match === null) return null;
  const onPath = isOnItsPath(search, row);
  const { branch } = request.filters;
  if (branch !== undefined && onPath !== (branch === 'path')) return null;
  return hitOf(row, match, terms, { onPath, agentName: nameOf(search, row), ranked });
}

/** What can be told without looking at the text. */
function passes({ db, request }: Search, row: FoundRow): boolean {
  const { role, agentId, conversationId, from, until, labelled } = request.filters;
  if (isTrash(db, row.trash_id) || isTrash(db, row.conversation_trash_id)) return false;
  const asked = [
    role === undefined || row.role === role,
    agentId === undefined || row.agent_id === agentId,
    conversationId === undefined || row.conversation_id === conversationId,
    from === undefined || row.created_at >= from,
    until === undefined || row.created_at < until,
    labelled !== true || row.label !== null,
  ];
  return asked.every(Boolean);
}

function isOnItsPath({ db, tips }: Search, row: FoundRow): boolean {
  const conversationId = row.conversation_id as ConversationId;
  try {
    return withTree(db, conversationId, (tree) => {
      let tip = tips.get(conversationId);
      if (tip === undefined) {
        tip = effectiveTip(db, tree, requireConversation(db, conversationId)).tip;
        tips.set(conversationId, tip);
      }
      const message = tree.link(row.id);
      return message !== undefined && tip !== null && isOnPath(tree.link, message, tip);
    });
  } catch (error) {
    // A tree beyond repair still has its words found.
    if (error instanceof DamagedTree) return false;
    throw error;
  }
}

function nameOf({ db, names }: Search, { conversation_id, agent_id, model }: FoundRow): string | null {
  if (agent_id === null) return nameOfModel(model) ?? null;
  let known = names.get(conversation_id);
  if (known === undefined) {
    known = new Map(usedAgents(db, conversation_id as ConversationId).map((agent) => [agent.id, agent.name]));
    names.set(conversation_id, known);
  }
  return known.get(agent_id as AgentId) ?? null;
}
