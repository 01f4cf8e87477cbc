// Search over a real database: what is found, whatever the index has of it.
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { BlobHash } from '../../shared/model/ids';
import type { Message, Part } from '../../shared/model/message';
import type { SearchRequest } from '../../shared/model/search';
import { foldForSearch } from '../../shared/text/foldForSearch';
import { change, connectionOf } from './database';
import { appendMessage } from './messages';
import { openStore, type ReadStore } from './open';
import { coveredBy, indexingOf, indexSlice, startIndex } from './searchIndex';
import { searchMessages } from './searchMessages';
import { agentNamed, cnv, makeMessage, makeStore, msg, plant, type TestStore } from './storeFixture';
import { moveTip } from './tips';
import { rememberAgent } from './usedAgents';

let test: TestStore;
let reader: ReadStore;
beforeEach(() => {
  test = makeStore();
  reader = openStore({ file: test.file, mode: 'read', now: () => 0 });
});
afterEach(() => {
  reader.close();
  test.remove();
});

const text = (value: string): Part[] => [{ type: 'text', text: value }];
function write(name: string, parent: string | null, parts: string | Part[], more: Partial<Message> = {}): void {
  const message = makeMessage(name, parent, { parts: typeof parts === 'string' ? text(parts) : parts, ...more });
  appendMessage(test.db, { message, tip: 'follow' });
}
function indexAll(rows = 100): void {
  for (let slices = 0; slices < 10_000; slices++) if (indexSlice(test.db, rows).done) return;
  throw new Error('the index is never done');
}
function find(query: string, more: Partial<SearchRequest> = {}) {
  return searchMessages(
    reader.db,
    { query, filters: {}, reasoning: false, cursor: null, limit: 50, ...more },
    { clock: () => 0, budget: 1 },
  );
}
const names = (query: string, more: Partial<SearchRequest> = {}) => find(query, more).hits.map(({ messageId }) => messageId.slice(4));

/** The same question to a workspace without an index, with half of one and with the whole. */
function everyStage(check: (stage: string) => void): void {
  check('none');
  startIndex(test.db);
  indexSlice(test.db, 2);
  check('some');
  indexAll();
  expect(indexingOf(reader.db)).toBeNull();
  check('all');
}

