// N1 and N2: the first view of a conversation, and the whole path for a context, beside the bare statements for the same rows.
import { connectionOf, type ReadableDb } from '../../../main/store/database';
import { readPath } from '../../../main/store/messages';
import { readTalk } from '../../../main/store/talkView';
import type { Measurement } from '../goals';
import { contest, type Effort, type Work } from '../measure';
import { type Compared, median } from '../statistics';
import { conversationNamed, conversationsOfLength, messageAtLength, type Target } from './targets';

const facts = 'parent_id, role, status, agent_id, turn_id, model, usage, meta, created_at, text, parts, depth';
const versions = `(SELECT s.ordinal FROM messages s WHERE s.conversation_id = m.conversation_id AND s.recovered = 0 AND s.parent_id = m.parent_id
  ORDER BY s.ordinal DESC LIMIT 1) AS versions`;
const factsOfM = facts.replaceAll(/\b(\w+)\b/g, 'm.$1');

type Up = { parent_id: string | null };

/** The last 50 rows of the path with their place among siblings: by point selects in one transaction, which is as fast as a recursive query here. */
function rawTail(db: ReadableDb, target: Target): Work {
  const connection = connectionOf(db);
  const begin = connection.prepare('BEGIN');
  const commit = connection.prepare('COMMIT');
  const conversation = connection.prepare<[string], { tip_id: string }>('SELECT * FROM conversations WHERE id = ?');
  const row = connection.prepare<[string], Up>(`SELECT m.id, ${factsOfM}, m.ordinal, ${versions} FROM messages m WHERE m.id = ?`);
  return () => {
    begin.run();
    const rows: Up[] = [];
    let id: string | null = conversation.get(target.conversationId)?.tip_id ?? null;
    while (id !== null && rows.length < 50) {
      const found = row.get(id);
      if (!found) break;
      rows.push(found);
      id = found.parent_id;
    }
    commit.run();
    if (rows.length !== Math.min(50, target.length)) throw new Error('The bare statements did not read the rows.');
  };
}

function rawPath(db: ReadableDb, tipId: string, length: number): Work {
  const connection = connectionOf(db);
  const begin = connection.prepare('BEGIN');
  const commit = connection.prepare('COMMIT');
  const row = connection.prepare<[string], Up>(`SELECT id, ${facts} FROM messages WHERE id = ?`);
  return () => {
    begin.run();
    const rows: Up[] = [];
    let id: string | null = tipId;
    while (id !== null) {
      const found = row.get(id);
      if (!found) break;
      rows.push(found);
      id = found.parent_id;
    }
    commit.run();
    if (rows.length !== length) throw new Error('The bare statements did not read the path.');
  };
}

const firstView = (db: ReadableDb, target: Target): Work => {
  const shown = Math.min(50, target.length);
  return () => {
    if (readTalk(db, { conversationId: target.conversationId, count: 50 }).slice.items.length !== shown)
      throw new Error('The view is short.');
  };
};

const inMs = (id: string, operation: string, compared: Compared, max: number): Measurement => ({
  id,
  operation,
  unit: 'ms',
  ...compared,
  goal: { kind: 'ratio', max },
});

/** The depth at which the first table of goals measured an ordinary conversation. */
const usualDepth = 158;
const contextLength = 1_375;

export function measureFirstView(db: ReadableDb, effort: Effort): Measurement[] {
  const [usual] = conversationsOfLength(db, usualDepth, 1);
  if (!usual) throw new Error('There is no usual conversation.');
  const deep = conversationNamed(db, 'cnv_bench_deep');
  const wide = conversationNamed(db, 'cnv_bench_wide');
  const against = (target: Target) => contest({ ours: firstView(db, target), floor: firstView(db, usual) }, effort);
  return [
    inMs(
      'N1',
      `first view: last 50 of ${usual.length} with n / m`,
      contest({ ours: firstView(db, usual), floor: rawTail(db, usual) }, effort),
      1.25,
    ),
    inMs('N1', `the same at depth ${deep.length.toLocaleString('en')}, floor: depth ${usual.length}`, against(deep), 1.2),
    inMs('N1', `the same with ${siblingsIn(db, wide).toLocaleString('en')} siblings, floor: depth ${usual.length}`, against(wide), 1.5),
  ];
}

function siblingsIn(db: ReadableDb, { conversationId }: Target): number {
  return (
    connectionOf(db).prepare<[string], number>('SELECT max(ordinal) FROM messages WHERE conversation_id = ?').pluck().get(conversationId) ??
    0
  );
}

export function measurePath(db: ReadableDb, effort: Effort): Measurement[] {
  const long = conversationNamed(db, 'cnv_bench_deep');
  const tipId = messageAtLength(db, long, contextLength);
  const ours: Work = () => {
    if (readPath(db, tipId).length !== contextLength) throw new Error('The path is short.');
  };
  const compared = contest({ ours, floor: rawPath(db, tipId, contextLength) }, effort);
  return [inMs('N2', `whole path, ${contextLength.toLocaleString('en')} messages`, compared, 1.25), slicesAnywhere(db, effort)];
}

/** Fifty messages from anywhere in the deep path: what a jump reads. */
function slicesAnywhere(db: ReadableDb, effort: Effort): Measurement {
  const deep = conversationNamed(db, 'cnv_bench_deep');
  const at = (offset: number): Work => {
    const args = { conversationId: deep.conversationId, count: 50, offset };
    return () => {
      if (readTalk(db, args).slice.items.length !== 50) throw new Error('The slice is short.');
    };
  };
  const places = [0, 0.31, 0.5, 0.77].map((share) => Math.floor((deep.length - 50) * share));
  const compared = places.map((place) =>
    contest({ ours: at(place), floor: at(deep.length - 50) }, { ...effort, rounds: effort.rounds / 2 }),
  );
  const worst = compared.reduce((a, b) => (b.ratio > a.ratio ? b : a));
  return {
    id: 'N1',
    operation: `50 from anywhere in ${deep.length.toLocaleString('en')} (slowest of ${places.length} places), floor: the end`,
    unit: 'ms',
    ...worst,
    ours: median([worst.ours]),
    goal: { kind: 'ratio', max: 2 },
  };
}
