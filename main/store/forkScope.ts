// Which messages a fork copies: the path, the path with what stands beside it, or everything (T9). Read a few rows at a time, because a
// conversation may have a hundred thousand; what lies in the trash is left out.
import type { ForkScope } from '../../shared/model/fork';
import type { ConversationId, MessageId } from '../../shared/model/ids';
import { DamagedTree } from '../../shared/tree/links';
import { type ReadableDb, select } from './database';
import { notTrashed } from './trashed';

export type ScopeArgs = { conversationId: ConversationId; messageId: MessageId; scope: ForkScope };

/** `add` is told of each message once; `path`: those from the root to the chosen one. */
export type ScopeSink = { add(id: string, seq: number): void; has(id: string): boolean; path: Set<string> };

type PathRow = { seq: number; parent_id: string | null; recovered: number };
type Child = { seq: number; id: string; ordinal: number };
type Placed = Child & { parent_id: string };

/** Rows read in one go. */
const page = 256;
const seen = notTrashed('messages');
const selectOne = `SELECT seq, parent_id, recovered FROM messages WHERE id = ? AND conversation_id = ? AND ${seen}`;
const selectChildren = `SELECT seq, id, ordinal FROM messages
  WHERE conversation_id = +? AND recovered = 0 AND parent_id = +? AND ordinal > +? AND ${seen} ORDER BY ordinal LIMIT ${page}`;
const selectRoots = `SELECT seq, id, ordinal FROM messages
  WHERE conversation_id = +? AND recovered = 0 AND parent_id IS NULL AND ordinal > +? AND ${seen} ORDER BY ordinal LIMIT ${page}`;
const selectRecovered = `SELECT seq, id FROM messages WHERE conversation_id = ? AND recovered = 1 AND ${seen}`;
const selectPlaced = `SELECT seq, id, parent_id, ordinal FROM messages
  WHERE conversation_id = +? AND recovered = 0 AND (parent_id, ordinal) > (+?, +?) AND ${seen} ORDER BY parent_id, ordinal LIMIT ${page}`;

/** Throws `DamagedTree` where the derived columns do not hold: rebuild them and begin again. */
export function* scopeOf(db: ReadableDb, args: ScopeArgs, sink: ScopeSink): Generator<void, void, void> {
  yield* pathOf(db, args, sink);
  if (args.scope === 'siblings') yield* besidePath(db, args, sink);
  if (args.scope === 'all') yield* everything(db, args, sink);
}

function* pathOf(db: ReadableDb, { conversationId, messageId, scope }: ScopeArgs, sink: ScopeSink): Generator<void, void, void> {
  let id: string = messageId;
  for (;;) {
    const row = select<PathRow>(db, selectOne).get(id, conversationId);
    if (row === undefined) throw new DamagedTree(id, 'is missing');
    if (sink.path.has(id)) throw new DamagedTree(id, 'is in a ring');
    sink.path.add(id);
    if (scope !== 'all') sink.add(id, row.seq);
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

/** In the order of the index, so that a page begins where the last one ended. */
function* everything(db: ReadableDb, { conversationId }: ScopeArgs, sink: ScopeSink): Generator<void, void, void> {
  const add = (rows: readonly Pick<Child, 'id' | 'seq'>[]) => {
    for (const { id, seq } of rows) sink.add(id, seq);
  };
  yield* roots(db, conversationId, add);
  let parent = '';
  let after = 0;
  for (;;) {
    const rows = select<Placed>(db, selectPlaced).all(conversationId, parent, after);
    add(rows);
    yield;
    const last = rows.at(-1);
    if (last === undefined || rows.length < page) return;
    parent = last.parent_id;
    after = last.ordinal;
  }
}
