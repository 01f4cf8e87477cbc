// N7: search over all messages beside the bare index and the same rows, and what the index costs.
import { connectionOf, type ReadableDb, type WritableDb } from '../../../main/store/database';
import { openStore } from '../../../main/store/open';
import { indexingOf, indexSlice } from '../../../main/store/searchIndex';
import { searchMessages } from '../../../main/store/searchMessages';
import { parseQuery } from '../../../shared/text/searchQuery';
import { seeded } from '../data/random';
import { chinese, english, japanese, russian } from '../data/words';
import type { Measurement } from '../goals';
import { median, quantile } from '../statistics';

const page = 20;
const roundsOfQuery = 7;
/** Milliseconds a slice of the indexer is to take, as in the program. */
const sliceTime = 8;
const cjk = ['文件', '系统', '件系统', '検索', '索引', '的', '数'];

/** A hundred questions, the same in every run: common and rare words, words begun, two words, phrases, scripts without spaces. */
function queries(): string[] {
  const random = seeded(7);
  const word = (words: readonly string[]) => random.pick(words);
  const begun = () => {
    const one = word(english);
    return one.slice(0, Math.max(2, Math.min(one.length - 1, random.between(2, 4))));
  };
  const many = (count: number, make: () => string) => Array.from({ length: count }, make);
  return [
    ...['the', 'a', 'of', 'и', '的', 'は'],
    ...many(24, () => word(english)),
    ...many(20, begun),
    ...many(15, () => `${word(english)} ${begun()}`),
    ...many(8, () => `"${word(english)} ${word(english)}"`),
    ...many(10, () => word(russian)),
    ...many(10, () => word(chinese)),
    ...many(7, () => word(japanese)),
  ];
}

const time = (run: () => void): number => {
  const start = process.hrtime.bigint();
  run();
  return Number(process.hrtime.bigint() - start) / 1e6;
};

/** The newest rows that the index gives, with text and title, and the climb by jump pointers from each tip: what any page of hits must read. */
function rawSearch(db: ReadableDb): (query: string) => void {
  const connection = connectionOf(db);
  const begin = connection.prepare('BEGIN');
  const commit = connection.prepare('COMMIT');
  const found = connection.prepare<[string], { rowid: number }>(
    `SELECT rowid FROM search_index WHERE search_index MATCH ? ORDER BY rowid DESC LIMIT ${page}`,
  );
  const begun = connection.prepare<[string], { rowid: number }>(
    `SELECT rowid FROM search_starts WHERE search_starts MATCH ? ORDER BY rowid DESC LIMIT ${page}`,
  );
  const row = connection.prepare<
    [number],
    { tip_id: string; depth: number }
  >(`SELECT m.id, m.role, m.agent_id, m.created_at, m.text, m.parts, m.depth, m.jump_id, c.title, c.tip_id
    FROM messages m JOIN conversations c ON c.id = m.conversation_id WHERE m.seq = ?`);
  const link = connection.prepare<[string], Link>('SELECT id, parent_id, depth, jump_id FROM messages WHERE id = ?');
  const climb = (tipId: string, depth: number) => {
    let at = link.get(tipId);
    while (at && at.depth > depth) {
      const jump = link.get(at.jump_id);
      at = jump && jump.depth >= depth ? jump : link.get(at.parent_id);
    }
  };
  return (query) => {
    begin.run();
    const [only, ...more] = parseQuery(query);
    const rows = only?.start !== undefined && more.length === 0 ? begun.all(only.start) : found.all(matchOf(query));
    for (const { rowid } of rows) {
      const one = row.get(rowid);
      if (one) climb(one.tip_id, one.depth);
    }
    commit.run();
  };
}

type Link = { id: string; parent_id: string; depth: number; jump_id: string };

const matchOf = (query: string) =>
  `words : (${parseQuery(query)
    .flatMap(({ phrase }) => phrase ?? [])
    .join(' AND ')})`;

