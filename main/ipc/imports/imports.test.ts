// Imports through the procedures a window calls: real files, a real database, real blobs (I3, I4, R4).
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createRouterClient } from '@orpc/server';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { WindowEvent } from '../../../shared/model/events';
import { FailureError, makeFailure } from '../../../shared/model/failure';
import type { ImportMode, ImportReport } from '../../../shared/model/importReport';
import { EventHub } from '../../agents/eventHub';
import { tempFiles } from '../../interchange/importFixture';
import { createImportReader, type ImportReader } from '../../interchange/importReader';
import { createLogger, createRedactor } from '../../lib/logger';
import { createNewId } from '../../lib/newId';
import { addBlobRow } from '../../store/blobRows';
import { listConversations } from '../../store/conversations';
import { connectionOf } from '../../store/database';
import { makeStore, type TestStore } from '../../store/storeFixture';
import { createBlobStore } from '../../transcript/blobs';
import { createTranscripts } from '../../transcript/transcripts';
import type { WindowContext, WorkspaceAccess } from '../context';
import { Imports } from './imports';
import { importing } from './procedures';

let test: TestStore;
let files: ReturnType<typeof tempFiles>;
let imports: Imports;
let context: WindowContext;
let told: WindowEvent[];
let logged: string[];
let chosen: string[];
let readOnly: boolean;
/** Resolves with the next end of an import. */
let ended: () => Promise<void>;

beforeEach(() => {
  test = makeStore();
  files = tempFiles();
  [told, logged, chosen, readOnly] = [[], [], [], false];
  const waiting: (() => void)[] = [];
  ended = () => new Promise((resolve) => waiting.push(resolve));
  const hub = new EventHub('test');
  hub.publish = (event) => {
    told.push(event);
    if (event.type === 'importEnded') for (const resolve of waiting.splice(0)) resolve();
  };
  const blobs = createBlobStore({ folder: join(test.folder, 'blobs'), record: (blob) => addBlobRow(test.db, { ...blob, createdAt: 1 }) });
  const transcripts = createTranscripts({ folder: join(test.folder, 'transcripts'), blobs });
  const logger = createLogger({ now: Date.now, sink: (line) => logged.push(line), redactor: createRedactor() });
  imports = new Imports({ db: test.db, blobs, transcripts, hub, newId: createNewId(Date.now), now: Date.now, logger });
  const write = () => {
    if (readOnly) throw new FailureError(makeFailure('workspaceReadOnly', 'Read-only.'));
    return { db: test.db, blobs, imports };
  };
  const workspace = { write, imports: () => (readOnly ? null : imports) } as unknown as WorkspaceAccess;
  context = {
    workspace: () => workspace,
    desktop: { chooseFiles: async () => chosen, chooseFolder: async () => chosen[0] ?? null },
    given: new Set<string>(),
    readImport: createImportReader,
    readPdf: async () => ({ text: 'pdf', pages: 1 }),
  } as unknown as WindowContext;
});
afterEach(async () => {
  await imports.close();
  test.remove();
  files.remove();
});

const api = () => createRouterClient(importing, { context });
const chat = (id: string, turns: number) => ({
  id,
  conversation_id: id,
  title: `Chat ${id}`,
  create_time: 1_700_000_000,
  current_node: `m${turns - 1}`,
  mapping: Object.fromEntries(
    Array.from({ length: turns }, (_, turn) => [
      `m${turn}`,
      {
        id: `m${turn}`,
        parent: turn === 0 ? null : `m${turn - 1}`,
        message: {
          author: { role: turn % 2 ? 'assistant' : 'user' },
          create_time: 1_700_000_000 + turn,
          content: { content_type: 'text', parts: [`text ${turn} of ${id}`] },
        },
      },
    ]),
  ),
});
const titles = () => listConversations(test.db, { archived: false }).map(({ title }) => title);
async function pick(...paths: string[]): Promise<string[]> {
  chosen = paths;
  return api().choose({ folder: false });
}
async function importAll(paths: string[], mode: ImportMode = 'skip'): Promise<ImportReport> {
  const end = ended();
  await api().start({ paths, mode });
  await end;
  const { running, last } = await api().report();
  expect(running).toBeNull();
  return last!;
}
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'none',
    (error: { data?: { code?: string } }) => error.data?.code,
  );
/** A drive that hangs. */
const stuck = (): ImportReader => ({
  next: () => new Promise(() => undefined),
  attachment: async () => null,
  close: async () => undefined,
});

