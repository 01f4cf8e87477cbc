// The whole way of an import: real files, a real database, real blobs.
import { cpSync, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import yazl from 'yazl';
import { FailureError, makeFailure } from '../../../shared/model/failure';
import type { BlobHash, ConversationId, MessageId } from '../../../shared/model/ids';
import type { ImportMode, ImportReport } from '../../../shared/model/importReport';
import { textOf } from '../../../shared/model/message';
import { sampleFolder, tempFiles } from '../../interchange/importFixture';
import { createImportReader } from '../../interchange/importReader';
import { type ImportSink, runImport } from '../../interchange/importRun';
import { createNewId } from '../../lib/newId';
import { addBlobRow } from '../../store/blobRows';
import { listConversations } from '../../store/conversations';
import { connectionOf } from '../../store/database';
import { childrenOf, readPath } from '../../store/messages';
import { rebuildDerived } from '../../store/repair';
import { makeStore, type TestStore } from '../../store/storeFixture';
import { readTalk } from '../../store/talkView';
import { moveTip } from '../../store/tips';
import { createBlobStore } from '../../transcript/blobs';
import { createTranscripts } from '../../transcript/transcripts';
import { createImportSink } from './sink';
import { removeLeftovers } from './writing';

let test: TestStore;
let files: ReturnType<typeof tempFiles>;
const now = () => Date.UTC(2026, 10, 30);
const newId = createNewId(now);
beforeEach(() => {
  test = makeStore();
  files = tempFiles();
});
afterEach(() => {
  test.remove();
  files.remove();
});

const blobsHere = () =>
  createBlobStore({
    folder: join(test.folder, 'blobs'),
    record: (blob: { hash: BlobHash; size: number; mime: string }) => addBlobRow(test.db, { ...blob, createdAt: now() }),
  });
const transcriptsOf = () => createTranscripts({ folder: join(test.folder, 'transcripts'), blobs: blobsHere() });
const sinkOf = (mode: ImportMode): ImportSink => {
  const blobs = blobsHere();
  return createImportSink({
    db: test.db,
    blobs,
    transcripts: transcriptsOf(),
    readPdf: async () => ({ text: 'pdf', pages: 1 }),
    newId,
    now,
    agentId: null,
    mode,
  });
};
const run = (paths: string[], mode: ImportMode = 'skip', more: Partial<Parameters<typeof runImport>[0]> = {}): Promise<ImportReport> =>
  runImport({ reader: createImportReader(paths), sink: sinkOf(mode), ...more });
const sample = (name: string) => join(sampleFolder, name);
const all = () => [...listConversations(test.db, { archived: false }), ...listConversations(test.db, { archived: true })];
const titled = (title: string) => all().find((one) => one.title === title)!;
const rows = (sql: string) => connectionOf(test.db).prepare(sql).all();
const derivedColumns = () => rows('SELECT id, ordinal, depth, jump_id, recovered FROM messages ORDER BY seq');

const chat = (id: string, turns: number, more: object = {}) => {
  const mapping: Record<string, unknown> = { root: { id: 'root', message: null, parent: null, children: [] } };
  for (let turn = 0; turn < turns; turn++) {
    mapping[`m${turn}`] = {
      id: `m${turn}`,
      parent: turn === 0 ? 'root' : `m${turn - 1}`,
      message: {
        id: `m${turn}`,
        author: { role: turn % 2 ? 'assistant' : 'user' },
        create_time: 1_700_000_000 + turn,
        content: { content_type: 'text', parts: [`text ${turn} of ${id}`] },
      },
    };
  }
  return { id, conversation_id: id, title: `Chat ${id}`, create_time: 1_700_000_000, mapping, current_node: `m${turns - 1}`, ...more };
};

describe('writing', () => {
  it('I3, T2, T7: what is derived from the parents is as the store itself would derive it, in every sample', async () => {
    await run(
      readdirSync(sampleFolder)
        .filter((name) => !name.includes('.expect.'))
        .map(sample),
    );
    expect(all().length).toBeGreaterThan(25);
    const before = derivedColumns();
    expect(before.length).toBeGreaterThan(300);
    for (const { id } of all()) rebuildDerived(test.db, id);
    expect(derivedColumns()).toEqual(before);
  });

  it('I3: a conversation without a title is named by its first words, without the marks of Markdown', async () => {
    const untitled = chat('a', 2, { title: null });
    untitled.mapping['m0'] = {
      ...Object(untitled.mapping['m0']),
      message: { author: { role: 'user' }, content: { content_type: 'text', parts: ['**Fix** the `foo`\n\n- now'] } },
    };
    await run([files.write('a.json', [untitled])]);
    expect(all()).toMatchObject([{ title: 'Fix the foo now', titleSource: 'auto' }]);
  });

  it('I3, T3: the tip stands at the end of the active path, and the conversation opens there', async () => {
    await run([sample('claude-branches.json')]);
    const garden = titled('Garden irrigation plan');
    const { slice: view } = readTalk(test.db, { conversationId: garden.id, count: 50 });
    expect(view.items.map(({ parts }) => textOf({ parts })).at(-1)).toContain('6.1 litres a day');
    expect(view.items).toHaveLength(6);
    expect(garden.createdAt).toBe(Date.parse('2026-01-05T08:00:00.123456Z'));
    expect(garden.updatedAt).toBe(Date.parse('2026-01-05T09:00:00.123456Z'));
  });

  it('T7: a ring and an orphan stand as recovered roots, and stay so after the tree was rebuilt', async () => {
    await run([sample('chatgpt-traps.json')]);
    for (const title of ['Cycle in parents', 'Several roots, no current node']) {
      const { id } = titled(title);
      const recovered = rows(`SELECT id FROM messages WHERE conversation_id = '${id}' AND recovered = 1`);
      expect(recovered).toHaveLength(1);
      rebuildDerived(test.db, id);
      expect(rows(`SELECT id FROM messages WHERE conversation_id = '${id}' AND recovered = 1`)).toEqual(recovered);
    }
  });

  it('I5: hostile titles and texts are plain text; what turns the direction of text is gone from titles', async () => {
    await run([sample('chatgpt-traps.json')]);
    const hostile = titled('"><script>alert(1)</script><img src=x onerror=alert(2)>');
    expect(textOf(readPath(test.db, hostile.tipId!)[0]!)).toContain('<script>alert(document.cookie)</script>');
    expect(all().some(({ title }) => /[\u202a-\u202e\p{Cc}]/u.test(title))).toBe(false);
    expect(all().some(({ title }) => title.includes('gnp.exe'))).toBe(true);
  });

  it('X7, I3: imported messages belong to no agent and keep the name of their model', async () => {
    await run([sample('claude-branches.json'), sample('pi-v3-branches.jsonl')]);
    const path = readPath(test.db, titled('Comment pass').tipId!);
    expect(path.every(({ agentId, turnId }) => agentId === undefined && turnId === undefined)).toBe(true);
    expect(path.find(({ role }) => role === 'assistant')?.model).toBe('claude-example-1');
    expect(rows('SELECT label FROM labels ORDER BY label')).toEqual([{ label: 'before the split' }, { label: 'done' }]);
  });

  it('I3: a tree of 20,000 messages is written in turns, and seen only when it is whole', async () => {
    const seen: number[] = [];
    const path = files.write('big.json', [chat('big', 20_000)]);
    const running = run([path]);
    let isRunning = true;
    void running.finally(() => {
      isRunning = false;
    });
    while (isRunning) {
      seen.push(all().length);
      await new Promise((resolve) => setImmediate(resolve));
    }
    const report = await running;
    expect(report.total).toMatchObject({ conversations: 1, messages: 20_000, branches: 1 });
    expect(seen.filter((number) => number === 0).length).toBeGreaterThan(50);
    expect(readPath(test.db, titled('Chat big').tipId!)).toHaveLength(20_000);
  });
});

describe('a second import', () => {
  it('I3: skips what is known and says so', async () => {
    const first = await run([sample('chatgpt-traps.json')]);
    const count = all().length;
    const second = await run([sample('chatgpt-traps.json')]);
    expect(second.total).toMatchObject({ conversations: 0, messages: 0 });
    expect(second.files[0]?.skipped.filter(({ reason }) => reason === 'known')).toHaveLength(first.total.conversations);
    expect(all()).toHaveLength(count);
  });

  it('I3: copies on demand', async () => {
    await run([files.write('a.json', [chat('a', 4)])]);
    await run([files.write('a.json', [chat('a', 4)])], 'copy');
    expect(all().filter(({ title }) => title === 'Chat a')).toHaveLength(2);
  });

  it('I3, T1: update adds what is new and changes nothing that is there; the tip follows along its branch', async () => {
    await run([files.write('a.json', [chat('a', 4)])]);
    const before = rows('SELECT * FROM messages ORDER BY seq');
    const changed = chat('a', 6);
    changed.mapping['m0'] = {
      ...Object(changed.mapping['m0']),
      message: { author: { role: 'user' }, content: { content_type: 'text', parts: ['changed'] } },
    };
    const report = await run([files.write('a.json', [changed])], 'update');
    expect(report.total).toMatchObject({ conversations: 0, updated: 1, messages: 2 });
    expect(rows('SELECT * FROM messages ORDER BY seq').slice(0, 4)).toEqual(before);
    const [one] = all();
    expect(readPath(test.db, one!.tipId!).map(textOf)).toEqual([0, 1, 2, 3, 4, 5].map((turn) => `text ${turn} of a`));
    expect((await run([files.write('a.json', [changed])], 'update')).files[0]?.skipped).toEqual([{ title: 'Chat a', reason: 'known' }]);
  });

  it('I3, I4: two exports of one conversation in one import: with update the second adds what the first lacks', async () => {
    const report = await run([files.write('a.json', [chat('a', 2), chat('b', 1), chat('a', 4)])], 'update');
    expect(report.total).toMatchObject({ conversations: 2, updated: 1, messages: 5 });
    expect(report.files[0]?.skipped).toEqual([]);
    expect(rows('SELECT count(*) AS n FROM messages')).toEqual([{ n: 5 }]);
  });

  it('I3, T3: update leaves the tip where the user went on another branch', async () => {
    await run([files.write('a.json', [chat('a', 4)])]);
    const [{ id } = { id: '' as ConversationId }] = all();
    const root = childrenOf(test.db, { conversationId: id, parentId: null })[0]!.id;
    const branch = chat('a', 4);
    branch.mapping['other'] = {
      id: 'other',
      parent: 'm0',
      message: { author: { role: 'assistant' }, create_time: 1_700_000_900, content: { content_type: 'text', parts: ['other'] } },
    };
    branch.current_node = 'other';
    await run([files.write('a.json', [branch])], 'update');
    expect(readPath(test.db, all()[0]!.tipId!)).toHaveLength(4);
    moveTip(test.db, { conversationId: id, to: root });
    expect(childrenOf(test.db, { conversationId: id, parentId: root as MessageId })).toHaveLength(2);
  });

  it('I3, T7: a parent that was missing joins its children when a later import brings it', async () => {
    const whole = chat('a', 4);
    const { m1: _, ...rest } = whole.mapping;
    await run([files.write('a.json', [{ ...whole, mapping: rest }])]);
    expect(rows('SELECT id FROM messages WHERE recovered = 1')).toHaveLength(1);
    await run([files.write('a.json', [whole])], 'update');
    expect(rows('SELECT id FROM messages WHERE recovered = 1')).toEqual([]);
    expect(readPath(test.db, all()[0]!.tipId!).map(textOf)).toEqual([0, 1, 2, 3].map((turn) => `text ${turn} of a`));
  });

  it('I3: a conversation twice in one import is written once', async () => {
    const report = await run([files.write('a.json', [chat('a', 4), chat('a', 4), chat('b', 2)])]);
    expect(report.total.conversations).toBe(2);
    expect(report.files[0]?.skipped).toEqual([{ title: 'Chat a', reason: 'known' }]);
  });
});

describe('attachments', () => {
  const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');
  const withPicture = () => {
    const one = chat('p', 2);
    one.mapping['m0'] = {
      id: 'm0',
      parent: 'root',
      message: {
        author: { role: 'user' },
        create_time: 1_700_000_000,
        content: {
          content_type: 'multimodal_text',
          parts: [{ content_type: 'image_asset_pointer', asset_pointer: 'sediment://file_00001' }, 'What is it?'],
        },
        metadata: {
          attachments: [
            { id: 'file_00001', name: 'dot.png' },
            { id: 'file-gone', name: 'gone.pdf' },
            { id: 'file-odd', name: 'odd.bin' },
          ],
        },
      },
    };
    return one;
  };
  const zip = async (entries: Record<string, Buffer>): Promise<Buffer> => {
    const made = new yazl.ZipFile();
    for (const [name, bytes] of Object.entries(entries)) made.addBuffer(bytes, name);
    made.end();
    const chunks: Buffer[] = [];
    for await (const chunk of made.outputStream) chunks.push(Buffer.from(chunk));
    return Buffer.concat(chunks);
  };

  it('I3, I4: pictures and files of a zip become attachments, missing ones are counted and kept as what was said of them', async () => {
    const bytes = await zip({
      'conversations.json': Buffer.from(JSON.stringify([withPicture()])),
      'file_00001-dot.png': png,
      'file-odd-odd.bin': Buffer.from([0, 1, 2, 3, 0]),
      'user.json': Buffer.from('{"id":"u"}'),
      'chat.html': Buffer.from('<html>'),
    });
    const report = await run([files.write('export.bin', bytes)]);
    expect(report).toMatchObject({
      ended: 'done',
      otherFiles: 4,
      total: { conversations: 1, attachmentsFound: 2, attachmentsMissing: 1, notUnderstood: 0 },
    });
    expect(report.files.map(({ name, format }) => ({ name, format }))).toEqual([
      { name: 'export.bin/conversations.json', format: 'chatgpt' },
    ]);
    const [first] = readPath(test.db, all()[0]!.tipId!);
    expect(first?.parts.map(({ type }) => type)).toEqual(['image', 'text', 'raw', 'file']);
    expect(first?.parts[0]).toMatchObject({ name: 'dot.png', mime: 'image/png', width: 1, height: 1 });
    expect(existsSync(join(test.folder, 'blobs'))).toBe(true);
  });

  it('I3: a folder is read like its archive, split files and all; links in it are not followed', async () => {
    files.write('conversations-000.json', [withPicture()]);
    files.write('conversations-001.json', [chat('b', 2)]);
    files.write('file_00001-dot.png', png);
    cpSync(sample('sillytavern-swipes.jsonl'), join(files.folder, 'chat.txt'));
    const report = await run([files.folder]);
    expect(report.total).toMatchObject({ conversations: 3, attachmentsFound: 1, attachmentsMissing: 2 });
    expect(report.otherFiles).toBe(1);
  });

  it('I3: pasted text of Claude is found in the file itself', async () => {
    const report = await run([sample('claude-branches.json')]);
    expect(report.total).toMatchObject({ attachmentsFound: 1, attachmentsMissing: 0, notUnderstood: 1 });
    const part = readPath(test.db, titled('Garden irrigation plan').tipId!)
      .flatMap(({ parts }) => parts)
      .find(({ type }) => type === 'file');
    expect(part).toMatchObject({ name: 'pasted.txt', mime: 'text/plain', textLength: 61 });
  });
});

describe('what goes wrong', () => {
  it('I4, R3: on a full disk what was written stays whole, the rest is reported', async () => {
    const path = files.write(
      'many.json',
      Array.from({ length: 40 }, (_, at) => chat(`c${at}`, 40, { title: `Chat c${at}` })),
    );
    const pages = connectionOf(test.db).pragma('page_count', { simple: true }) as number;
    connectionOf(test.db).pragma(`max_page_count = ${pages + 40}`);
    const report = await run([path]);
    expect(report).toMatchObject({ ended: 'failed', failure: { code: 'diskFull' } });
    const written = all();
    expect(written.length).toBeGreaterThan(0);
    expect(written.length).toBeLessThan(40);
    expect(report.total.conversations).toBe(written.length);
    expect(report.files[0]?.skipped.filter(({ reason }) => reason === 'notWritten')).toHaveLength(40 - written.length);
    for (const { tipId } of written) expect(readPath(test.db, tipId!)).toHaveLength(40);
  });

  it('I4, R3: a large tree that does not fit leaves nothing behind', async () => {
    const pages = connectionOf(test.db).pragma('page_count', { simple: true }) as number;
    connectionOf(test.db).pragma(`max_page_count = ${pages + 100}`);
    const report = await run([files.write('big.json', [chat('big', 5000)])]);
    expect(report).toMatchObject({ ended: 'failed', total: { conversations: 0 } });
    connectionOf(test.db).pragma('max_page_count = 1000000');
    await removeLeftovers({ db: test.db, transcripts: transcriptsOf() });
    expect(rows('SELECT count(*) AS n FROM messages')).toEqual([{ n: 0 }]);
    expect(rows('SELECT count(*) AS n FROM conversations')).toEqual([{ n: 0 }]);
  });

  it('R4: it can be cancelled; what was written stays, whole', async () => {
    const stop = new AbortController();
    const path = files.write(
      'many.json',
      Array.from({ length: 300 }, (_, at) => chat(`c${at}`, 100)),
    );
    const report = await run([path], 'skip', {
      signal: stop.signal,
      onProgress: ({ counts }) => counts.conversations > 20 && stop.abort(),
    });
    expect(report.ended).toBe('cancelled');
    expect(all().length).toBe(report.total.conversations);
    expect(all().length).toBeLessThan(300);
    for (const { tipId } of all()) expect(readPath(test.db, tipId!)).toHaveLength(100);
  });

  it('R4, I4: what was being written when it was cancelled is not told as a failed write', async () => {
    const stop = new AbortController();
    const sink: ImportSink = {
      ...sinkOf('skip'),
      async write() {
        stop.abort();
        throw new FailureError(makeFailure('stopped', 'The import was cancelled.'));
      },
    };
    const report = await run([files.write('a.json', [chat('a', 2), chat('b', 2)])], 'skip', { sink, signal: stop.signal });
    expect(report).toMatchObject({ ended: 'cancelled', files: [{ skipped: [], skippedInAll: 0 }] });
    expect(report.failure).toBeUndefined();
  });

  it('R4: progress tells of every megabyte and ends at the whole', async () => {
    const told: number[] = [];
    const path = files.write(
      'many.json',
      Array.from({ length: 200 }, (_, at) => chat(`c${at}`, 100)),
    );
    await run([path], 'skip', { onProgress: ({ bytesRead, bytesInAll }) => void told.push(bytesRead / bytesInAll) });
    expect(told.length).toBeGreaterThan(2);
    expect(told).toEqual([...told].sort((a, b) => a - b));
    expect(told.at(-1)).toBe(1);
  });

  it('T8, I3: a deleted conversation is imported again, and one removed for good takes its mark along', async () => {
    await run([files.write('a.json', [chat('a', 4)])]);
    const [{ id } = { id: '' }] = all();
    const direct = new Database(test.file);
    direct.pragma('foreign_keys = ON');
    direct.prepare('DELETE FROM messages').run();
    direct.prepare('DELETE FROM conversations WHERE id = ?').run(id);
    direct.close();
    expect(rows('SELECT * FROM import_sources')).toEqual([]);
    expect((await run([files.write('a.json', [chat('a', 4)])])).total.conversations).toBe(1);
  });
});