describe('finding messages', () => {
  it('Q1: newest first, on every branch, those beside the path marked', () => {
    plant(test.db, []);
    write('q', null, 'a question about otters');
    write('one', 'q', 'Otters swim');
    moveTip(test.db, { conversationId: cnv('1'), to: msg('q') });
    write('two', 'q', 'Otters sleep');
    everyStage((stage) => {
      const { hits } = find('otter');
      expect([stage, hits.map(({ messageId, onPath }) => [messageId, onPath])]).toEqual([
        stage,
        [
          [msg('two'), true],
          [msg('one'), false],
          [msg('q'), true],
        ],
      ]);
      expect(names('otter', { filters: { branch: 'other' } })).toEqual(['one']);
      expect(names('otter', { filters: { branch: 'path' } })).toEqual(['two', 'q']);
    });
  });

  it('Q1: the snippet shows the words that were found, and who wrote where', () => {
    plant(test.db, []);
    rememberAgent(test.db, { conversationId: cnv('1'), agent: agentNamed('Iris') });
    const long = `${'before '.repeat(60)}the naïve\n\nanswer${' after'.repeat(60)}`;
    write('a', null, long, { role: 'assistant', agentId: agentNamed('Iris').id, createdAt: 7 });
    const [hit] = find('NAIVE answ').hits;
    expect(hit).toMatchObject({ conversationId: cnv('1'), role: 'assistant', agentName: 'Iris', createdAt: 7, onPath: true, label: null });
    write('b', 'a', 'kingfisher', { role: 'assistant', agentId: undefined, model: 'openai/gpt-4o' });
    expect(find('kingfisher').hits[0]).toMatchObject({ agentId: null, agentName: 'gpt-4o' });
    const { text: piece = '', marks = [] } = hit?.snippet ?? {};
    expect(marks.map(([from, to]) => piece.slice(from, to))).toEqual(['naïve', 'answ']);
    expect(piece).toMatch(/^….*the naïve answer after.*…$/);
    expect(piece.length).toBeLessThan(240);
  });

  it('Q1: names, arguments and summaries of tool calls are found, and names of files; reasoning when it is asked for', () => {
    plant(test.db, []);
    const call: Part = {
      type: 'toolCall',
      callId: 'c',
      name: 'run_command',
      arguments: '{"command":"grep -r \\u6587\\u4ef6\\n src"}',
      summary: 'found 3 lines',
    };
    write('call', null, [{ type: 'reasoning', text: 'pondering deeply' }, call]);
    write('file', 'call', [{ type: 'file', hash: 'a'.repeat(64) as BlobHash, mime: 'text/plain', name: 'notes.md', size: 1 }]);
    everyStage(() => {
      for (const query of ['run_command', 'grep', '文件', '件', 'found lines', '"grep -r"'])
        expect([query, names(query)]).toEqual([query, ['call']]);
      expect(names('notes.md')).toEqual(['file']);
      expect(names('ponder')).toEqual([]);
      const thought = find('ponder', { reasoning: true }).hits;
      expect(thought.map(({ messageId, inReasoning }) => [messageId, inReasoning])).toEqual([[msg('call'), true]]);
      // One word said, one thought.
      expect(names('ponder grep', { reasoning: true })).toEqual(['call']);
      expect(names('u6587')).toEqual([]);
    });
  });

  it('Q1: filters by role, agent, time, conversation and label', () => {
    plant(test.db, [], '1');
    plant(test.db, [], '2');
    const agentId = agentNamed('Iris').id;
    write('a', null, 'otter', { createdAt: 10 });
    write('b', 'a', 'otter', { role: 'assistant', agentId, createdAt: 20 });
    write('c', null, 'otter', { conversationId: cnv('2'), createdAt: 30 });
    change(test.db, 'INSERT INTO labels (message_id, conversation_id, label, created_at) VALUES (?, ?, ?, ?)').run(
      msg('b'),
      cnv('1'),
      'good',
      1,
    );
    everyStage(() => {
      expect(names('otter')).toEqual(['c', 'b', 'a']);
      expect(names('otter', { filters: { role: 'assistant' } })).toEqual(['b']);
      expect(names('otter', { filters: { agentId } })).toEqual(['b']);
      expect(names('otter', { filters: { from: 10, until: 30 } })).toEqual(['b', 'a']);
      expect(names('otter', { filters: { conversationId: cnv('1') } })).toEqual(['b', 'a']);
      expect(find('otter', { filters: { labelled: true } }).hits.map(({ label }) => label)).toEqual(['good']);
      expect(names('', { filters: { labelled: true } })).toEqual(['b']);
      expect(names('')).toEqual([]);
    });
  });

  it('Q1, T8: what lies in the trash is not found, and comes back with undo', () => {
    plant(test.db, ['a', 'b<a']);
    const trash = connectionOf(test.db);
    everyStage(() => {
      expect(names('text')).toEqual(['b', 'a']);
      trash.exec(`UPDATE messages SET trash_id = 't1' WHERE id = 'msg_b';
        INSERT INTO trash (id, conversation_id, message_id, messages, deleted_at) VALUES ('t1', 'cnv_1', 'msg_b', 1, 1)`);
      expect(names('text')).toEqual(['a']);
      trash.exec(
        "DELETE FROM trash; UPDATE messages SET trash_id = NULL; UPDATE conversations SET trash_id = 't2'; INSERT INTO trash (id, conversation_id, messages, deleted_at) VALUES ('t2', 'cnv_1', 2, 1)",
      );
      expect(names('text')).toEqual([]);
      trash.exec('DELETE FROM trash; UPDATE conversations SET trash_id = NULL');
    });
  });

  it('Q1: page after page gives everything once, also when the time of a call is over after each row', () => {
    plant(
      test.db,
      Array.from({ length: 30 }, (_, at) => (at === 0 ? 'm0' : `m${at}<m${at - 1}`)),
    );
    everyStage(() => {
      for (const budget of [0, 1_000]) {
        const found: string[] = [];
        let cursor: number | null = null;
        let pages = 0;
        do {
          const page = searchMessages(
            reader.db,
            { query: 'text', filters: {}, reasoning: false, cursor, limit: 7 },
            { clock: () => 0, budget },
          );
          found.push(...page.hits.map(({ messageId }) => messageId));
          cursor = page.next;
          pages++;
        } while (cursor !== null && pages < 100);
        expect(found).toEqual(Array.from({ length: 30 }, (_, at) => msg(`m${29 - at}`)));
        if (budget === 0) expect(pages).toBeGreaterThan(29);
      }
    });
  });
});