describe('starting', () => {
  it('I3: what was chosen is read, written and reported; the windows hear of progress and of the end', async () => {
    const [path] = await pick(files.write('a.json', [chat('a', 4), chat('b', 2)]));
    const report = await importAll([path!]);
    expect(report).toMatchObject({ ended: 'done', total: { conversations: 2, messages: 6 } });
    expect(titles().sort()).toEqual(['Chat a', 'Chat b']);
    const first = listConversations(test.db, { archived: false }).find(({ title }) => title === 'Chat a');
    expect(report.first).toBe(first?.id);
    expect(told.map(({ type }) => type)).toEqual(['importProgress', 'importEnded']);
  });

  it('I3, Z1: a path that nobody chose is refused, also beside one that somebody did', async () => {
    const [path] = await pick(files.write('a.json', [chat('a', 4)]));
    const other = files.write('b.json', [chat('b', 4)]);
    expect(await codeOf(api().start({ paths: [path!, other], mode: 'skip' }))).toBe('invalidInput');
    expect(titles()).toEqual([]);
    expect(existsSync(other)).toBe(true);
  });

  it('I3: one at a time; the next one may start when it has ended', async () => {
    const paths = await pick(files.write('a.json', [chat('a', 4)]));
    const { readImport } = context;
    context.readImport = stuck;
    const { importId } = await api().start({ paths, mode: 'skip' });
    expect(await codeOf(api().start({ paths, mode: 'skip' }))).toBe('conflict');
    expect((await api().report()).running).toEqual({ importId, progress: null });
    await api().cancel({ importId: 'another' });
    expect((await api().report()).running?.importId).toBe(importId);
    await api().cancel({ importId });
    context.readImport = readImport;
    expect(await importAll(paths)).toMatchObject({ ended: 'done', total: { conversations: 1 } });
  });

  it('W4: a workspace open for reading imports nothing, and does not even ask for files', async () => {
    readOnly = true;
    expect(await codeOf(pick('/x'))).toBe('workspaceReadOnly');
    expect(await codeOf(api().start({ paths: ['/x'], mode: 'skip' }))).toBe('workspaceReadOnly');
    expect(await api().report()).toEqual({ running: null, last: null });
  });
});

describe('a second import', () => {
  it('I3: skips, updates or copies as it is told', async () => {
    const path = files.write('a.json', [chat('a', 4)]);
    const newer = files.write('b.json', [chat('a', 6)]);
    const paths = [await pick(path), await pick(newer)].flat();
    const { first } = await importAll([paths[0]!]);
    expect(await importAll([paths[0]!])).toMatchObject({ first, total: { conversations: 0 }, files: [{ skipped: [{ reason: 'known' }] }] });
    expect(await importAll([paths[1]!], 'update')).toMatchObject({ first, total: { conversations: 0, updated: 1, messages: 2 } });
    expect(titles()).toEqual(['Chat a']);
    const copy = await importAll([paths[1]!], 'copy');
    expect(copy).toMatchObject({ total: { conversations: 1, messages: 6 } });
    expect(copy.first).not.toBe(first);
    expect(titles()).toEqual(['Chat a', 'Chat a']);
  });
});

describe('ending', () => {
  it('R4: cancel answers when it has ended; what is written stays whole, and the report says so', async () => {
    const paths = await pick(
      files.write(
        'many.json',
        Array.from({ length: 300 }, (_, at) => chat(`c${at}`, 100)),
      ),
    );
    const { importId } = await api().start({ paths, mode: 'skip' });
    while (titles().length === 0) await new Promise((resolve) => setImmediate(resolve));
    await api().cancel({ importId });
    const { running, last } = await api().report();
    expect(running).toBeNull();
    expect(last).toMatchObject({ ended: 'cancelled', total: { conversations: titles().length } });
    expect(titles().length).toBeLessThan(300);
  });

  it('R4: one large conversation that is cancelled leaves nothing', async () => {
    const paths = await pick(files.write('big.json', [chat('big', 20_000)]));
    const { importId } = await api().start({ paths, mode: 'skip' });
    const count = () => connectionOf(test.db).prepare('SELECT count(*) AS n FROM messages').pluck().get() as number;
    while (count() === 0) await new Promise((resolve) => setImmediate(resolve));
    await api().cancel({ importId });
    const { last } = await api().report();
    expect(last).toMatchObject({ ended: 'cancelled', total: { conversations: 0 } });
    expect(last?.failure).toBeUndefined();
    expect([count(), titles()]).toEqual([0, []]);
  });

  it('R4: closing the workspace ends it, and nothing starts after', async () => {
    const paths = await pick(
      files.write(
        'many.json',
        Array.from({ length: 300 }, (_, at) => chat(`c${at}`, 100)),
      ),
    );
    await api().start({ paths, mode: 'skip' });
    await imports.close();
    expect(titles().length).toBeLessThan(300);
    expect(await codeOf(api().start({ paths, mode: 'skip' }))).toBe('conflict');
  });

  it('I4, R3: on a full disk what could not be written is named', async () => {
    const many = Array.from({ length: 40 }, (_, at) => chat(`c${at}`, 40));
    const paths = await pick(files.write('many.json', many));
    const connection = connectionOf(test.db);
    connection.pragma(`max_page_count = ${(connection.pragma('page_count', { simple: true }) as number) + 40}`);
    const report = await importAll(paths);
    expect(report).toMatchObject({ ended: 'failed', failure: { code: 'diskFull' } });
    const left = 40 - titles().length;
    expect(report.files[0]?.skipped.filter(({ reason }) => reason === 'notWritten')).toHaveLength(left);
    expect(left).toBeGreaterThan(0);
  });

  it('I4: a reader that breaks for no known reason is reported and logged', async () => {
    const paths = await pick(files.write('a.json', [chat('a', 4)]));
    context.readImport = () => ({ ...stuck(), next: () => Promise.reject(new TypeError('broken')) });
    expect(await importAll(paths)).toMatchObject({ ended: 'failed', failure: { code: 'internal' } });
    expect(logged.join()).toContain('an import broke');
  });
});
