// Which messages a fork copies: the path, the path with what stands beside it, or everything (T9). Read a few rows at a time, because a
// conversation may have a hundred thousand; what lies in the trash is left out.
import type { ForkScope } from '../../shared/model/fork';
import type { ConversationId, MessageId } from '../../shared/model/ids';
import { DamagedTree } from '../../shared/tree/links';
import { type ReadableDb, select } from './database';
import { notTrashed } from './trashed';

export type ScopeArgs = { conversationId: ConversationId; messageId: MessageId; scope: ForkScope };

/**
 * `add` is told of each message once, `addWhole` of many of the whole conversation; `path`: those from the root to the chosen one,
 * for the scopes that are made by it. */
export type ScopeSink = {
  add(id: string, seq: number): void;
  addWhole(seqs: readonly number[]): void;
  has(id: string): boolean;
  path: Set<string>;
};

type PathRow = { seq: number; parent_id: string | null; recovered: number };
type Child = { seq: number; id: string; ordinal: number };

/** Rows read in one go. */
const page = 256;
const seen = notTrashed('messages');
const selectOne = `SELECT seq, parent_id, recovered FROM messages WHERE id = ? AND conversation_id = ? AND ${seen}`;
const selectChildren = `SELECT seq, id, ordinal FROM messages
  WHERE conversation_id = +? AND recovered = 0 AND parent_id = +? AND ordinal > +? AND ${seen} ORDER BY ordinal LIMIT ${page}`;
const selectRoots = `SELECT seq, id, ordinal FROM messages
  WHERE conversation_id = +? AND recovered = 0 AND parent_id IS NULL AND ordinal > +? AND ${seen} ORDER BY ordinal LIMIT ${page}`;
const selectRecovered = `SELECT seq, id FROM messages WHERE conversation_id = ? AND recovered = 1 AND ${seen}`;
// From the index alone: the rows themselves are read once, when they are copied.
const selectPlaced = `SELECT seq FROM messages WHERE conversation_id = +? AND recovered = 0 AND (parent_id, ordinal) > (+?, +?)
  ORDER BY parent_id, ordinal LIMIT ${page}`;
const selectPlace = 'SELECT parent_id, ordinal FROM messages WHERE seq = ?';
const selectTrashed = `SELECT seq FROM messages INDEXED BY messages_trashed WHERE trash_id = +? AND seq > +? ORDER BY seq LIMIT ${page}`;

/** Throws `DamagedTree` where the derived columns do not hold: rebuild them and begin again. */
export function* scopeOf(db: ReadableDb, args: ScopeArgs, sink: ScopeSink): Generator<void, void, void> {
  if (args.scope === 'all') return yield* everything(db, args, sink);
  yield* pathOf(db, args, sink);
  if (args.scope === 'siblings') yield* besidePath(db, args, sink);
}

function* pathOf(db: ReadableDb, { conversationId, messageId }: ScopeArgs, sink: ScopeSink): Generator<void, void, void> {
  let id: string = messageId;
  for (;;) {
    const row = select<PathRow>(db, selectOne).get(id, conversationId);
    if (row === undefined) throw new DamagedTree(id, 'is missing');
    if (sink.path.has(id)) throw new DamagedTree(id, 'is in a ring');
    sink.path.add(id);
    sink.add(id, row.seq);
    if (row.parent_id === null || row.recovered === 1) return;
    id = row.parent_id;
    yield;
  }
}

function* besidePath(db: ReadableDb, { conversationId }: ScopeArgs, sink: ScopeSink): Generator<void, void, void> {
  const add = (rows: readonly Pick<Child, 'id' | 'seq'>[]) => {
    for (const { id, seq } of rows) if (!sink.has(id)) sink.add(id, seq);
  };
  for (const id of sink.path) {
    const row = select<PathRow>(db, selectOne).get(id, conversationId);
    const parent = row === undefined || row.recovered === 1 ? null : row.parent_id;
    if (parent === null) yield* roots(db, conversationId, add);
    else yield* pages((after) => select<Child>(db, selectChildren).all(conversationId, parent, after), add);
  }
}

function* roots(db: ReadableDb, conversationId: ConversationId, add: (rows: readonly Pick<Child, 'id' | 'seq'>[]) => void) {
  add(select<Child>(db, selectRecovered).all(conversationId));
  yield* pages((after) => select<Child>(db, selectRoots).all(conversationId, after), add);
}

function* pages<Row extends Child>(read: (after: number) => Row[], add: (rows: readonly Row[]) => void): Generator<void, void, void> {
  let after = 0;
  for (;;) {
    const rows = read(after);
    add(rows);
    yield;
    const last = rows.at(-1);
    if (last === undefined || rows.length < page) return;
    after = last.ordinal;
  }
}

/** In the order of the index, so that a page begins where the last one ended. What is written meanwhile stays out. */
function* everything(db: ReadableDb, { conversationId }: ScopeArgs, sink: ScopeSink): Generator<void, void, void> {
  const last = select<{ seq: number | null }>(db, 'SELECT max(seq) AS seq FROM messages').get()?.seq ?? 0;
  const gone = yield* trashedIn(db, conversationId);
  const add = (rows: readonly { seq: number }[]) =>
    sink.addWhole(rows.flatMap(({ seq }) => (seq > last || (gone.size > 0 && gone.has(seq)) ? [] : seq)));
  yield* roots(db, conversationId, add);
  let place = { parent_id: '', ordinal: 0 };
  for (;;) {
    const rows = select<{ seq: number }>(db, selectPlaced).all(conversationId, place.parent_id, place.ordinal);
    add(rows);
    const end = select<typeof place>(db, selectPlace).get(rows.at(-1)?.seq ?? 0);
    yield;
    if (end === undefined || rows.length < page) return;
    place = end;
  }
}

/** What the deletions of this conversation took. */
function* trashedIn(db: ReadableDb, conversationId: ConversationId): Generator<void, ReadonlySet<number>, void> {
  const gone = new Set<number>();
  for (const { id } of select<{ id: string }>(db, 'SELECT id FROM trash WHERE conversation_id = ?').all(conversationId)) {
    let after = 0;
    for (;;) {
      const rows = select<{ seq: number }>(db, selectTrashed).all(id, after);
      for (const { seq } of rows) gone.add(seq);
      yield;
      const end = rows.at(-1);
      if (end === undefined || rows.length < page) break;
      after = end.seq;
    }
  }
  return gone;
}
