import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { attachmentLimits } from '../../shared/model/draft';
import { drawPicture } from '../lib/drawPicture';
import { type BlobRecord, createBlobStore } from '../transcript/blobs';
import { addBytes, addPath, type IntakeDeps } from './intake';

let folder: string;
let rows: BlobRecord[];
let deps: IntakeDeps;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bough-intake-'));
  rows = [];
  deps = {
    blobs: createBlobStore({ folder: join(folder, 'blobs'), record: (blob) => rows.push(blob) }),
    readPdf: async (bytes) => {
      const text = Buffer.from(bytes).toString('latin1');
      if (text.includes('broken')) throw new Error('broken');
      return { text: text.includes('scan') ? ' ' : 'text of the pages', pages: 2 };
    },
    checkPicture: (bytes) => drawPicture({ bytes, draw: null }),
  };
});
afterEach(() => rmSync(folder, { recursive: true }));
const file = (name: string, content: string | Uint8Array) => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};
const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');
const text = async (hash: string | undefined) => Buffer.from(await deps.blobs.read(hash as never)).toString('utf8');

it('U4: a picture, a text and a PDF are stored with what a model needs of them', async () => {
  expect(await addPath(deps, file('a.png', png))).toMatchObject({
    type: 'image',
    mime: 'image/png',
    name: 'a.png',
    width: 1,
    height: 1,
    size: png.length,
  });
  const plain = await addPath(deps, file('notes.md', 'привет'));
  expect(plain).toMatchObject({ type: 'file', mime: 'text/plain', textLength: 6, size: 12 });
  expect(plain.type === 'file' && plain.hash === plain.textHash).toBe(true);
  const utf16 = await addPath(deps, file('old.txt', Buffer.from('\uFEFFпривет', 'utf16le')));
  expect(utf16.type === 'file' && (await text(utf16.textHash))).toBe('привет');
  const pdf = await addBytes(deps, { name: 'p.pdf', bytes: Buffer.from('%PDF-1.7 …') });
  expect(pdf).toMatchObject({ type: 'file', mime: 'application/pdf', pages: 2 });
  expect(pdf.type === 'file' && (await text(pdf.textHash))).toBe('text of the pages');
  expect(rows.length).toBeGreaterThan(4);
});

it.each([
  ['fileEmpty', 'empty.txt', ''],
  ['imageUnreadable', 'cat.png', 'not a picture'],
  ['imageUnreadable', 'cut.png', png.subarray(0, 40)],
  ['fileUnsupported', 'a.zip', Buffer.from('504b030414000000080000', 'hex')],
  ['pdfUnreadable', 'broken.pdf', '%PDF-1.7 broken'],
  ['pdfUnreadable', 'scan.pdf', '%PDF-1.7 scan'],
])('U4: refused as %s, named, and nothing is stored: %s', async (code, name, content) => {
  await expect(addPath(deps, file(name, content))).rejects.toMatchObject({ failure: { code, detail: { path: name } } });
  expect(rows).toEqual([]);
});

it('U4: what is too large is refused before it is read whole', async () => {
  const path = file('huge.txt', 'x');
  truncateSync(path, attachmentLimits.pdf + 1);
  await expect(addPath(deps, path)).rejects.toMatchObject({
    failure: { code: 'fileTooLarge', detail: { size: attachmentLimits.pdf + 1 } },
  });
  const long = file('long.txt', 'x'.repeat(attachmentLimits.text + 1));
  await expect(addPath(deps, long)).rejects.toMatchObject({ failure: { code: 'fileTooLarge', detail: { limit: attachmentLimits.text } } });
});

it('U4: a folder, a file that is gone: said as such', async () => {
  mkdirSync(join(folder, 'sub'));
  await expect(addPath(deps, join(folder, 'sub'))).rejects.toMatchObject({ failure: { code: 'fileUnsupported' } });
  await expect(addPath(deps, join(folder, 'gone.txt'))).rejects.toMatchObject({ failure: { code: 'fileGone' } });
});

it('U4: a picture that cannot be looked at here is taken as it is', async () => {
  const blind = { ...deps, checkPicture: () => Promise.reject(new Error('no such library')) };
  expect(await addBytes(blind, { name: 'a.png', bytes: png })).toMatchObject({ type: 'image', name: 'a.png' });
});