export function measureSearch(db: WritableDb, file: string): Measurement[] {
  const build = buildIndex(db);
  const reader = openStore({ file, mode: 'read', now: Date.now });
  try {
    const options = { clock: () => performance.now(), budget: 10_000 };
    const ours = (query: string) =>
      void searchMessages(reader.db, { query, filters: {}, reasoning: false, cursor: null, limit: page }, options);
    const floor = rawSearch(reader.db);
    const times = queries().map((query) => {
      const pairs = Array.from({ length: roundsOfQuery }, () => ({ ours: time(() => ours(query)), floor: time(() => floor(query)) })).slice(
        1,
      );
      return { ours: median(pairs.map((pair) => pair.ours)), floor: median(pairs.map((pair) => pair.floor)) };
    });
    const at = (share: number) => {
      const [a, b] = [
        quantile(
          times.map((one) => one.ours),
          share,
        ),
        quantile(
          times.map((one) => one.floor),
          share,
        ),
      ];
      return { ours: a, floor: b, ratio: a / b, rounds: times.length };
    };
    const base = { id: 'N7', unit: 'ms' as const };
    return [
      { ...base, operation: 'search, newest 20 of 100 questions, median; floor: index and rows', ...at(0.5), goal: { kind: 'none' } },
      { ...base, operation: 'the same, p95', ...at(0.95), goal: { kind: 'ratio', max: 3 } },
      {
        id: 'N7',
        unit: '',
        operation: 'scripts without spaces: rows LIKE finds and the index lacks',
        ours: missing(reader.db),
        goal: { kind: 'count', max: 0 },
      },
      ...build,
    ];
  } finally {
    reader.close();
  }
}

function buildIndex(db: WritableDb): Measurement[] {
  const connection = connectionOf(db);
  const slices: number[] = [];
  const cpu: number[] = [];
  let rows = 8;
  let done = false;
  while (!done) {
    let made = 0;
    const before = process.cpuUsage();
    const took = time(() => {
      const slice = indexSlice(db, rows);
      made = slice.rows;
      done = slice.done;
    });
    if (made > 0) {
      const { user, system } = process.cpuUsage(before);
      slices.push(took);
      cpu.push((user + system) / 1000);
    }
    if (made >= rows) rows = Math.round(Math.min(256, Math.max(1, Math.min(rows * 2, (rows * sliceTime) / took))));
    if (slices.length % 48 === 0) connection.pragma('wal_checkpoint(PASSIVE)');
  }
  if (indexingOf(db) !== null) throw new Error('The index does not hold everything.');
  const number = (sql: string) => Number(connection.prepare(sql).pluck().get());
  const count = number('SELECT count(*) FROM messages');
  const text = number('SELECT sum(length(CAST(coalesce(text, parts) AS BLOB))) FROM messages');
  const index = number("SELECT sum(pgsize) FROM dbstat WHERE name LIKE 'search_index%' OR name LIKE 'search_starts%'");
  const all = slices.reduce((sum, one) => sum + one, 0);
  const note = `processor time at p99 ${quantile(cpu, 0.99).toFixed(1)} ms, at most ${Math.max(...cpu).toFixed(1)} ms`;
  return [
    {
      id: 'N7',
      unit: '',
      operation: 'bytes of the index for 100 bytes of text',
      ours: (index / text) * 100,
      goal: { kind: 'absolute', max: 65 },
    },
    { id: 'N7', unit: 'ms', operation: 'indexing 1,000 messages in the background', ours: (all / count) * 1000, goal: { kind: 'none' } },
    { id: 'N7', unit: 'ms', operation: 'a slice of it, p99', ours: quantile(slices, 0.99), goal: { kind: 'absolute', max: 50 }, note },
  ];
}

/** Held against a reading of every row. */
function missing(db: ReadableDb): number {
  const connection = connectionOf(db);
  const like = connection.prepare<[string], number>("SELECT seq FROM messages WHERE text LIKE '%' || ? || '%'").pluck();
  const match = connection.prepare<[string], number>('SELECT rowid FROM search_index WHERE search_index MATCH ?').pluck();
  let lacking = 0;
  for (const query of cjk) {
    const found = new Set(match.all(matchOf(query)));
    for (const seq of like.all(query)) if (!found.has(seq)) lacking++;
  }
  return lacking;
}
