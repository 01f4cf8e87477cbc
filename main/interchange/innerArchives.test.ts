// Exports as they come: split into many files, renamed, or packed once more, in an archive or a folder.
import { createWriteStream, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import yazl from 'yazl';
import { readImport, tempFiles } from './importFixture';
import { createImportReader } from './importReader';
import { withInnerArchives } from './innerArchives';

let files: ReturnType<typeof tempFiles>;
beforeEach(() => {
  files = tempFiles();
});
afterEach(() => files.remove());

type Entries = Record<string, Buffer | string>;
async function zip(name: string, entries: Entries): Promise<string> {
  const made = new yazl.ZipFile();
  for (const [entry, bytes] of Object.entries(entries)) made.addBuffer(Buffer.from(bytes), entry);
  made.end();
  const path = join(files.folder, name);
  await new Promise<void>((resolve, reject) => made.outputStream.pipe(createWriteStream(path)).on('close', resolve).on('error', reject));
  return path;
}
const packed = async (entries: Entries) => readFileSync(await zip('inner.tmp', entries));

const picture = { content_type: 'image_asset_pointer', asset_pointer: 'sediment://file_00000000aaaa' };
const chats = (id: string) =>
  JSON.stringify([
    {
      conversation_id: id,
      title: id,
      mapping: {
        u: { parent: null, message: { author: { role: 'user' }, content: { content_type: 'multimodal_text', parts: ['asks', picture] } } },
      },
    },
  ]);

describe('exports in parts', () => {
  it('I3, I4: an attachment that the export renamed gets the name that it had', async () => {
    const path = await zip('a.zip', {
      'conversations-000.json': chats('a'),
      'conversations-001.json': chats('b'),
      'conversation_asset_file_names.json': '{"file_00000000aaaa.dat":"holiday.png"}',
      'file_00000000aaaa.dat': 'bytes',
      'user.json': '{}',
    });
    const read = await readImport(path);
    expect(read).toMatchObject({ problems: [], otherFiles: 3 });
    expect(read.conversations.map(({ messages }) => messages[0]?.parts[1])).toMatchObject([
      { name: 'holiday.png' },
      { name: 'holiday.png' },
    ]);
  });

  it('I4: of several parts the damaged and the empty ones are named', async () => {
    const path = await zip('a.zip', {
      'conversations-000.json': chats('a'),
      'conversations-001.json': '[damaged',
      'conversations-002.json': Buffer.alloc(500),
      'conversations-003.json': '',
      'notes.json': '[damaged',
    });
    const read = await readImport(path);
    expect(read.conversations).toHaveLength(1);
    expect(read.problems).toEqual(['notJson', 'notJson', 'empty']);
    expect(read.files).toEqual([0, 1, 2, 3].map((part) => `a.zip/conversations-00${part}.json`));
    expect(read.otherFiles).toBe(1);
  });
});

describe('archives inside', () => {
  it('I3: an archive in an archive is read, with attachments of another one beside it', async () => {
    const path = await zip('all.zip', {
      'User Online Activity/Conversations__1.zip': await packed({ 'conversations.json': chats('a') }),
      'User Online Activity/Files__1.zip': await packed({ 'file_00000000aaaa.dat': 'bytes' }),
      'report.html': '<html>',
    });
    const read = await readImport(path);
    expect(read).toMatchObject({ problems: [], otherFiles: 2 });
    expect(read.files).toEqual(['all.zip/User Online Activity/Conversations__1.zip/conversations.json']);
    const reader = createImportReader([path]);
    const bytes = { from: 'file', file: 'User Online Activity/Files__1.zip/file_00000000aaaa.dat' };
    expect(read.conversations[0]?.messages[0]?.parts[1]).toMatchObject({ bytes });
    await reader.next();
    expect(Buffer.from((await reader.attachment(0, bytes.file)) ?? []).toString()).toBe('bytes');
    await reader.close();
  });

  it('I3: a folder of archives is read; archives that a person attached are not looked into', async () => {
    mkdirSync(join(files.folder, 'in'));
    await zip('in/a.zip', { 'conversations.json': chats('a') });
    await zip('in/file-abc-source.zip', { 'conversations.json': chats('b') });
    const read = await readImport(join(files.folder, 'in'));
    expect(read.conversations.map(({ title }) => title)).toEqual(['a']);
    expect(read).toMatchObject({ problems: [], otherFiles: 1 });
  });

  it('I4: of very many archives the first are opened, and each of the others is named', async () => {
    const bytes = await packed({ 'conversations.json': chats('a') });
    const many = ['1', '2', '3'].map((name) => ({ path: `${name}.zip`, size: bytes.length, onDisk: files.write(`${name}.zip`, bytes) }));
    const sources = many.map((one) => ({
      ...one,
      async *stream() {
        yield bytes;
      },
    }));
    const found = await withInnerArchives(sources, 2);
    expect(found.files.map(({ path }) => path)).toEqual(['1.zip/conversations.json', '2.zip/conversations.json', '3.zip']);
    expect(found.problems).toMatchObject([{ name: '3.zip', problem: { problem: 'zipTooLarge' } }]);
    await found.close();
  });

  it('I4: an inner archive that cannot be opened is named, and the rest is read', async () => {
    const damaged = await packed({ 'conversations.json': chats('b') });
    const path = await zip('all.zip', { 'conversations.json': chats('a'), 'more.zip': damaged.subarray(0, damaged.length - 60) });
    const read = await readImport(path);
    expect(read.conversations.map(({ title }) => title)).toEqual(['a']);
    expect(read.problems).toEqual(['zipDamaged']);
    expect(read.files).toEqual(['all.zip/conversations.json', 'all.zip/more.zip']);
    expect(read.otherFiles).toBe(0);
  });

  it('I3: archives in archives in archives end: one that is a bomb is refused, one that goes on is no export', async () => {
    let bytes = await packed({ 'conversations.json': chats('a') });
    for (let level = 0; level < 30; level++) bytes = await packed({ 'next.zip': bytes });
    expect((await readImport(files.write('deep.zip', bytes))).problems).toEqual(['notRecognized']);
    const bomb = await packed({ 'conversations.json': Buffer.alloc(80 * 2 ** 20, '[') });
    expect((await readImport(await zip('bomb.zip', { 'a.zip': bomb }))).problems).toEqual(['zipTooLarge']);
  });
});
