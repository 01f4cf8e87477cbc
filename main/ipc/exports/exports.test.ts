// Exports of real conversations into real files: what goes along, and what is left when something goes wrong (I1, I2, R4).
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type ExportNews, type ExportRequest, exportFormats } from '../../../shared/model/export';
import { FailureError } from '../../../shared/model/failure';
import type { BlobHash, MessageId, TrashId } from '../../../shared/model/ids';
import type { Message } from '../../../shared/model/message';
import { acts, type ForkTest, makeForkTest, perform, say, step } from '../../agents/forkFixture';
import { getMessage } from '../../store/messages';
import { cnv, msg } from '../../store/storeFixture';
import { deleteSubtree } from '../../store/trash';
import { markSubtree } from '../../store/trashWalk';
import { collectBundle } from './collect';
import { fileNameOf } from './fileNameOf';
import { bringPage } from './pageDesk';
import { countScopes } from './readTree';
import { type SaveDeps, saveExport } from './saveExport';

const conversationId = cnv('1');
let test: ForkTest;
let folder: string;
beforeEach(() => {
  test = makeForkTest();
  folder = mkdtempSync(join(tmpdir(), 'bough-export-'));
});
afterEach(() => {
  test.remove();
  rmSync(folder, { recursive: true, force: true });
});

const request = (more: Partial<ExportRequest> = {}): ExportRequest => ({
  exportId: 'export-0001',
  conversationId,
  messageId: null,
  scope: 'tree',
  format: 'jsonl',
  include: { toolCalls: true, reasoning: true, attachments: true, memory: true },
  ...more,
});
const deps = (path: string | null, more: Partial<SaveDeps> = {}): SaveDeps => ({
  db: test.db,
  blobs: test.blobs,
  transcripts: test.transcripts,
  now: () => 7000,
  chooseSaveFile: async () => path,
  printPage: async () => new Uint8Array([0x25, 0x50, 0x44, 0x46]),
  ...more,
});
const save = (with_: SaveDeps, ask = request(), tell: (news: ExportNews) => void = () => undefined, stop = new AbortController()) =>
  saveExport(with_, ask, { signal: stop.signal, tell });
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'none',
    (error: unknown) => (error instanceof FailureError ? error.failure.code : error),
  );
const linesIn = (path: string) =>
  readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown> & { type: string });

/** root → a → b, and beside a: c. */
function smallTree(): MessageId[] {
  const made: MessageId[] = [];
  say(test, made, 'root', null);
  step(test, made, 'a', msg('root'), {
    content: [
      { type: 'vendor', vendor: { family: 'x', json: '{"é":1}' } },
      { type: 'text', text: 'A' },
    ],
  });
  say(test, made, 'b', msg('a'));
  step(test, made, 'c', msg('root'), { content: [{ type: 'text', text: 'C' }] });
  return made;
}

