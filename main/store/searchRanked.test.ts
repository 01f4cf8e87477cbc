// The order of what is found: best first as the index tells, the rest newest first, everything once.
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SearchRequest } from '../../shared/model/search';
import { change, connectionOf } from './database';
import { appendMessage } from './messages';
import { openStore, type ReadStore } from './open';
import { indexSlice, startIndex } from './searchIndex';
import { searchMessages } from './searchMessages';
import { cnv, makeMessage, makeStore, plant, type TestStore } from './storeFixture';

let test: TestStore;
let reader: ReadStore;
beforeEach(() => {
  test = makeStore();
  reader = openStore({ file: test.file, mode: 'read', now: () => 0 });
  plant(test.db, []);
});
afterEach(() => {
  reader.close();
  test.remove();
});

const write = (name: string, text: string, to = test) =>
  appendMessage(to.db, { message: makeMessage(name, null, { parts: [{ type: 'text', text }] }), tip: 'stay' });
function indexAll(to = test): void {
  while (!indexSlice(to.db, 100).done);
}
/** Every page, whatever a call has time for. */
function findAll(query: string, more: Partial<SearchRequest> = {}, options: { budget?: number; rank?: number; db?: ReadStore['db'] } = {}) {
  const found: string[] = [];
  let cursor: number | null = null;
  for (let calls = 0; calls < 200; calls++) {
    const page = searchMessages(
      options.db ?? reader.db,
      { query, filters: {}, reasoning: false, order: 'best', limit: 2, ...more, cursor },
      { clock: () => 0, budget: options.budget ?? 1, rank: options.rank },
    );
    found.push(...page.hits.map(({ messageId, ranked }) => `${messageId.slice(4)}${ranked ? '' : '?'}`));
    cursor = page.next;
    if (cursor === null) return found;
  }
  throw new Error('never done');
}

describe('best first', () => {
  it('Q1: what has the words more often, in a shorter text, comes first; of two the same the newer one', () => {
    write('long', `otter ${'and much else '.repeat(60)}`);
    write('dense', 'otter, otter, otter');
    write('short', 'an otter');
    write('other', 'no such animal');
    write('twin', 'an otter');
    indexAll();
    expect(findAll('otter')).toEqual(['dense', 'twin', 'short', 'long']);
    expect(findAll('otter', { order: 'newest' })).toEqual(['twin?', 'short?', 'dense?', 'long?']);
  });

  it('Q1: a rare word weighs more than a frequent one', () => {
    for (let at = 0; at < 20; at++) write(`m${at}`, 'a river and a bank');
    write('rare', 'a heron by a river, by a river, by a bank');
    write('both', 'a heron, a heron, a river');
    indexAll();
    expect(findAll('heron river').slice(0, 2)).toEqual(['both', 'rare']);
  });

  it('Q1: what the index lacks comes after what it ranks, newest first and marked: new rows, changed ones, and those before its beginning', () => {
    for (const name of ['old', 'older']) write(name, 'otter otter otter');
    write('ranked', 'an otter among many other words');
    write('changed', 'an otter');
    startIndex(test.db);
    // As one that was begun at the newest row.
    change(test.db, 'UPDATE search_state SET low = 5, high = 4').run();
    indexSlice(test.db, 2);
    change(test.db, 'UPDATE messages SET text = ? WHERE id = ?').run('a changed otter', 'msg_changed');
    write('new', 'otter otter');
    expect(findAll('otter')).toEqual(['ranked', 'new?', 'changed?', 'older?', 'old?']);
  });

  it('Q1: without an index, with signs alone, or with two letters, all is newest first', () => {
    write('a', 'otter c++ otter');
    write('b', 'an otter c++');
    expect(findAll('otter')).toEqual(['b?', 'a?']);
    indexAll();
    expect(findAll('++')).toEqual(['b?', 'a?']);
    expect(findAll('ot')).toEqual(['b?', 'a?']);
  });

  it('Q1, R4: of a word in more messages than are ranked, the older ones follow by age', () => {
    for (let at = 0; at < 6; at++) write(`m${at}`, 'otter '.repeat(6 - at));
    indexAll();
    expect(findAll('otter', {}, { rank: 3 })).toEqual(['m3', 'm4', 'm5', 'm2?', 'm1?', 'm0?']);
  });

  it('Q1: filters hold', () => {
    plant(test.db, [], '2');
    write('here', 'otter otter');
    appendMessage(test.db, {
      message: makeMessage('there', null, { conversationId: cnv('2'), parts: [{ type: 'text', text: 'otter' }] }),
      tip: 'stay',
    });
    indexAll();
    expect(findAll('otter', { filters: { conversationId: cnv('2') } })).toEqual(['there']);
  });

  it('Q1, R3: a damaged index ranks nothing and hides nothing', () => {
    write('a', 'otter otter');
    write('b', 'otter');
    indexAll();
    const raw = connectionOf(test.db);
    raw.unsafeMode(true);
    raw.exec('DROP TABLE search_index_docsize');
    raw.unsafeMode(false);
    reader.close();
    reader = openStore({ file: test.file, mode: 'read', now: () => 0 });
    expect(findAll('otter')).toEqual(['b?', 'a?']);
  });

  it('Q1: in any state of the index, over any pages, both orders find the same messages, each once', () => {
    const text = fc
      .array(fc.constantFrom('otter', 'heron', 'reed', 'moss'), { minLength: 1, maxLength: 5 })
      .map((words) => words.join(' '));
    const act = fc.oneof(
      { weight: 3, arbitrary: text.map((value) => ({ do: 'write' as const, value })) },
      { weight: 1, arbitrary: fc.tuple(fc.nat(12), text).map(([at, value]) => ({ do: 'change' as const, at, value })) },
      { weight: 1, arbitrary: fc.integer({ min: 1, max: 3 }).map((rows) => ({ do: 'index' as const, rows })) },
    );
    fc.assert(
      fc.property(fc.array(act, { maxLength: 20 }), fc.integer({ min: 1, max: 5 }), fc.constantFrom(0, 1), (acts, rank, budget) => {
        const other = makeStore();
        const store = openStore({ file: other.file, mode: 'read', now: () => 0 });
        try {
          plant(other.db, []);
          for (const [at, one] of acts.entries()) {
            if (one.do === 'write') write(`m${at}`, one.value, other);
            else if (one.do === 'index') indexSlice(other.db, one.rows);
            else change(other.db, 'UPDATE messages SET text = ? WHERE id = ?').run(one.value, `msg_m${one.at}`);
          }
          const bare = (found: string[]) => found.map((name) => name.replace('?', '')).sort();
          const best = bare(findAll('otter', {}, { rank, budget, db: store.db }));
          expect(best).toEqual(bare(findAll('otter', { order: 'newest' }, { db: store.db })));
          expect(new Set(best).size).toBe(best.length);
        } finally {
          store.close();
          other.remove();
        }
      }),
      { numRuns: 40 },
    );
  });
});