describe('the index', () => {
  it('N3, Q1: an appended message is found at once and costs the index nothing in its transaction', () => {
    plant(test.db, ['a']);
    indexAll();
    write('b', 'a', 'a fresh word');
    expect(coveredBy(reader.db)).toEqual({ low: 1, high: 1 });
    expect(names('fresh')).toEqual(['b']);
    indexAll();
    expect(coveredBy(reader.db)).toEqual({ low: 1, high: 2 });
    expect(names('fresh')).toEqual(['b']);
  });

  it('Q1: what is deleted or changed leaves the index, and a row in the place of a deleted one is found', () => {
    plant(test.db, ['a', 'b<a', 'c<b']);
    indexAll();
    const raw = connectionOf(test.db);
    raw.exec("DELETE FROM messages WHERE id = 'msg_c'; UPDATE messages SET text = 'changed words' WHERE id = 'msg_b'");
    write('d', 'b', 'in the old place');
    expect(raw.prepare('SELECT seq FROM messages WHERE id = ?').pluck().get(msg('d'))).toBe(3);
    for (const stage of ['before', 'after']) {
      expect([stage, names('text')]).toEqual([stage, ['a']]);
      expect(names('changed')).toEqual(['b']);
      expect(names('place')).toEqual(['d']);
      indexAll();
    }
    expect(raw.prepare('SELECT count(*) FROM search_stale').pluck().get()).toBe(0);
    expect(raw.prepare("SELECT count(*) FROM search_index WHERE search_index MATCH 'text'").pluck().get()).toBe(1);
  });

  it('Q1, R4: a message of millions of characters is found without being indexed', () => {
    plant(test.db, []);
    write('big', null, `${'filler '.repeat(100_000)} needle`);
    write('small', 'big', 'needle');
    indexAll();
    expect(names('needle')).toEqual(['small', 'big']);
    expect(connectionOf(test.db).prepare('SELECT seq, kept FROM search_stale').all()).toEqual([{ seq: 1, kept: 1 }]);
    connectionOf(test.db).exec("DELETE FROM messages WHERE id = 'msg_small'; DELETE FROM messages WHERE id = 'msg_big'");
    indexAll();
    expect(names('needle')).toEqual([]);
    expect(connectionOf(test.db).prepare('SELECT count(*) FROM search_stale').pluck().get()).toBe(0);
  });

  it('R4: how far it has come is known', () => {
    plant(test.db, ['a', 'b', 'c', 'd']);
    expect(indexingOf(reader.db)).toEqual({ done: 0, total: 4 });
    startIndex(test.db);
    indexSlice(test.db, 1);
    expect(indexingOf(reader.db)).toEqual({ done: 1, total: 4 });
    expect(find('text').indexing).toEqual({ done: 1, total: 4 });
    indexAll();
    expect(find('text').indexing).toBeNull();
  });

  it.each([
    ['its data are gone', 'DELETE FROM search_index_data'],
    ['its data are overwritten', 'UPDATE search_index_data SET block = zeroblob(40)'],
    ['a part of it is dropped', 'DROP TABLE search_index_data'],
    ['all of it is dropped', 'DROP TABLE search_index'],
    ['its beginnings are gone', 'DROP TABLE search_starts'],
    ['its lengths are gone', 'DROP TABLE search_index_docsize'],
    ['another version wrote it', 'UPDATE search_state SET version = 99'],
  ])('Q1, R3: when %s, everything is still found, and a new index is made', (_, damage) => {
    plant(test.db, ['a', 'b<a']);
    indexAll();
    reader.close();
    const raw = connectionOf(test.db);
    raw.unsafeMode(true);
    raw.exec(damage);
    raw.unsafeMode(false);
    reader = openStore({ file: test.file, mode: 'read', now: () => 0 });
    let told = 0;
    const page = searchMessages(
      reader.db,
      { query: 'text', filters: {}, reasoning: false, cursor: null, limit: 9 },
      { clock: () => 0, budget: 9, onDamage: () => told++ },
    );
    expect(page.hits.map(({ messageId }) => messageId)).toEqual([msg('b'), msg('a')]);
    startIndex(test.db);
    indexAll();
    expect(names('text')).toEqual(['b', 'a']);
    expect(coveredBy(reader.db)).toEqual({ low: 1, high: 2 });
    expect(raw.prepare("SELECT count(*) FROM search_index WHERE search_index MATCH 'text'").pluck().get()).toBe(2);
  });

  it('Q1: in any order of writing, deleting, changing and indexing, exactly what holds the words is found', () => {
    const pieces = ['ab', 'abc', 'b', 'Ünï', '文件', '系统', '件', 'слово', 'Ёж', 'c++', '👍', '\n', ' ', '-', 'がぎ', '한글'];
    const someText = fc
      .array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 8 })
      .map((all) => all.join(' ').replaceAll(/ (?=[件系])/g, ''));
    const act = fc.oneof(
      { weight: 4, arbitrary: someText.map((value) => ({ do: 'write' as const, value })) },
      { weight: 1, arbitrary: fc.nat(20).map((at) => ({ do: 'delete' as const, at })) },
      { weight: 1, arbitrary: fc.tuple(fc.nat(20), someText).map(([at, value]) => ({ do: 'change' as const, at, value })) },
      { weight: 2, arbitrary: fc.integer({ min: 1, max: 3 }).map((rows) => ({ do: 'index' as const, rows })) },
    );
    fc.assert(
      fc.property(
        fc.array(act, { maxLength: 25 }),
        fc.constantFrom(...pieces.filter((one) => one.trim() !== ''), 'a', '件系', '文件 ab', '"ab ab"', 'ё', '-'),
        (acts, query) => {
          const other = makeStore();
          const store = openStore({ file: other.file, mode: 'read', now: () => 0 });
          try {
            plant(other.db, []);
            const held = new Map<string, string>();
            for (const [at, one] of acts.entries()) {
              const id = 'at' in one ? [...held.keys()][one.at] : undefined;
              if (one.do === 'write') {
                appendMessage(other.db, { message: makeMessage(`m${at}`, null, { parts: text(one.value) }), tip: 'stay' });
                held.set(msg(`m${at}`), one.value);
              } else if (one.do === 'index') indexSlice(other.db, one.rows);
              else if (id !== undefined && one.do === 'delete') {
                change(other.db, 'DELETE FROM messages WHERE id = ?').run(id);
                held.delete(id);
              } else if (id !== undefined && one.do === 'change') {
                change(other.db, 'UPDATE messages SET text = ? WHERE id = ?').run(one.value, id);
                held.set(id, one.value);
              }
            }
            const { hits } = searchMessages(
              store.db,
              { query, filters: {}, reasoning: false, cursor: null, limit: 99 },
              { clock: () => 0, budget: 1 },
            );
            expect(hits.map(({ messageId }) => messageId).sort()).toEqual(
              [...held]
                .filter(([, value]) => contains(value, query))
                .map(([id]) => id)
                .sort(),
            );
          } finally {
            store.close();
            other.remove();
          }
        },
      ),
      { numRuns: 60 },
    );
  });
});

/** What "contained" means, told without the words, patterns and index of the search: at the start of a word, or anywhere in a script without spaces. */
function contains(value: string, query: string): boolean {
  const folded = foldForSearch(value);
  // A word ends where writing without spaces begins.
  const spaced = folded.replaceAll(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]+/gu, ' 文 ');
  const parts = query.startsWith('"') ? [foldForSearch(query.slice(1, -1))] : foldForSearch(query).split(' ');
  return parts.every((part) => {
    if (!/^[a-zа-я]/.test(part)) return folded.includes(part);
    const whole = query.startsWith('"') || part.length === 1;
    return whole
      ? ` ${spaced.replaceAll(/[^\p{L}\p{N}]+/gu, ' ')} `.includes(` ${part} `) || (part === 'c++' && folded.includes('c++'))
      : ` ${spaced}`.replaceAll(/[\n-]/g, ' ').includes(` ${part}`);
  });
}