describe('what goes along', () => {
  it('I1, I2: always: every message that can be seen once, with its step, labels, pins, checkpoints and standing records', async () => {
    await fc.assert(
      fc.asyncProperty(acts, async (all) => {
        const one = makeForkTest();
        try {
          const made = perform(one, all);
          const bundle = await collectBundle(one, { conversationId, messageId: null, scope: 'tree' });
          expect(bundle.messages).toEqual(made.map((id) => getMessage(one.db, id)));
          const answers = bundle.messages.filter(({ id }) => one.db && stepNames(all).has(id));
          expect(bundle.transcripts.flatMap(({ steps }) => steps.map(({ messageId }) => messageId)).sort()).toEqual(
            answers.map(({ id }) => id).sort(),
          );
          const marks = (kind: string) => all.filter((act) => act.kind === kind).length;
          expect(bundle.checkpoints.length).toBeLessThanOrEqual(marks('checkpoint'));
          const counts = await countScopes(one.db, { conversationId, messageId: null });
          expect(counts.tree.messages).toBe(made.length);
        } finally {
          one.remove();
        }
      }),
      { numRuns: 15 },
    );
  });

  it('I1: a path, what is below a message, the whole; counted the same', async () => {
    smallTree();
    const ids = async (scope: ExportRequest['scope'], messageId: MessageId) =>
      (await collectBundle(test, { conversationId, messageId, scope })).messages.map(({ id }) => id.slice(4));
    expect(await ids('path', msg('b'))).toEqual(['root', 'a', 'b']);
    expect(await ids('subtree', msg('a'))).toEqual(['a', 'b']);
    expect(await ids('tree', msg('a'))).toEqual(['root', 'a', 'b', 'c']);
    const counts = await countScopes(test.db, { conversationId, messageId: msg('a') });
    expect([counts.path.messages, counts.subtree.messages, counts.tree.messages, counts.tree.branches]).toEqual([2, 2, 4, 2]);
  });

  it('T8, I1: what is in the trash never goes along', async () => {
    smallTree();
    const deletion = { conversationId, messageId: msg('a'), trashId: 'tra_1' as TrashId };
    deleteSubtree(test.db, { ...deletion, now: 9, marked: await markSubtree(test.db, deletion) });
    const bundle = await collectBundle(test, { conversationId, messageId: null, scope: 'tree' });
    expect(bundle.messages.map(({ id }) => id)).toEqual([msg('root'), msg('c')]);
    expect(JSON.stringify(bundle)).not.toContain('"é');
    expect(await codeOf(countScopes(test.db, { conversationId, messageId: msg('b') }))).toBe('notFound');
  });

  it('T9, I2: of a fork, steps name their places in the fork', async () => {
    smallTree();
    const fork = await test.forks.fork({ conversationId, messageId: msg('b'), scope: 'all' });
    const bundle = await collectBundle(test, { conversationId: fork.id, messageId: null, scope: 'tree' });
    const steps = bundle.transcripts.flatMap((one) => one.steps);
    const byId = new Map(bundle.messages.map((message) => [message.id, message]));
    expect(steps).toHaveLength(2);
    for (const one of steps) expect(byId.get(one.messageId)).toMatchObject({ parentId: one.parentId, turnId: one.turnId });
    expect(JSON.stringify(steps)).toContain('{\\"é\\":1}');
  });

  it('I1: an empty conversation', async () => {
    expect((await countScopes(test.db, { conversationId, messageId: null })).tree.messages).toBe(0);
    await save(deps(join(folder, 'x.jsonl')));
    expect(linesIn(join(folder, 'x.jsonl')).at(-1)).toEqual({ type: 'end', messages: 0 });
  });
});

function stepNames(all: readonly { kind: string; under: number; near: boolean }[]): Set<string> {
  const names = new Set<string>();
  let made = 0;
  all.forEach(({ kind, under }, at) => {
    const first = made === 0 || under === 0;
    if (first || ['user', 'digest', 'retold', 'broken', 'calls', 'own', 'other'].includes(kind)) made++;
    if (!first && ['broken', 'calls', 'own', 'other'].includes(kind)) names.add(msg(`m${at}`));
  });
  return names;
}

describe('the file', () => {
  it('I1, I4: JSON Lines of a tree, a lost attachment by name', async () => {
    const made = smallTree();
    const hash = 'd'.repeat(64) as BlobHash;
    say(test, made, 'p', msg('b'), { parts: [{ type: 'image', hash, mime: 'image/png', name: 'p.png', size: 3 }] });
    expect(await save(deps(join(folder, 'x.jsonl')))).toBe(join(folder, 'x.jsonl'));
    const lines = linesIn(join(folder, 'x.jsonl'));
    expect(lines.filter(({ type }) => type === 'step')).toHaveLength(2);
    expect(lines.find(({ type }) => type === 'blob')).toEqual({ type: 'blob', hash, mime: 'image/png', missing: true });
    expect(lines.at(-1)).toEqual({ type: 'end', messages: 5 });
    expect(readdirSync(folder)).toEqual(['x.jsonl']);
  });

  const bytesOfPage = (news: ExportNews) => {
    if (news.type === 'rows') bringPage('export-0001', JSON.stringify(news.rows.rows.map(({ files }) => files)));
  };
  it.each(exportFormats)('I1, I4: %s of a tree whose attachments are lost is whole', async (format) => {
    const made = smallTree();
    const [image, file] = ['d', 'e'].map((digit) => digit.repeat(64) as BlobHash) as [BlobHash, BlobHash];
    const parts: Message['parts'] = [
      { type: 'image', hash: image, mime: 'image/png', name: 'p.png', size: 3 },
      { type: 'file', hash: file, mime: 'text/plain', name: 'f.txt', size: 3, textHash: file },
    ];
    say(test, made, 'p', msg('b'), { parts });
    const path = join(folder, `x.${format}`);
    const printPage: SaveDeps['printPage'] = async (page) => readFileSync(page);
    await save(deps(path, { printPage }), request({ format }), bytesOfPage);
    const text = readFileSync(path, 'utf8');
    if (format === 'markdown') expect(text).toContain('_Attached: p.png (image/png, 3 bytes)_');
    else if (format === 'html' || format === 'pdf') expect(text).toContain(JSON.stringify({ [image]: null, [file]: null }));
    else expect(text.match(/"missing":true/g)).toHaveLength(2);
    expect(readdirSync(folder)).toEqual([`x.${format}`]);
  });

  it.each(exportFormats)('I1, W4: %s onto a disk that fills up: said, the older file stays and nothing is beside it', async (format) => {
    smallTree();
    const path = join(folder, `x.${format}`);
    writeFileSync(path, 'older');
    const handle = await open(path, 'r');
    await handle.close();
    // Half of it goes in, as on a real disk.
    const filling = vi.spyOn(Object.getPrototypeOf(handle), 'writeFile').mockImplementation(async function (this: unknown, data) {
      const bytes = data as Uint8Array;
      await (this as FileHandle).write(bytes, 0, Math.floor(bytes.length / 2));
      throw Object.assign(new Error('nothing more could be written'), { code: 'ENOSPC' });
    });
    try {
      expect(await codeOf(save(deps(path), request({ format }), bytesOfPage))).toBe('diskFull');
      expect(filling).toHaveBeenCalledOnce();
    } finally {
      filling.mockRestore();
    }
    expect([readFileSync(path, 'utf8'), readdirSync(folder)]).toEqual(['older', [`x.${format}`]]);
    await save(deps(path), request({ format }), bytesOfPage);
    expect(readFileSync(path, 'utf8')).not.toBe('older');
  });

  it('I1, R4: written over an older one only when it is whole; a stop leaves the older one and nothing beside it', async () => {
    smallTree();
    const path = join(folder, 'x.md');
    writeFileSync(path, 'older');
    const stop = new AbortController();
    const work = save(deps(path), request({ format: 'html' }), () => stop.abort(), stop);
    expect(await codeOf(work)).toBe('stopped');
    expect([readFileSync(path, 'utf8'), readdirSync(folder)]).toEqual(['older', ['x.md']]);
    await save(deps(path), request({ format: 'markdown' }));
    expect(readFileSync(path, 'utf8')).toContain('text of root');
  });

  it('R4: what is asked for is looked at a few times, not once for each message: a large tree must not take the square of its size', async () => {
    const made: MessageId[] = [];
    for (let at = 0; at < 200; at++) say(test, made, `m${at}`, made.at(-1) ?? null);
    let looks = 0;
    const asked = request();
    const counting = {
      ...asked,
      get format() {
        looks++;
        return asked.format;
      },
    };
    await save(deps(join(folder, 'a.jsonl')), counting);
    expect(linesIn(join(folder, 'a.jsonl')).filter(({ type }) => type === 'message')).toHaveLength(200);
    expect(looks).toBeLessThan(10);
  });

  it('I1: a folder that is gone is a failure, and nobody makes it; cancelling the question writes nothing', async () => {
    smallTree();
    expect(await codeOf(save(deps(join(folder, 'gone', 'x.json')), request({ format: 'json' })))).toBe('workspaceGone');
    expect(await save(deps(null))).toBeNull();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('I1: a page is made by the window, piece by piece, and printed from a file that is gone afterwards', async () => {
    smallTree();
    const tell = (news: ExportNews) => {
      if (news.type === 'rows') expect(bringPage('export-0001', `<p>${news.rows.rows.length}</p>`)).toBe(true);
    };
    await save(deps(join(folder, 'x.html')), request({ format: 'html' }), tell);
    expect(readFileSync(join(folder, 'x.html'), 'utf8')).toBe('<p>4</p>');
    let printed = '';
    const printPage: SaveDeps['printPage'] = async (file) => {
      printed = file;
      return readFileSync(file);
    };
    await save(deps(join(folder, 'x.pdf'), { printPage }), request({ format: 'pdf' }), tell);
    expect(readFileSync(join(folder, 'x.pdf'), 'utf8')).toBe('<p>4</p>');
    expect(() => readFileSync(printed)).toThrow();
    expect(bringPage('export-0001', 'late')).toBe(false);
  });

  it('I1: the name is one that every system takes', () => {
    expect(fileNameOf('../a/b: "c"?\u202e\n')).toBe('a b c');
    expect([fileNameOf('con'), fileNameOf('...'), fileNameOf('')]).toEqual(['con_', 'conversation', 'conversation']);
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (title) => {
        const name = fileNameOf(title);
        mkdirSync(join(folder, name), { recursive: false });
        rmSync(join(folder, name), { recursive: true });
      }),
      { numRuns: 60 },
    );
  });
});
